import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import { pollUnlessStreaming } from "#shell/change-stream.ts";
import type { StateMarkKind } from "../state-mark.tsx";

export const webhooksQuery = (venue: string) =>
  queryOptions({
    queryKey: ["webhooks", venue],
    queryFn: async () => (await call("listWebhooks", { params: { venue } })).data,
    refetchInterval: () => pollUnlessStreaming(15_000),
  });

export const useWebhooksChanged = (venue: string) => {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: webhooksQuery(venue).queryKey });
};

export const WEBHOOK_MARKS: Record<WebhookRow["state"], StateMarkKind> = {
  working: "good",
  unsteady: "wait",
  failing: "bad",
  paused: "hold",
};
