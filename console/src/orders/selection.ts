/** Which order the keys act on. It is no state of the board: only the two cards that change are drawn, not the hundreds beside them. */
import { useSyncExternalStore } from "react";
import { useBoardContext } from "./order-actions.ts";

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
