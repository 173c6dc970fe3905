/** Where a booking may be moved on the timeline, and why not. The server decides again by the same facts when the move is made. */
import type { BookingDay, DayBooking, FloorTable } from "@comanda/contract/console/bookings.ts";
import { dateAndTimeAt, serviceDaySpan } from "#kit/dates.ts";
import { beginOf, holdsTable, phaseOf } from "./phases.ts";
import type { BookingChange } from "./use-booking-writes.ts";

const MINUTE_MS = 60_000;
export const STEP_MS = 15 * MINUTE_MS;
const LENGTH_MS_MAX = 720 * MINUTE_MS;
const MINUTES_MIN = 15;

/** Where a bar lies, or would lie: the table of its row, and its time. */
export type BarPlace = { tableId: number; from: number; to: number };
export type MoveProblem = "taken" | "blocked" | "small" | "past" | "closed" | "otherDay" | "otherBranch";

type Held = { bookingId: string | null; from: number; to: number };
export type MoveFacts = {
  tables: readonly FloorTable[];
  heldOf: ReadonlyMap<number, readonly Held[]>;
  spans: BookingDay["spans"];
  /** The day of service of the page, from 05:00 to 05:00 on the venue's clock. */
  day: { from: number; to: number };
  now: number;
};

const timeOf = (at: string): number => new Date(at).getTime();

/** Grouped by table once: a day has hundreds of bookings, and each step of a move asks for every table. */
export const moveFactsOf = (
  { date, zone, bookings, blocks, tables, spans }: Pick<BookingDay, "date" | "zone" | "bookings" | "blocks" | "tables" | "spans">,
  now: number,
): MoveFacts => {
  const held = [
    ...bookings
      .filter(holdsTable)
      .flatMap((booking) => booking.table_ids.map((tableId) => ({ tableId, bookingId: booking.reservation.id, ...stayOf(booking, now) }))),
    ...blocks.flatMap(({ table_ids, starts_at, ends_at }) =>
      table_ids.map((tableId) => ({ tableId, bookingId: null, from: timeOf(starts_at), to: timeOf(ends_at) })),
    ),
  ];
  return { tables, heldOf: Map.groupBy(held, ({ tableId }) => tableId), spans, day: serviceDaySpan(date, zone), now };
};

/** A party that sits past its end is expected to need another quarter of an hour. */
const stayOf = (booking: DayBooking, now: number): { from: number; to: number } => {
  const [from, to] = [beginOf(booking), timeOf(booking.ends_at)];
  return phaseOf(booking) === "seated" ? { from, to: Math.max(to, now + STEP_MS) } : { from, to };
};

export const placeOfBar = (booking: DayBooking, tableId: number): BarPlace => ({
  tableId,
  from: beginOf(booking),
  to: timeOf(booking.ends_at),
});

/** The table of the row is replaced. Tables that are joined to it stay. Without one, only the new table is held. */
export const tablesAfter = ({ table_ids }: DayBooking, fromTable: number, toTable: number): number[] =>
  table_ids.includes(fromTable) ? [...new Set(table_ids.map((id) => (id === fromTable ? toTable : id)))] : [toTable];

const isServed = ({ spans }: MoveFacts, branchId: number, at: number): boolean =>
  spans.some(({ branch_id, from, to }) => branch_id === branchId && timeOf(from) <= at && at < timeOf(to));

/** Tables that stay are never too small: they may be joined for more guests than they have seats apart. */
const tableProblem = (booking: DayBooking, start: BarPlace, wanted: BarPlace, tables: readonly FloorTable[]): MoveProblem | null => {
  if (wanted.tableId === start.tableId) return null;
  if (tables.some(({ branch_id }) => branch_id !== tables[0]?.branch_id)) return "otherBranch";
  return tables.reduce((sum, { seats }) => sum + seats, 0) < booking.reservation.party_size ? "small" : null;
};

const timeProblem = (booking: DayBooking, from: number, branchId: number, facts: MoveFacts): MoveProblem | null => {
  if (phaseOf(booking) === "seated" || from < facts.now) return "past";
  // The page of another day has other bookings: what is in the way there is not known here.
  if (from < facts.day.from || from >= facts.day.to) return "otherDay";
  return isServed(facts, branchId, from) ? null : "closed";
};

