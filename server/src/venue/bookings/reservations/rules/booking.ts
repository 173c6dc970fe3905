/** Decides on a reservation and on the availability of a day (open points D114–D123). */

import type { BookingGuarantee } from "@comanda/contract/console/bookings.ts";
import type { Availability } from "@comanda/contract/venue/reservations.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import { addDays, type CalendarDate, formatDate, instantAt, parseDate } from "#lib/instant.ts";
import { formatInstant, type WallClock, wallClock } from "#lib/time-zone.ts";
import { type BranchHours, isWithinHours, minuteOf } from "#venue/settings/rules/opening-hours.ts";
import { type BookingRefusals, refuseBooking } from "./refusals.ts";
import { type BookingCalendar, createServingCheck, isTimeShown, slotsOf } from "./slots.ts";
import {
  type BookableTable,
  chooseTables,
  createTableChooser,
  type FloorPlan,
  isFree,
  type Stay,
  stayOf,
  type TableOccupancy,
} from "./tables.ts";

export type BookingContext = {
  zone: string;
  now: Date;
  rules: BookingRules;
  branches: BranchHours[];
  /** Active tables of every branch, in the owner's order. */
  tables: BookableTable[];
  combinations: FloorPlan["combinations"];
  occupancies: TableOccupancy[];
};

const MINUTE_MS = 60_000;
const HOUR_MAX = 23;

export type Booking = { branchId: number; startsAt: Date; endsAt: Date; tableIds: number[] };

/** A booking that staff gave from one guest to another, and whose it is now. */
export type HandedBooking = { id: string; name: string; phone: string; guest_id: number | null };

/** The engine chooses when no tables are named. Several tables are joined. */
export type BookingWish = {
  party_size: number;
  date: string;
  time: string;
  table_ids: readonly number[];
  branch_id?: number | null;
  /** How long the party stays, where it is not the turn time of its size. */
  minutes?: number | null;
};

/** What the rules for guests refuse and staff may do: book without the lead time, for a larger party, or keep a time that has passed. */
export type Allowances = { isStaff?: boolean; isTimeKept?: boolean };

export const decideBooking = (
  wish: BookingWish,
  context: BookingContext,
  { isStaff = false, isTimeKept = false }: Allowances = {},
): Booking | { refusals: BookingRefusals } => {
  const { rules, zone } = context;
  const tables = context.tables.filter(({ id }) => wish.table_ids.includes(id));
  const branch = branchOf(context, tables[0]?.branch_id ?? wish.branch_id);
  const date = parseDate(wish.date);
  if (!date) return { refusals: refuseBooking("date", "not_a_date") };
  if (Number(wish.time.slice(0, 2)) > HOUR_MAX) return { refusals: refuseBooking("time", "not_a_time") };
  const startsAt = instantAt(zone, date, minuteOf(wish.time));
  const stay = stayOf(rules, wish.party_size, startsAt, wish.minutes ?? null);
  const needed = isTimeKept ? neededStay(stay, context.now) : stay;
  const refusals: BookingRefusals = {
    ...(isStaff ? {} : refuseParty(wish.party_size, rules)),
    ...(isTimeKept ? {} : refuseDate(date, context, branch)),
    ...refuseTables(wish, context, tables, needed),
    ...(tables.length > 0 ? {} : refuseBranch(wish.branch_id, context)),
  };
  if (!refusals.date && !isTimeKept)
    Object.assign(refusals, refuseTime(wish.time, startsAt, isStaff ? withoutLead(context) : context, branch));
  const floor = floorPlanOf(context, branch);
  const named = tables.length > 0 ? tables.map(({ id }) => id) : null;
  const tableIds = named ?? chooseTables(floor, wish.party_size, needed, context.occupancies);
  if (Object.keys(refusals).length === 0 && floor.tables.length > 0 && tableIds === null && !rules.allow_overbooking)
    Object.assign(refusals, refuseBooking("time", "no_free_table"));
  if (Object.keys(refusals).length > 0) return { refusals };
  return { branchId: branch?.id ?? 0, ...stay, tableIds: tableIds ?? [] };
};

