/** What is at each table at one moment. */
import type { DayBooking, FloorTable, TableBlock } from "@comanda/contract/console/bookings.ts";
import { beginOf, holdsTable, phaseOf } from "./phases.ts";
import type { OrdersOfTable } from "./table-orders.ts";

export type TableState =
  | { kind: "seated"; booking: DayBooking }
  /** `ordered`: guests without a booking are there. */
  | { kind: "due"; booking: DayBooking; ordered: OrdersOfTable | null }
  | { kind: "ordered"; ordered: OrdersOfTable }
  | { kind: "blocked"; block: TableBlock }
  /** `until`: when the table is held or blocked next. */
  | { kind: "free"; until: string | null };

const timeOf = (at: string): number => new Date(at).getTime();

/** A party at its table stays there until it leaves, also past the end of its time. */
const isAt = (booking: DayBooking, at: number, now: number): boolean => {
  const end = phaseOf(booking) === "seated" ? Math.max(timeOf(booking.ends_at), now + 1) : timeOf(booking.ends_at);
  return beginOf(booking) <= at && at < end;
};

/** What is known of one table. */
type TableFacts = { bookings: readonly DayBooking[]; blocks: readonly TableBlock[]; ordered: OrdersOfTable | null };

const stateOf = ({ bookings, blocks, ordered }: TableFacts, at: number, now: number): TableState => {
  const here = bookings.filter((booking) => isAt(booking, at, now));
  const seated = here.find((booking) => phaseOf(booking) === "seated");
  if (seated) return { kind: "seated", booking: seated };
  const block = blocks.find(({ starts_at, ends_at }) => timeOf(starts_at) <= at && at < timeOf(ends_at));
  if (block) return { kind: "blocked", block };
  const [due] = here;
  if (due) return { kind: "due", booking: due, ordered };
  if (ordered) return { kind: "ordered", ordered };
  const later = [...bookings.filter((booking) => beginOf(booking) > at), ...blocks.filter(({ starts_at }) => timeOf(starts_at) > at)];
  const [next] = later.map(({ starts_at }) => starts_at).toSorted((a, b) => a.localeCompare(b));
  return { kind: "free", until: next ?? null };
};

export type FloorFacts = {
  tables: readonly FloorTable[];
  bookings: readonly DayBooking[];
  blocks: readonly TableBlock[];
  orders: ReadonlyMap<number, OrdersOfTable>;
  at: number;
  now: number;
};

/** How long guests who have ordered will stay is not known. */
const ORDERED_MS = 15 * 60_000;

const orderedAt = (ordered: OrdersOfTable | undefined, at: number, now: number): OrdersOfTable | null =>
  ordered && timeOf(ordered.since) <= at && at < now + ORDERED_MS ? ordered : null;

export const floorStateOf = ({ tables, bookings, blocks, orders, at, now }: FloorFacts): Map<number, TableState> => {
  const held = bookings.filter(holdsTable).toSorted((a, b) => a.starts_at.localeCompare(b.starts_at));
  const readTable = (id: number): TableState =>
    stateOf(
      {
        bookings: held.filter(({ table_ids }) => table_ids.includes(id)),
        blocks: blocks.filter(({ table_ids }) => table_ids.includes(id)),
        ordered: orderedAt(orders.get(id), at, now),
      },
      at,
      now,
    );
  return new Map(tables.map(({ id }) => [id, readTable(id)]));
};
