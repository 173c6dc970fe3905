/** Unsaved form values. They survive closing the form until they are saved or discarded, or the person signs out. */
import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import type { EventType } from "@comanda/contract/events/envelope.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useVenue } from "#shell/venue.ts";

export type WebhookFormValues = { url: string; description: string; events: EventType[] };

export type SavedWebhook = Pick<WebhookRow, "url" | "description" | "events">;

export const savedIn = (webhook: SavedWebhook | null): WebhookFormValues => ({
  url: webhook?.url ?? "https://",
  description: webhook?.description ?? "",
  events: webhook?.events ?? [],
});

const isSame = (one: WebhookFormValues, other: WebhookFormValues): boolean =>
  one.url === other.url && one.description === other.description && one.events.join() === other.events.join();

const NAME = "webhook-draft";

/** `seen` is what the form showed when it was begun, so that a change by another person meanwhile is not put back. */
type WebhookDraft = { written: WebhookFormValues; seen: WebhookFormValues };

const useDrafts = () => {
  const venue = useVenue();
  const queryClient = useQueryClient();
  const keyOf = (webhook: WebhookRow | null) => [NAME, venue, webhook?.id ?? "new"];
  return {
    read: (webhook: WebhookRow | null) => queryClient.getQueryData<WebhookDraft>(keyOf(webhook)),
    keep(webhook: WebhookRow | null, draft: WebhookDraft): void {
      queryClient.setQueryDefaults([NAME], { gcTime: Number.POSITIVE_INFINITY });
      queryClient.setQueryData(keyOf(webhook), draft);
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
  const [{ written, seen }, setDraft] = useState<WebhookDraft>(() => {
    const saved = savedIn(webhook);
    return drafts.read(webhook) ?? { written: saved, seen: saved };
  });
  const [isRestored, setRestored] = useState(() => drafts.read(webhook) !== undefined);
  const write = (change: Partial<WebhookFormValues>): void => {
    const next = { written: { ...written, ...change }, seen };
    setDraft(next);
    if (isSame(next.written, seen)) drafts.drop(webhook);
    else drafts.keep(webhook, next);
  };
  /** Shows what is saved instead of what was written. */
  const show = (saved: WebhookFormValues): void => {
    drafts.drop(webhook);
    setDraft({ written: saved, seen: saved });
    setRestored(false);
  };
  return { written, seen, write, isRestored, show, drop: () => drafts.drop(webhook), discard: () => show(savedIn(webhook)) };
};