/** `tries` are sets of tables, the best first. An empty one is left to the plan. */
export type BookingTries = { wish: BookingWish; tries: readonly (readonly number[])[] };

/** The first tables that can take the party. Another reason than the tables refuses all of them. */
export const decideFirst = (
  { wish, tries }: BookingTries,
  context: BookingContext,
  allowances: Allowances,
): ReturnType<typeof decideBooking> => {
  const [table_ids = [], ...others] = tries;
  const decided = decideBooking({ ...wish, table_ids }, context, allowances);
  const isTableLost = "refusals" in decided && decided.refusals.table_id !== undefined;
  return isTableLost && others.length > 0 ? decideFirst({ wish, tries: others }, context, allowances) : decided;
};

/** A party that is late needs its tables from now on: who was there before does not matter. */
export const neededStay = ({ startsAt, endsAt }: Stay, now: Date): Stay => ({
  startsAt: startsAt < now && now < endsAt ? now : startsAt,
  endsAt,
});

/** A guest at the phone may come in a minute; a time that has passed stays refused. */
const withoutLead = (context: BookingContext): BookingContext => ({ ...context, rules: { ...context.rules, lead_minutes: 0 } });

/** A branch that was removed while a page was open, or was never there: the party must not be given a table in another one. Named tables say it. */
export const refuseBranch = (branchId: number | null | undefined, { branches }: BookingContext): BookingRefusals =>
  branchId === null || branchId === undefined || branches.some(({ id }) => id === branchId)
    ? {}
    : refuseBooking("branch_id", "unknown_branch");

export const branchOf = ({ branches }: BookingContext, branchId: number | null | undefined): BranchHours | undefined =>
  branches.find(({ id }) => id === branchId) ?? branches.find(({ is_default }) => is_default);

export const floorPlanOf = ({ tables, combinations }: BookingContext, branch: BranchHours | undefined): FloorPlan => ({
  tables: tables.filter(({ branch_id }) => branch_id === branch?.id),
  combinations,
});

export const calendarOf = ({ zone, rules }: BookingContext, branch: BranchHours | undefined): BookingCalendar => ({
  zone,
  hours: branch?.hours ?? null,
  servicePeriods: rules.service_periods,
  closingDays: branch?.closing_days ?? [],
});

const refuseParty = (partySize: number, { party_size_max }: BookingRules): BookingRefusals =>
  partySize > party_size_max ? refuseBooking("party_size", "party_too_large", { party_size_max }) : {};

/** Null when the day can be booked: not over, not closed, not too far ahead. */
const dayRefusal = (
  date: CalendarDate,
  { zone, now, rules }: BookingContext,
  branch: BranchHours | undefined,
): "past" | "too_far_ahead" | "closing_day" | null => {
  const today: CalendarDate = wallClock(zone, now);
  const day = formatDate(date);
  if (day < formatDate(today)) return "past";
  if (day > formatDate(addDays(today, rules.horizon_days))) return "too_far_ahead";
  return branch?.closing_days.includes(day) ? "closing_day" : null;
};

const refuseDate = (date: CalendarDate, context: BookingContext, branch: BranchHours | undefined): BookingRefusals => {
  const reason = dayRefusal(date, context, branch);
  if (reason === "too_far_ahead") return refuseBooking("date", reason, { days_max: context.rules.horizon_days });
  return reason === null ? {} : refuseBooking("date", reason, { now: formatInstant(context.zone, context.now) });
};

/** Any minute inside the hours is allowed: staff may book 19:10 (open point D115). */
const refuseTime = (time: string, startsAt: Date, context: BookingContext, branch: BranchHours | undefined): BookingRefusals => {
  const clock = wallClock(context.zone, startsAt);
  if (!isTimeShown(clock, time)) return refuseBooking("time", "skipped_by_clocks");
  if (isTooSoon(startsAt, context))
    return refuseBooking("time", "too_soon", {
      lead_minutes: context.rules.lead_minutes,
      now: formatInstant(context.zone, context.now),
    });
  return createServingCheck(calendarOf(context, branch))(clock) ? {} : refuseBooking("time", "closed_then");
};

