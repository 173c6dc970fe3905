/** Tables over time: what is booked where, how many guests there are, where the evening stands, and moves of bookings. */
import type { DayBooking, FloorTable } from "@comanda/contract/console/bookings.ts";
import { memo, type RefObject, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useClock } from "#kit/clock.ts";
import { formatClock } from "#kit/venue-time.ts";
import { useBookingContext } from "./booking-context.ts";
import type { DayState } from "./day-state.ts";
import { canChange, holdsTable, phaseOf } from "./phases.ts";
import { lengthenedBy, type MoveFacts, movedBy, moveFactsOf, placeOfBar } from "./timeline-moves.ts";
import { hoursOf, loadOf, type TimelineSpan, timelineSpan } from "./timeline-place.ts";
import { TimelineRow } from "./timeline-row.tsx";
import { TimelineStatus } from "./timeline-status.tsx";
import { useTimelineDrag } from "./use-timeline-drag.ts";
import { useTimelineKeys } from "./use-timeline-keys.ts";
import { type TimelineMove, type TimelineMoves, useTimelineMove } from "./use-timeline-move.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PX_OF_HOUR = 96;
const LOAD_PX_MAX = 34;

type TimelineProps = { day: DayState; bookings: readonly DayBooking[]; tables: readonly FloorTable[] };

/** Pointer and keys begin a move here, and each of their steps proposes a place. */
const useMoves = ({ day, bookings, tables }: TimelineProps, span: TimelineSpan, now: number) => {
  const section = useRef<HTMLElement>(null);
  const readFacts = (): MoveFacts => moveFactsOf({ ...day, tables: [...tables] }, now);
  const moves: TimelineMoves = useTimelineMove(readFacts);
  const begin = (bookingId: string, tableId: number): boolean => {
    const booking = bookings.find(({ reservation }) => reservation.id === bookingId);
    return booking !== undefined && canChange(phaseOf(booking)) && moves.begin(booking, placeOfBar(booking, tableId));
  };
  const drag = useTimelineDrag({
    section,
    span,
    onBegin: ({ bookingId, tableId }) => begin(bookingId, tableId),
    onStep: ({ part, byMs, rowId }) =>
      moves.propose(({ booking, start, wanted }) =>
        part === "end" ? lengthenedBy(start, byMs) : movedBy(booking, start, rowId || wanted.tableId, byMs),
      ),
    onDrop: () => void moves.commit(),
    onCancel: moves.cancel,
  });
  const keys = useTimelineKeys({ moves, tables, onBegin: begin });
  return { section, moves, handlers: { ...drag, ...keys } };
};

const NO_BOOKINGS: readonly DayBooking[] = [];
const NO_BLOCKS: DayState["blocks"] = [];

/** Keeps the arrays until the bookings change, so that a step of a move renders only the rows that it concerns. */
const useRows = ({ blocks, tables }: DayState, bookings: readonly DayBooking[]) =>
  useMemo(() => {
    const known = new Set(tables.map(({ id }) => id));
    const held = bookings.filter(holdsTable);
    const ofTable = Map.groupBy(
      held.flatMap((booking) => booking.table_ids.map((tableId) => ({ tableId, booking }))),
      ({ tableId }) => tableId,
    );
    const blocksOf = Map.groupBy(
      blocks.flatMap((block) => block.table_ids.map((tableId) => ({ tableId, block }))),
      ({ tableId }) => tableId,
    );
    return {
      held,
      // A table that was removed since has no row.
      unassigned: held.filter(({ table_ids }) => !table_ids.some((id) => known.has(id))),
      bookingsOf: new Map([...ofTable].map(([id, rows]) => [id, rows.map(({ booking }) => booking)])),
      blocksOf: new Map([...blocksOf].map(([id, rows]) => [id, rows.map(({ block }) => block)])),
    };
  }, [bookings, blocks, tables]);

/** Only the row where the booking would lie has it, and the object is the same until the place changes. */
const useGhost = (move: TimelineMove | null) =>
  useMemo(() => (move ? { place: move.wanted, isAllowed: move.problem === null } : null), [move]);