/** Null when the booking may lie there. */
export const problemOf = (booking: DayBooking, start: BarPlace, wanted: BarPlace, facts: MoveFacts): MoveProblem | null => {
  const ids = tablesAfter(booking, start.tableId, wanted.tableId);
  const tables = facts.tables.filter(({ id }) => ids.includes(id));
  const branchId = tables[0]?.branch_id ?? booking.branch_id;
  const problem =
    tableProblem(booking, start, wanted, tables) ??
    (wanted.from === start.from ? null : timeProblem(booking, wanted.from, branchId, facts));
  if (problem !== null) return problem;
  const from = phaseOf(booking) === "seated" ? facts.now : wanted.from;
  const inTheWay = ids
    .flatMap((id) => facts.heldOf.get(id) ?? [])
    .filter((held) => held.bookingId !== booking.reservation.id && held.from < wanted.to && from < held.to);
  if (inTheWay.length === 0) return null;
  return inTheWay.some(({ bookingId }) => bookingId === null) ? "blocked" : "taken";
};

/** Whole quarters of an hour. A bar that was not moved keeps its odd minute. */
const snap = (at: number, by: number): number => (Math.abs(by) < STEP_MS / 2 ? at : Math.round((at + by) / STEP_MS) * STEP_MS);

/** A party at its table keeps its begin. */
export const movedBy = (booking: DayBooking, { from, to }: BarPlace, tableId: number, by: number): BarPlace => {
  const begin = phaseOf(booking) === "seated" ? from : snap(from, by);
  return { tableId, from: begin, to: begin + (to - from) };
};

/** A quarter of an hour at least, twelve hours at most. */
export const lengthenedBy = ({ tableId, from, to }: BarPlace, by: number): BarPlace => ({
  tableId,
  from,
  to: Math.min(from + LENGTH_MS_MAX, Math.max(from + STEP_MS, snap(to, by))),
});

/** The table some rows further down, in the order of the page. Past the ends the bar stays. */
export const tableAfter = (tables: readonly FloorTable[], tableId: number, rows: 1 | -1): number => {
  const place = tables.findIndex(({ id }) => id === tableId);
  return tables[place < 0 ? 0 : place + rows]?.id ?? tableId;
};

export const isSamePlace = (a: BarPlace, b: BarPlace): boolean => a.tableId === b.tableId && a.from === b.from && a.to === b.to;

/** The server counts the stay of a party at its table from when it sat down. A part of a minute is not asked for: the table may be taken then. */
const minutesOf = (booking: DayBooking, from: number, to: number): number => {
  const begin = phaseOf(booking) === "seated" && booking.seated_at !== null ? timeOf(booking.seated_at) : from;
  return Math.max(MINUTES_MIN, Math.floor((to - begin) / MINUTE_MS));
};

/** Only what differs is written. */
export const changeOfMove = (booking: DayBooking, start: BarPlace, wanted: BarPlace, zone: string): BookingChange => ({
  ...(wanted.tableId === start.tableId ? {} : { table_ids: tablesAfter(booking, start.tableId, wanted.tableId) }),
  ...(wanted.from === start.from ? {} : dateAndTimeAt(wanted.from, zone)),
  ...(wanted.to - wanted.from === start.to - start.from ? {} : { minutes: minutesOf(booking, wanted.from, wanted.to) }),
});

/** Brings what was changed back to where it was. Null: it had no table, or its time is over, and neither can be asked for. */
export const changeBack = (before: DayBooking, change: BookingChange, now: number): BookingChange | null => {
  const { reservation, table_ids, starts_at, ends_at } = before;
  if (change.table_ids && table_ids.length === 0) return null;
  if (change.time !== undefined && timeOf(starts_at) < now) return null;
  return {
    ...(change.table_ids ? { table_ids: [...table_ids] } : {}),
    ...(change.time === undefined ? {} : { date: reservation.date, time: reservation.time }),
    ...(change.minutes === undefined ? {} : { minutes: minutesOf(before, timeOf(starts_at), timeOf(ends_at)) }),
  };
};
