/** Which table a party gets: the smallest that fits and is free, single tables before tables pushed together. */
import type { BookingRules } from "@comanda/contract/venue-file.ts";

export type TableRow = { id: number; branch_id: number; seats: number; is_active: boolean };
export type Combination = { table_ids: number[]; seats: number };
/** A table held by a booking from one moment to another. */
export type Held = { tableId: number; fromMs: number; toMs: number };

export type FloorPlan = { tables: TableRow[]; combinations: Combination[] };

const MINUTE_MS = 60_000;

/** How long a party of this size stays. */
export const turnMinutes = ({ turn_times }: BookingRules, partySize: number): number =>
  (turn_times.find(({ party_size_max }) => party_size_max === null || partySize <= party_size_max) ?? turn_times.at(-1))?.minutes ?? 90;

export const stayOf = (rules: BookingRules, partySize: number, startsAt: Date): { startsAt: Date; endsAt: Date } => ({
  startsAt,
  endsAt: new Date(startsAt.getTime() + turnMinutes(rules, partySize) * MINUTE_MS),
});

type Stay = { startsAt: Date; endsAt: Date };

export const isFree = (wantedId: number, { startsAt, endsAt }: Stay, held: readonly Held[]): boolean =>
  !held.some(({ tableId, fromMs, toMs }) => tableId === wantedId && fromMs < endsAt.getTime() && startsAt.getTime() < toMs);

/**
 * The tables for a party at one time, or null when none is free. Ties go to the owner's order. What is the same for every time of a
 * day is looked at once: a day has dozens of times, a house dozens of tables and hundreds of bookings.
 */
export const chooserOf = (plan: FloorPlan, partySize: number, held: readonly Held[]): ((stay: Stay) => number[] | null) => {
  const bySeats = <T extends { seats: number }>(rows: readonly T[]): T[] =>
    rows.filter(({ seats }) => seats >= partySize).sort((a, b) => a.seats - b.seats);
  const known = new Set(plan.tables.map(({ id }) => id));
  const singles = bySeats(plan.tables);
  const combinations = bySeats(plan.combinations.filter(({ table_ids }) => table_ids.every((id) => known.has(id))));
  const heldOf = Map.groupBy(held, ({ tableId }) => tableId);
  return ({ startsAt, endsAt }) => {
    const [arrival, departure] = [startsAt.getTime(), endsAt.getTime()];
    const isOpen = (id: number): boolean => !heldOf.get(id)?.some(({ fromMs, toMs }) => fromMs < departure && arrival < toMs);
    const single = singles.find(({ id }) => isOpen(id));
    if (single) return [single.id];
    return combinations.find(({ table_ids }) => table_ids.every(isOpen))?.table_ids ?? null;
  };
};

export const chooseTables = (plan: FloorPlan, partySize: number, stay: Stay, held: readonly Held[]): number[] | null =>
  chooserOf(plan, partySize, held)(stay);
