import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useTranslation } from "react-i18next";
import { useClock } from "../ui/clock.ts";
import { ClockIcon, WarningIcon } from "../ui/icons.tsx";
import { formatClock, formatDayAndClock } from "../ui/venue-time.ts";
import { isClosed, isHeld, serviceDayOf } from "./board-columns.ts";
import { type Lateness, latenessOf } from "./lateness.ts";
import { useBoardContext } from "./order-actions.ts";

const STEP_MS = 10_000;

/** The server's time, in steps: a card shows minutes. */
export const useBoardNow = (): number => {
  const { clockAheadMs } = useBoardContext();
  return useClock(STEP_MS) + clockAheadMs;
};

export const useLateness = (order: BoardOrder): Lateness["kind"] | "none" => {
  const now = useBoardNow();
  return isClosed(order.order.status) || isHeld(order, now) ? "none" : latenessOf(order.promised_at, now).kind;
};

export const PromiseTime = ({ order }: { order: BoardOrder }) => {
  const { t } = useTranslation();
  const { zone } = useBoardContext();
  const now = useBoardNow();
  const promisedAt = new Date(order.promised_at).getTime();
  const isToday = serviceDayOf(promisedAt, zone) === serviceDayOf(now, zone);
  const { kind, minutes } = latenessOf(order.promised_at, now);
  const isCounted = isToday && !isClosed(order.order.status);
  const held = isHeld(order, now) && order.held_until !== null ? t("order.held", { time: formatClock(order.held_until, zone) }) : null;
  return (
    <span className="promise figures">
      {kind === "late" && isCounted ? <WarningIcon size={16} /> : <ClockIcon size={16} />}
      <time dateTime={order.promised_at}>{isToday ? formatClock(promisedAt, zone) : formatDayAndClock(promisedAt, zone)}</time>
      {isCounted && <span className="promise-left">{held ?? t(`order.${kind}`, { minutes })}</span>}
    </span>
  );
};
