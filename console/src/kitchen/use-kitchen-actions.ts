/** What a tap does: it is shown at once and sent by the queue. */
import type { KitchenLine, KitchenTicket, TicketChangeKind } from "@comanda/contract/console/kitchen.ts";
import { useEffectEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError, call, hasErrorCode, isWorthRetrying } from "../api.ts";
import { useErrorText } from "../ui/error-text.ts";
import { useLocalizedName } from "../ui/localized-name.ts";
import type { KitchenActions } from "./kitchen-actions.ts";
import { addBump, type BumpedTicket, removeBump } from "./last-bumps.ts";
import { queuedChangeOf } from "./ticket-changes.ts";
import type { TicketQueue } from "./ticket-queue.ts";

type ActionsInput = { queue: TicketQueue; screenId: number; onToast: (text: string) => void; onEnded: () => void };

const RETRY_MS = 700;

const sellOutDish = async (id: number, key: string, tries = 1): Promise<void> => {
  try {
    await call("sellOutDish", { params: { id }, idempotencyKey: key, waitMsMax: 10_000 });
  } catch (error) {
    if (!(error instanceof CallError) || !isWorthRetrying(tries, error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    await sellOutDish(id, key, tries + 1);
  }
};

/** It is not queued: after hours without a connection the dish may be back. */
const useSellOut = ({ onToast, onEnded }: Pick<ActionsInput, "onToast" | "onEnded">) => {
  const { t } = useTranslation();
  const nameOf = useLocalizedName();
  const describe = useErrorText();
  return async ({ item_id, name }: KitchenLine): Promise<void> => {
    if (item_id === null) return;
    const dish = nameOf(name);
    try {
      await sellOutDish(item_id, crypto.randomUUID());
      onToast(t("kitchen.soldOutDone", { dish }));
    } catch (error) {
      if (hasErrorCode(error, "signed_out")) onEnded();
      else onToast(t("kitchen.soldOutFailed", { dish, reason: describe(error) }));
    }
  };
};

export const useKitchenActions = ({ queue, screenId, ...outcome }: ActionsInput, openSheet: (ticket: KitchenTicket) => void) => {
  const [bumps, setBumps] = useState<readonly BumpedTicket[]>([]);
  const sell = useSellOut(outcome);
  const sellOut = useEffectEvent((line: KitchenLine) => void sell(line));
  const actions = useMemo((): KitchenActions => {
    const change = (ticket: KitchenTicket, kind: TicketChangeKind, line?: number): void => {
      const made = { key: crypto.randomUUID(), at: Date.now(), screenId, ticket, change: kind };
      void queue.add(queuedChangeOf(line === undefined ? made : { ...made, line }));
    };
    return {
      bump(ticket) {
        change(ticket, "bump");
        setBumps((all) => addBump(all, { ...ticket, state: "done" }, Date.now()));
      },
      recall(ticket) {
        change(ticket, "recall");
        setBumps((all) => removeBump(all, ticket.id));
      },
      toggleLine: (ticket, line) => change(ticket, line.is_done ? "line_open" : "line_done", line.index),
      acknowledge: (ticket) => change(ticket, "acknowledge"),
      setPriority: (ticket, isPriority) => change(ticket, isPriority ? "priority" : "no_priority"),
      sellOut: (line) => sellOut(line),
      openSheet,
    };
  }, [queue, screenId, openSheet]);
  return { actions, bumps };
};
