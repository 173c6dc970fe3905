/** The menu as managers change it. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import { pollUnlessStreaming } from "#shell/change-stream.ts";

const POLL_EVERY_MS = 30_000;

export const menuPlanQuery = (venue: string) =>
  queryOptions({
    queryKey: ["menu-plan", venue],
    queryFn: async () => (await call("readMenuPlan", { params: { venue } })).data,
    refetchInterval: () => pollUnlessStreaming(POLL_EVERY_MS),
  });
