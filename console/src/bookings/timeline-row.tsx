/** One table on the timeline: its bookings and blocks, and where a booking that is being moved would lie. */
import type { DayBooking, TableBlock } from "@comanda/contract/console/bookings.ts";
import { VisuallyHidden } from "@mantine/core";
import { type CSSProperties, memo } from "react";
import { useTranslation } from "react-i18next";
import { formatClock } from "#kit/venue-time.ts";
import { useBookingContext } from "./booking-context.ts";
import { beginOf, canChange, phaseOf } from "./phases.ts";
import type { OrdersOfTable } from "./table-orders.ts";
import type { BarPlace } from "./timeline-moves.ts";
import { placeOf, type TimelinePlace, type TimelineSpan } from "./timeline-place.ts";

const styleOf = ({ start, length }: TimelinePlace): CSSProperties => ({ insetInlineStart: `${start}%`, inlineSize: `${length}%` });

/** A booking that would lie in this row. */
export type RowGhost = { place: BarPlace; isAllowed: boolean };

type TimelineRowProps = {
  /** 0 for bookings without a table. */
  tableId: number;
  name: string;
  seats?: number;
  span: TimelineSpan;
  bookings: readonly DayBooking[];
  blocks: readonly TableBlock[];
  /** Guests without a booking. They are there at least until now. */
  ordered?: OrdersOfTable | undefined;
  nowPlace: number | null;
  isRefused: boolean;
  ghost: RowGhost | null;
};

export const TimelineRow = memo(
  ({ tableId, name, seats, span, bookings, blocks, ordered, nowPlace, isRefused, ghost }: TimelineRowProps) => {
    const { t } = useTranslation("translation", { keyPrefix: "bookings" });
    return (
      <>
        <span className="timeline-name" data-refused={isRefused || undefined}>
          <bdi>{name}</bdi>
          {seats !== undefined && <span className="timeline-seats figures">{t("seats", { count: seats })}</span>}
        </span>
        <ul className="timeline-table" aria-label={t("ofTable", { table: name })} data-row={tableId} data-refused={isRefused || undefined}>
          {nowPlace !== null && <li className="timeline-now" aria-hidden="true" style={{ insetInlineStart: `${nowPlace}%` }} />}
          {blocks.map((block) => (
            <BlockBar key={block.id} block={block} span={span} />
          ))}
          {ordered && <OrderBar ordered={ordered} span={span} />}
          {bookings.map((booking) => (
            <BookingBar key={booking.reservation.id} booking={booking} tableId={tableId} span={span} />
          ))}
          {ghost && <Ghost ghost={ghost} span={span} />}
        </ul>
      </>
    );
  },
);

const Ghost = ({ ghost: { place, isAllowed }, span }: { ghost: RowGhost; span: TimelineSpan }) => {
  const { zone } = useBookingContext();
  const shown = placeOf(span, place.from, place.to);
  if (shown === null) return null;
  return (
    <li className="timeline-ghost figures" aria-hidden="true" data-allowed={isAllowed} style={styleOf(shown)}>
      {formatClock(place.from, zone)}–{formatClock(place.to, zone)}
    </li>
  );
};

const BookingBar = memo(({ booking, tableId, span }: { booking: DayBooking; tableId: number; span: TimelineSpan }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { open, zone } = useBookingContext();
  const place = placeOf(span, beginOf(booking), booking.ends_at);
  if (place === null) return null;
  const { reservation } = booking;
  const phase = phaseOf(booking);
  const label = t("barLabel", {
    name: reservation.name,
    count: reservation.party_size,
    from: formatClock(booking.starts_at, zone),
    to: formatClock(booking.ends_at, zone),
    state: t(`phases.${phase}`),
  });
  return (
    <li className="timeline-place" style={styleOf(place)}>
      <button
        type="button"
        className="timeline-bar"
        data-phase={phase}
        data-booking={reservation.id}
        data-table={tableId}
        onClick={() => open(booking)}
      >
        <VisuallyHidden>{label}</VisuallyHidden>
        <span aria-hidden="true">
          <b className="figures">{reservation.party_size}</b> <bdi>{reservation.name}</bdi>
        </span>
        {canChange(phase) && <span className="timeline-grip" data-grip aria-hidden="true" />}
      </button>
    </li>
  );
});

const BlockBar = ({ block, span }: { block: TableBlock; span: TimelineSpan }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { openBlock } = useBookingContext();
  const place = placeOf(span, block.starts_at, block.ends_at);
  if (place === null) return null;
  return (
    <li className="timeline-place" style={styleOf(place)}>
      <button type="button" className="timeline-block" onClick={() => openBlock(block)}>
        {t("blocked", { reason: block.reason })}
      </button>
    </li>
  );
};

const ORDER_MS_MIN = 30 * 60_000;

const OrderBar = ({ ordered: { numbers, since }, span }: { ordered: OrdersOfTable; span: TimelineSpan }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { zone, clockAheadMs } = useBookingContext();
  const place = placeOf(span, since, Math.max(Date.now() + clockAheadMs, new Date(since).getTime() + ORDER_MS_MIN));
  if (place === null) return null;
  const label = t("ordered.since", { numbers, time: formatClock(since, zone) });
  return (
    <li className="timeline-place" style={styleOf(place)}>
      <span className="timeline-order" title={label}>
        <VisuallyHidden>{`${t("ordered.state")}, ${label}`}</VisuallyHidden>
        <b className="figures" aria-hidden="true">
          {numbers}
        </b>
      </span>
    </li>
  );
};