const isTooSoon = (startsAt: Date, { now, rules }: BookingContext): boolean =>
  startsAt.getTime() < now.getTime() + rules.lead_minutes * MINUTE_MS;

/** Tables that the owner joins may have more seats together than apart. */
const seatsOf = (tables: readonly BookableTable[], combinations: FloorPlan["combinations"]): number => {
  const joined = combinations.filter(
    ({ table_ids }) => table_ids.length === tables.length && tables.every(({ id }) => table_ids.includes(id)),
  );
  return Math.max(
    tables.reduce((sum, { seats }) => sum + seats, 0),
    ...joined.map(({ seats }) => seats),
  );
};

/** Checks tables that the caller named. The API names one. */
export const refuseTables = (
  { table_ids, party_size }: Pick<BookingWish, "table_ids" | "party_size">,
  { occupancies: held, combinations }: Pick<BookingContext, "occupancies" | "combinations">,
  tables: readonly BookableTable[],
  stay: { startsAt: Date; endsAt: Date },
): BookingRefusals => {
  if (table_ids.length === 0) return {};
  if (tables.length < table_ids.length) return refuseBooking("table_id", "unknown_table");
  if (tables.some(({ branch_id }) => branch_id !== tables[0]?.branch_id)) return refuseBooking("table_id", "tables_apart");
  if (seatsOf(tables, combinations) < party_size) return refuseBooking("table_id", "table_too_small");
  return tables.every(({ id }) => isFree(id, stay, held)) ? {} : refuseBooking("table_id", "table_taken");
};

export const decideAvailability = (date: CalendarDate, partySize: number, context: BookingContext): Availability => {
  const branch = branchOf(context, undefined);
  const { rules, zone } = context;
  const floor = floorPlanOf(context, branch);
  const engine = floor.tables.length > 0;
  const { guarantee } = rules;
  const isOffered = dayRefusal(date, context, branch) === null;
  const tablesAt = createTableChooser(floor, partySize, context.occupancies);
  const slots = (isOffered ? slotsOf(calendarOf(context, branch), date, rules.slot_minutes) : []).map(({ time, startsAt }) => ({
    time,
    available:
      !isTooSoon(startsAt, context) &&
      partySize <= rules.party_size_max &&
      (!engine || rules.allow_overbooking || tablesAt(stayOf(rules, partySize, startsAt)) !== null),
    guarantee: decideGuarantee(rules, partySize, wallClock(zone, startsAt)).asked !== null,
  }));
  const isGuaranteed = slots.some((slot) => slot.guarantee);
  return {
    date: formatDate(date),
    party_size: partySize,
    engine,
    slots,
    guarantee:
      guarantee && isGuaranteed ? { type: guarantee.type, amount_minor: guarantee.amount_minor, per_person: guarantee.per_person } : null,
    notify: rules.waiting_list,
  };
};

/** Whether a party is asked for a deposit or a card, and by which rule of the owner. */
export const decideGuarantee = ({ guarantee }: BookingRules, partySize: number, clock: WallClock): BookingGuarantee => {
  if (guarantee === null) return { reason: "none_set", asked: null, party_size_min: null, has_hours: false };
  const { type, amount_minor, per_person, party_size_min, hours } = guarantee;
  const rule = { party_size_min, has_hours: hours !== null };
  if (partySize < party_size_min) return { reason: "party_smaller", asked: null, ...rule };
  if (!isWithinHours(hours, clock)) return { reason: "other_hours", asked: null, ...rule };
  const total = per_person ? amount_minor * partySize : amount_minor;
  return { reason: "asked", asked: { type, total_minor: total, amount_minor, per_person }, ...rule };
};
