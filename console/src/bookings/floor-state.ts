/** What is at each table at one moment. */
import type { DayBooking, FloorTable, TableBlock } from "@comanda/contract/console/bookings.ts";
import { beginOf, holdsTable, phaseOf } from "./phases.ts";

export type TableState =
  | { kind: "seated" | "due"; booking: DayBooking }
  | { kind: "blocked"; block: TableBlock }
  /** `until`: when the table is held or blocked next. */
  | { kind: "free"; until: string | null };

const timeOf = (at: string): number => new Date(at).getTime();

/** A party at its table stays there until it leaves, also past the end of its time. */
const isAt = (booking: DayBooking, at: number, now: number): boolean => {
  const end = phaseOf(booking) === "seated" ? Math.max(timeOf(booking.ends_at), now + 1) : timeOf(booking.ends_at);
  return beginOf(booking) <= at && at < end;
};

const stateOf = (bookings: readonly DayBooking[], blocks: readonly TableBlock[], at: number, now: number): TableState => {
  const here = bookings.filter((booking) => isAt(booking, at, now));
  const seated = here.find((booking) => phaseOf(booking) === "seated");
  if (seated) return { kind: "seated", booking: seated };
  const block = blocks.find(({ starts_at, ends_at }) => timeOf(starts_at) <= at && at < timeOf(ends_at));
  if (block) return { kind: "blocked", block };
  const [due] = here;
  if (due) return { kind: "due", booking: due };
  const later = [...bookings.filter((booking) => beginOf(booking) > at), ...blocks.filter(({ starts_at }) => timeOf(starts_at) > at)];
  const [next] = later.map(({ starts_at }) => starts_at).toSorted((a, b) => a.localeCompare(b));
  return { kind: "free", until: next ?? null };
};

export type FloorFacts = {
  tables: readonly FloorTable[];
  bookings: readonly DayBooking[];
  blocks: readonly TableBlock[];
  at: number;
  now: number;
};

export const floorStateOf = ({ tables, bookings, blocks, at, now }: FloorFacts): Map<number, TableState> => {
  const held = bookings.filter(holdsTable).toSorted((a, b) => a.starts_at.localeCompare(b.starts_at));
  const readTable = (id: number): TableState =>
    stateOf(
      held.filter(({ table_ids }) => table_ids.includes(id)),
      blocks.filter(({ table_ids }) => table_ids.includes(id)),
      at,
      now,
    );
  return new Map(tables.map(({ id }) => [id, readTable(id)]));
};
