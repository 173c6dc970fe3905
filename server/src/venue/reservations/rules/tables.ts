/** Which table a party gets: the smallest that fits and is free, single tables before tables pushed together. */
import type { BookingRules } from "@comanda/contract/venue-file.ts";

export type TableRow = { id: number; branch_id: number; seats: number; is_active: boolean };
export type Combination = { table_ids: number[]; seats: number };
/** A table held by a booking from one moment to another. */
export type Held = { table_id: number; starts_at: Date; ends_at: Date };

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

export const isFree = (tableId: number, { startsAt, endsAt }: Stay, held: readonly Held[]): boolean =>
  !held.some(({ table_id, starts_at, ends_at }) => table_id === tableId && starts_at < endsAt && startsAt < ends_at);

/** The tables for the party, or null when none is free. Ties go to the owner's order. */
export const chooseTables = (plan: FloorPlan, partySize: number, stay: Stay, held: readonly Held[]): number[] | null => {
  const bySeats = <T extends { seats: number }>(rows: readonly T[]): T[] =>
    rows.filter(({ seats }) => seats >= partySize).sort((a, b) => a.seats - b.seats);
  const single = bySeats(plan.tables).find(({ id }) => isFree(id, stay, held));
  if (single) return [single.id];
  const known = new Set(plan.tables.map(({ id }) => id));
  const usable = plan.combinations.filter(({ table_ids }) => table_ids.every((id) => known.has(id)));
  return bySeats(usable).find(({ table_ids }) => table_ids.every((id) => isFree(id, stay, held)))?.table_ids ?? null;
};
