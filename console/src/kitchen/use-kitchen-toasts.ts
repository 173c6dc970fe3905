/** Short messages to the cooks. They go by themselves. */
import { useCallback, useState } from "react";

export type KitchenToast = { id: number; text: string };

const SHOWN_MS = 12_000;
const TOASTS_MAX = 3;

let made = 0;

export const useKitchenToasts = () => {
  const [toasts, setToasts] = useState<readonly KitchenToast[]>([]);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const add = useCallback(
    (text: string) => {
      made += 1;
      const toast = { id: made, text };
      setToasts((all) => [...all.slice(-(TOASTS_MAX - 1)), toast]);
      setTimeout(() => remove(toast.id), SHOWN_MS);
    },
    [remove],
  );
  return { toasts, add, remove };
};
