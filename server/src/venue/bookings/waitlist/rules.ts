/** How long a party waits. Parties stay as long as parties of their size really stayed lately, and those who wait already come first. */
import type { FieldRefusals } from "#lib/errors.ts";
import { type BookingContext, branchOf, floorPlanOf, refuseBranch } from "#venue/bookings/reservations/rules/booking.ts";
import { bookingErrors } from "#venue/bookings/reservations/rules/refusals.ts";
import { createTableChooser, stayOf, type TableOccupancy, turnMinutes } from "#venue/bookings/reservations/rules/tables.ts";

export type TurnTimes = readonly { party_size: number; minutes: number }[];
export type PresentParties = readonly { table_id: number; party_size: number; seated_at: Date }[];
export type WaitQuestion = {
  partySize: number;
  branchId: number | null;
  ahead: readonly number[];
  turns: TurnTimes;
  present: PresentParties;
};

const MINUTE_MS = 60_000;
const STEP_MINUTES = 5;
const WAIT_MINUTES_MAX = 240;
/** Fewer stays say nothing about a size. */
const STAYS_MIN = 5;
const STAY_MINUTES_MIN = 15;
const STAY_MINUTES_MAX = 360;

const medianOf = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;

/** The median of stays of this size and the next ones, or the owner's turn time where there are too few. */
export const typicalMinutes = ({ rules }: Pick<BookingContext, "rules">, turns: TurnTimes, partySize: number): number => {
  const stays = turns
    .filter(
      ({ party_size, minutes }) => Math.abs(party_size - partySize) <= 1 && minutes >= STAY_MINUTES_MIN && minutes <= STAY_MINUTES_MAX,
    )
    .map(({ minutes }) => minutes)
    .sort((a, b) => a - b);
  return stays.length < STAYS_MIN ? turnMinutes(rules, partySize) : medianOf(stays);
};

/** A party that is here leaves after a typical stay, five minutes from now at the earliest. Other holds are bookings and blocks. */
const expectedHolds = (context: BookingContext, { turns, present }: WaitQuestion): TableOccupancy[] => {
  const leaves = new Map(
    present.map(({ table_id, party_size, seated_at }) => [
      table_id,
      Math.max(
        context.now.getTime() + STEP_MINUTES * MINUTE_MS,
        seated_at.getTime() + typicalMinutes(context, turns, party_size) * MINUTE_MS,
      ),
    ]),
  );
  const isHere = ({ tableId, fromMs, toMs }: TableOccupancy): boolean =>
    leaves.has(tableId) && fromMs <= context.now.getTime() && context.now.getTime() < toMs;
  const others = context.occupancies.filter((held) => !isHere(held));
  return [...others, ...[...leaves].map(([tableId, toMs]) => ({ tableId, fromMs: context.now.getTime(), toMs }))];
};

/** Guests who ordered without a booking. How many they are is not known, so the table counts as full. */
export const partiesOfOrders = (
  { tables }: Pick<BookingContext, "tables">,
  orders: readonly { table_id: number; since: Date }[],
  present: PresentParties,
): PresentParties => {
  const known = new Set(present.map(({ table_id }) => table_id));
  const seatsOf = new Map(tables.map(({ id, seats }) => [id, seats]));
  return orders
    .filter(({ table_id }) => seatsOf.has(table_id) && !known.has(table_id))
    .map(({ table_id, since }) => ({ table_id, party_size: seatsOf.get(table_id) ?? 1, seated_at: since }));
};

export const namedBranchErrors = (context: BookingContext, branchId: number | null): FieldRefusals =>
  bookingErrors(refuseBranch(branchId, context));

/** The branch that is meant: the default one where none is named. */
export const branchIdOf = (context: BookingContext, branchId: number | null): number => branchOf(context, branchId)?.id ?? 0;

/** More parties than this ahead make no difference to the quoted time. */
const AHEAD_MAX = 50;

export const quoteMinutes = (question: WaitQuestion, context: BookingContext): number => {
  const floor = floorPlanOf(context, branchOf(context, question.branchId));
  if (floor.tables.length === 0) return 0;
  let held = expectedHolds(context, question);
  let minutes = 0;
  for (const partySize of [...question.ahead.slice(0, AHEAD_MAX), question.partySize]) {
    const found = firstFree(floor, partySize, { held, context, turns: question.turns });
    minutes = found?.minutes ?? WAIT_MINUTES_MAX;
    if (found) held = [...held, ...found.holds];
  }
  return minutes;
};

type Search = { held: readonly TableOccupancy[]; context: BookingContext; turns: TurnTimes };

const firstFree = (floor: ReturnType<typeof floorPlanOf>, partySize: number, { held, context, turns }: Search) => {
  const choose = createTableChooser(floor, partySize, held);
  const stayMinutes = typicalMinutes(context, turns, partySize);
  for (let minutes = 0; minutes <= WAIT_MINUTES_MAX; minutes += STEP_MINUTES) {
    const startsAt = new Date(context.now.getTime() + minutes * MINUTE_MS);
    const stay = stayOf(context.rules, partySize, startsAt, stayMinutes);
    const tables = choose(stay);
    if (tables !== null)
      return { minutes, holds: tables.map((tableId) => ({ tableId, fromMs: startsAt.getTime(), toMs: stay.endsAt.getTime() })) };
  }
  return null;
};
