/** Ends of pauses and busy times, as the server decides them. */
import type { OrderTypeState, TypeLoad } from "@comanda/contract/console/order-types.ts";
import { useTranslation } from "react-i18next";
import { formatClock } from "#kit/venue-time.ts";
import { useBoardContext } from "../order-actions.ts";

/** What a type is now, in words. */
export const useLoadText = () => {
  const { t } = useTranslation();
  const { zone } = useBoardContext();
  return ({ paused_until, busy_until, extra_minutes }: TypeLoad): string => {
    const parts = [
      ...(paused_until === null ? [] : [t("pause.states.paused", { time: formatClock(paused_until, zone) })]),
      ...(busy_until === null ? [] : [t("pause.states.busy", { minutes: extra_minutes, time: formatClock(busy_until, zone) })]),
    ];
    return parts.length === 0 ? t("pause.states.open") : parts.join(" · ");
  };
};

const MINUTE_MS = 60_000;

/** The next whole minute after this many. */
export const endIn = (now: number, minutes: number): number => Math.ceil((now + minutes * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;

const isAfter = (end: string | null, now: number): boolean => end !== null && Date.parse(end) > now;

/** Leaves out what has ended: no answer says to the page that an end has passed. */
export const runningAt = (state: OrderTypeState, now: number): OrderTypeState => ({
  type: state.type,
  paused_until: isAfter(state.paused_until, now) ? state.paused_until : null,
  ...(isAfter(state.busy_until, now)
    ? { busy_until: state.busy_until, extra_minutes: state.extra_minutes }
    : { busy_until: null, extra_minutes: null }),
});
