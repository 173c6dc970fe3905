import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { ClockIcon, WarningIcon } from "#kit/icons.tsx";
import { type Lateness, latenessOf } from "#kit/lateness.ts";
import { formatClock, formatDayAndClock } from "#kit/venue-time.ts";
import { isClosed, isHeld, serviceDayOf } from "./board-columns.ts";
import { useBoardContext } from "./order-actions.ts";

/** How late the order is on the server's clock; "none" when the kitchen has nothing to do with it. */
export const useLateness = (order: BoardOrder): Lateness["kind"] | "none" => {
  const { clockAheadMs } = useBoardContext();
  return useOfClock((at) => {
    const now = at + clockAheadMs;
    return isDone(order) || isHeld(order, now) ? "none" : latenessOf(order.promised_at, now).kind;
  });
};

const MINUTE_MS = 60_000;

/** The kitchen is done: the order is not late any more, it waits for its guest. */
const isDone = ({ order: { status } }: BoardOrder): boolean => status === "ready" || isClosed(status);

/** -1: it does not wait. */
const useWaitedMinutes = ({ order, ready_at }: BoardOrder): number => {
  const { clockAheadMs } = useBoardContext();
  const since = order.status === "ready" && ready_at !== null ? new Date(ready_at).getTime() : null;
  return useOfClock((at) => (since === null ? -1 : Math.max(0, Math.floor((at + clockAheadMs - since) / MINUTE_MS))));
};

export const PromiseTime = ({ order }: { order: BoardOrder }) => {
  const { t } = useTranslation();
  const { zone, clockAheadMs } = useBoardContext();
  const promisedAt = new Date(order.promised_at).getTime();
  // Rendered when the minutes to the promise change.
  const untilPromise = useOfClock((at) => Math.floor((promisedAt - at - clockAheadMs) / MINUTE_MS) * MINUTE_MS);
  const now = promisedAt - untilPromise;
  const isToday = serviceDayOf(promisedAt, zone) === serviceDayOf(now, zone);
  const { kind, minutes } = latenessOf(order.promised_at, now);
  const isCounted = isToday && !isDone(order);
  const waited = useWaitedMinutes(order);
  const isHeldNow = useOfClock((at) => isHeld(order, at + clockAheadMs));
  const held = isHeldNow && order.held_until !== null ? t("order.held", { time: formatClock(order.held_until, zone) }) : null;
  return (
    <span className="promise figures">
      {kind === "late" && isCounted ? <WarningIcon size={16} /> : <ClockIcon size={16} />}
      <time dateTime={order.promised_at}>{isToday ? formatClock(promisedAt, zone) : formatDayAndClock(promisedAt, zone)}</time>
      {isCounted && <span className="promise-left">{held ?? t(`order.${kind}`, { minutes })}</span>}
      {waited >= 0 && <span className="promise-left">{t("order.waiting", { minutes: waited })}</span>}
    </span>
  );
};
