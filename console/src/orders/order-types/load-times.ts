/** Ends of pauses and busy times, as the server decides them. */
import type { OrderTypeState } from "@comanda/contract/console/order-types.ts";

const MINUTE_MS = 60_000;

/** The next whole minute after this many. */
export const endIn = (now: number, minutes: number): number => Math.ceil((now + minutes * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;

const isAfter = (end: string | null, now: number): boolean => end !== null && Date.parse(end) > now;

/** Without what has ended: no answer tells the page that an end has passed. */
export const runningAt = (state: OrderTypeState, now: number): OrderTypeState => ({
  type: state.type,
  paused_until: isAfter(state.paused_until, now) ? state.paused_until : null,
  ...(isAfter(state.busy_until, now)
    ? { busy_until: state.busy_until, extra_minutes: state.extra_minutes }
    : { busy_until: null, extra_minutes: null }),
});