/** The evening, not the morning: what is an hour ago stands at the beginning. */
const useScrollToNow = (section: RefObject<HTMLElement | null>, { from, to, now }: TimelineSpan & { now: number }): void => {
  const show = useEffectEvent(() => {
    const [element, share] = [section.current, (now - HOUR_MS - from) / (to - from)];
    if (!element || share <= 0 || share >= 1) return;
    const isMirrored = getComputedStyle(element).direction === "rtl";
    element.scrollLeft = share * element.scrollWidth * (isMirrored ? -1 : 1);
  });
  useEffect(() => show(), []);
};

export const DayTimeline = ({ day, bookings, tables }: TimelineProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { zone, clockAheadMs, orders } = useBookingContext();
  const now = useClock(MINUTE_MS) + clockAheadMs;
  const { from, to } = timelineSpan({ ...day, bookings: [...bookings] }, now);
  const span = useMemo(() => ({ from, to }), [from, to]);
  const { held, unassigned, bookingsOf, blocksOf } = useRows(day, bookings);
  const { section, moves, handlers } = useMoves({ day, bookings, tables }, span, now);
  useScrollToNow(section, { from, to, now });
  const { move } = moves;
  const ghost = useGhost(move);
  const nowPlace = now >= from && now < to ? ((now - from) / (to - from)) * 100 : null;
  return (
    <>
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it. */}
      {/* biome-ignore-start lint/a11y/noNoninteractiveElementInteractions: the bars inside are buttons; their events are read here once. */}
      <section
        ref={section}
        className="timeline"
        aria-label={t("views.timeline")}
        tabIndex={0}
        data-moving={move ? move.booking.reservation.id : undefined}
        {...handlers}
      >
        <div className="timeline-grid" style={{ minInlineSize: `${hoursOf(span).length * PX_OF_HOUR + 112}px` }}>
          <span className="timeline-name" />
          <div className="timeline-hours" aria-hidden="true">
            {hoursOf(span).map((at) => (
              <span key={at} className="figures">
                {formatClock(at, zone)}
              </span>
            ))}
          </div>
          <span className="timeline-name">{t("guestCount")}</span>
          <LoadRow span={span} bookings={held} />
          {unassigned.length > 0 && (
            <TimelineRow
              tableId={0}
              name={t("noTable")}
              span={span}
              bookings={unassigned}
              blocks={NO_BLOCKS}
              nowPlace={nowPlace}
              isRefused={move !== null}
              ghost={null}
            />
          )}
          {tables.map(({ id, name, seats }) => (
            <TimelineRow
              key={id}
              tableId={id}
              name={name}
              seats={seats}
              span={span}
              bookings={bookingsOf.get(id) ?? NO_BOOKINGS}
              blocks={blocksOf.get(id) ?? NO_BLOCKS}
              ordered={orders.get(id)}
              nowPlace={nowPlace}
              isRefused={move?.refused.has(id) ?? false}
              ghost={move?.wanted.tableId === id ? ghost : null}
            />
          ))}
        </div>
      </section>
      {/* biome-ignore-end lint/a11y/noNoninteractiveElementInteractions: see above */}
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: see above */}
      <TimelineStatus move={move} last={moves.last} tables={tables} />
    </>
  );
};

const LoadRow = memo(({ span, bookings }: { span: TimelineSpan; bookings: readonly DayBooking[] }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { zone } = useBookingContext();
  const load = loadOf(span, bookings);
  const most = Math.max(1, ...load.map(({ guests }) => guests));
  const peak = load.find(({ guests }) => guests === most);
  const label = peak ? t("loadPeak", { guests: most, time: formatClock(peak.at, zone) }) : t("loadNone");
  return (
    <div className="timeline-load" role="img" aria-label={label}>
      {load.map(({ at, guests }) => (
        <span key={at} title={t("loadAt", { time: formatClock(at, zone), count: guests })}>
          <span className="figures">{guests > 0 ? guests : ""}</span>
          <i style={{ blockSize: `${(guests / most) * LOAD_PX_MAX}px` }} />
        </span>
      ))}
    </div>
  );
});
