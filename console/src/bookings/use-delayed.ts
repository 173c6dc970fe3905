/** A write that cannot be taken back waits five seconds, in which it can be undone. Opening another page of the console sends it at once. */
import { useEffect, useEffectEvent, useRef, useState } from "react";

const DELAY_MS = 5000;

export const useDelayed = (send: () => void) => {
  const [dueAt, setDueAt] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sendNow = useEffectEvent(() => {
    timer.current = undefined;
    setDueAt(null);
    send();
  });
  useEffect(() => {
    if (dueAt === null) return;
    timer.current = setTimeout(sendNow, dueAt - Date.now());
    return () => clearTimeout(timer.current);
  }, [dueAt]);
  const sendWhenLeft = useEffectEvent(() => {
    if (timer.current !== undefined) send();
  });
  useEffect(() => () => sendWhenLeft(), []);
  const undo = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setDueAt(null);
  };
  return { dueAt, begin: (): void => setDueAt(Date.now() + DELAY_MS), undo };
};
