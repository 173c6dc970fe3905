/** Unsaved form values. They survive closing the form until they are saved or discarded, or the person signs out. */
import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import type { EventType } from "@comanda/contract/events/events.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useVenue } from "#shell/venue.ts";

export type WebhookFormValues = { url: string; description: string; events: EventType[] };

const savedIn = (webhook: WebhookRow | null): WebhookFormValues => ({
  url: webhook?.url ?? "https://",
  description: webhook?.description ?? "",
  events: webhook?.events ?? [],
});

const isSame = (one: WebhookFormValues, other: WebhookFormValues): boolean =>
  one.url === other.url && one.description === other.description && one.events.join() === other.events.join();

const NAME = "webhook-draft";

const useDrafts = () => {
  const venue = useVenue();
  const queryClient = useQueryClient();
  const keyOf = (webhook: WebhookRow | null) => [NAME, venue, webhook?.id ?? "new"];
  return {
    read: (webhook: WebhookRow | null) => queryClient.getQueryData<WebhookFormValues>(keyOf(webhook)),
    keep(webhook: WebhookRow | null, written: WebhookFormValues): void {
      queryClient.setQueryDefaults([NAME], { gcTime: Number.POSITIVE_INFINITY });
      queryClient.setQueryData(keyOf(webhook), written);
    },
    drop: (webhook: WebhookRow | null): void => queryClient.removeQueries({ queryKey: keyOf(webhook) }),
  };
};

export const useHasDraft = () => {
  const drafts = useDrafts();
  return (webhook: WebhookRow | null): boolean => drafts.read(webhook) !== undefined;
};

export const useDraft = (webhook: WebhookRow | null) => {
  const drafts = useDrafts();
  const saved = savedIn(webhook);
  const [written, setWritten] = useState<WebhookFormValues>(() => drafts.read(webhook) ?? saved);
  const [isRestored, setRestored] = useState(() => drafts.read(webhook) !== undefined);
  const write = (change: Partial<WebhookFormValues>): void => {
    const next = { ...written, ...change };
    setWritten(next);
    if (isSame(next, saved)) drafts.drop(webhook);
    else drafts.keep(webhook, next);
  };
  return {
    written,
    write,
    isRestored,
    drop: () => drafts.drop(webhook),
    discard(): void {
      drafts.drop(webhook);
      setWritten(saved);
      setRestored(false);
    },
  };
};
