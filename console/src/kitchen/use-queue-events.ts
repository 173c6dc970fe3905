/** What the display says and does when a change was sent or refused. */
import type { KitchenTicket, TicketChangeKind } from "@comanda/contract/console/kitchen.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { useTicketNames } from "./kitchen-actions.ts";
import { KITCHEN_KEY, wantWhole } from "./kitchen-query.ts";
import { type KitchenState, mergeTicket } from "./kitchen-state.ts";
import type { TicketQueueEvent } from "./ticket-queue.ts";

type TicketRaceDetails = { ticket?: KitchenTicket; changed_by?: string | null };

export const useQueueEvents = (onToast: (text: string) => void, onEnded: () => void) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const describe = useErrorText();
  const { nameOf } = useTicketNames();
  /** The answer of a write says nothing about the other tickets, so the time of the last reading stays. */
  const takeOver = (ticket: KitchenTicket, change: TicketChangeKind | null): void => {
    const { dataUpdatedAt: updatedAt = 0, status } = client.getQueryState<KitchenState>(KITCHEN_KEY) ?? {};
    client.setQueryData<KitchenState>(KITCHEN_KEY, (kitchen) => kitchen && mergeTicket(kitchen, ticket, change), { updatedAt });
    if (status === "error") void client.invalidateQueries({ queryKey: KITCHEN_KEY });
  };
  /** The answer to a repeated change can be the stored one of the first try, from before later changes of others. */
  const readWhole = (): void => {
    wantWhole();
    void client.invalidateQueries({ queryKey: KITCHEN_KEY });
  };
  const explain = (name: string, error: Error): string => {
    if (!(error instanceof CallError) || error.code !== "state_changed") return t("kitchen.refused", { name, reason: describe(error) });
    const { ticket, changed_by: who = null }: TicketRaceDetails = error.details;
    if (ticket) takeOver(ticket, null);
    const state = t(`kitchen.states.${ticket?.state ?? "done"}`);
    return who === null ? t("kitchen.fasterUnknown", { name, state }) : t("kitchen.faster", { name, state, who });
  };
  return (event: TicketQueueEvent): void => {
    if (event.kind === "signed_out") onEnded();
    else if (event.kind === "expired") onToast(t("kitchen.expired", { count: event.count }));
    else if (event.kind === "sent") {
      takeOver(event.ticket, event.change.change);
      if (event.mustReadWhole) readWhole();
    } else {
      const name = nameOf(event.change.ticket);
      onToast(explain(name, event.error));
      if (event.laterChanges > 0) onToast(t("kitchen.dropped", { count: event.laterChanges, name }));
      void client.invalidateQueries({ queryKey: KITCHEN_KEY });
    }
  };
};
