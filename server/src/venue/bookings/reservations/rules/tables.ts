/** Chooses the smallest free table that fits, single tables before combinations. */
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";

export type BookableTable = { id: number; branch_id: number; seats: number; is_active: boolean };
export type TableCombination = { table_ids: number[]; seats: number };
/** A reservation occupies a table from one instant to another. */
export type TableOccupancy = { tableId: number; fromMs: number; toMs: number };

export type FloorPlan = { tables: BookableTable[]; combinations: TableCombination[] };

const MINUTE_MS = 60_000;

/** How long a party of this size stays. */
export const turnMinutes = ({ turn_times }: BookingRules, partySize: number): number =>
  (turn_times.find(({ party_size_max }) => party_size_max === null || partySize <= party_size_max) ?? turn_times.at(-1))?.minutes ?? 90;

export type Stay = { startsAt: Date; endsAt: Date };

export const stayOf = (rules: BookingRules, partySize: number, startsAt: Date, minutes: number | null = null): Stay => ({
  startsAt,
  endsAt: new Date(startsAt.getTime() + (minutes ?? turnMinutes(rules, partySize)) * MINUTE_MS),
});

export const isFree = (wantedId: number, { startsAt, endsAt }: Stay, held: readonly TableOccupancy[]): boolean =>
  !held.some(({ tableId, fromMs, toMs }) => tableId === wantedId && fromMs < endsAt.getTime() && startsAt.getTime() < toMs);

/**
 * Chooses the tables for a party at one time; null when none is free. Ties follow the owner's order. Sorting and grouping happen once,
 * because a day has dozens of times, a venue dozens of tables and hundreds of reservations.
 */
export const createTableChooser = (
  plan: FloorPlan,
  partySize: number,
  held: readonly TableOccupancy[],
): ((stay: Stay) => number[] | null) => {
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

export const chooseTables = (plan: FloorPlan, partySize: number, stay: Stay, held: readonly TableOccupancy[]): number[] | null =>
  createTableChooser(plan, partySize, held)(stay);
