/** Which order the keys act on. It is no state of the board: only the two cards that change are drawn, not the hundreds beside them. */
import { useSyncExternalStore } from "react";
import { useBoardContext } from "./order-actions.ts";

/** The element of an order's card. */
export const cardId = (orderId: string): string => `order-${orderId}`;

export type OrderSelection = ReturnType<typeof createSelection>;

export const createSelection = () => {
  let selectedId: string | null = null;
  const listeners = new Set<() => void>();
  return {
    read: (): string | null => selectedId,
    select(id: string): void {
      selectedId = id;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

export const useIsSelected = (id: string): boolean => {
  const { selection } = useBoardContext();
  return useSyncExternalStore(selection.subscribe, () => selection.read() === id);
};

/**
 * The order that was acted on leaves its column. The keys go on with the one below it, or above it, and so does the focus: it was in the card,
 * which is drawn again elsewhere. `ids` are those of the column.
 */
export const leaveOrder = (selection: OrderSelection, ids: readonly string[], id: string): void => {
  const place = ids.indexOf(id);
  const next = ids[place + 1] ?? ids[place - 1] ?? id;
  const hasFocus = document.getElementById(cardId(id))?.contains(document.activeElement) === true;
  if (selection.read() === id) selection.select(next);
  // After it is drawn: the last card of a column is followed to its new place.
  if (hasFocus) requestAnimationFrame(() => document.getElementById(cardId(next))?.focus({ preventScroll: true }));
};
