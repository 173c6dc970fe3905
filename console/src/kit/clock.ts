/** One timer for all times of a page. */
import { useSyncExternalStore } from "react";

const TICK_MS = 1000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  now = Date.now();
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
};

/** What `read` makes of the current time: a component is rendered again only when that changes. */
export const useOfClock = <T extends string | number | boolean>(read: (now: number) => T): T =>
  useSyncExternalStore(subscribe, () => read(now));

/** The current time, rounded down to a step: a component that shows minutes is rendered once in a step. */
export const useClock = (stepMs = TICK_MS): number => useOfClock((at) => Math.floor(at / stepMs) * stepMs);
