/** What a tap does: it is shown at once and sent by the queue. */
import type { KitchenTicket, TicketChangeKind } from "@comanda/contract/console/kitchen.ts";
import { useMemo, useState } from "react";
import { newKey } from "#kit/new-key.ts";
import type { KitchenActions } from "./kitchen-actions.ts";
import { queuedChangeOf } from "./ticket-changes.ts";
import type { TicketQueue } from "./ticket-queue.ts";

/** The tickets that were bumped on this page, for the undo button and the key that recalls the last one. */

export type BumpedTicket = { ticket: KitchenTicket; undoUntil: number };

const UNDO_MS = 20_000;
const BUMPS_MAX = 50;

export const addBump = (bumps: readonly BumpedTicket[], ticket: KitchenTicket, now: number): BumpedTicket[] =>
  [{ ticket, undoUntil: now + UNDO_MS }, ...removeBump(bumps, ticket.id)].slice(0, BUMPS_MAX);

export const removeBump = (bumps: readonly BumpedTicket[], id: number): BumpedTicket[] => bumps.filter(({ ticket }) => ticket.id !== id);

type ActionsInput = { queue: TicketQueue; screenId: number; openSheet: (ticket: KitchenTicket) => void };

export const useKitchenActions = ({ queue, screenId, openSheet }: ActionsInput) => {
  const [bumps, setBumps] = useState<readonly BumpedTicket[]>([]);
  const actions = useMemo((): KitchenActions => {
    const change = (ticket: KitchenTicket, kind: TicketChangeKind, line?: number): void => {
      const made = { key: newKey(), at: Date.now(), screenId, ticket, change: kind };
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
      openSheet,
    };
  }, [queue, screenId, openSheet]);
  return { actions, bumps };
};
