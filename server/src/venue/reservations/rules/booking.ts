/** The whole decision on a booking, and on what a day has to offer (open points D114–D123). */
import type { Availability, NewReservation } from "@comanda/contract/reservations.ts";
import type { BookingRules, Hours } from "@comanda/contract/venue-file.ts";
import type { Faults } from "#lib/errors.ts";
import { addDays, type CalendarDate, formatDate, instantAt, parseDate } from "#lib/instant.ts";
import { wallClock } from "#lib/zone.ts";
import { isWithinHours, minuteOf } from "#venue/settings/rules.ts";
import { type Calendar, servedOf, showsTime, slotsOf } from "./slots.ts";
import { chooserOf, chooseTables, type FloorPlan, type Held, isFree, stayOf, type TableRow } from "./tables.ts";

export type Branch = { id: number; is_default: boolean; hours: Hours | null; closing_days: string[] };

export type House = {
  zone: string;
  now: Date;
  rules: BookingRules;
  branches: Branch[];
  /** Active tables of every branch, in the owner's order. */
  tables: TableRow[];
  combinations: FloorPlan["combinations"];
  held: Held[];
};

const MINUTE_MS = 60_000;
const HOUR_MAX = 23;

export type Booking = { branchId: number; startsAt: Date; endsAt: Date; tableIds: number[] };

export const decideBooking = (wanted: NewReservation, house: House): Booking | { faults: Faults } => {
  const { rules, zone } = house;
  const table = house.tables.find(({ id }) => id === wanted.table_id);
  const branch = branchOf(house, table);
  const date = parseDate(wanted.date);
  if (!date) return { faults: { date: ["Must be a valid date."] } };
  if (Number(wanted.time.slice(0, 2)) > HOUR_MAX) return { faults: { time: ["Is not a time of day."] } };
  const startsAt = instantAt(zone, date, minuteOf(wanted.time));
  const stay = stayOf(rules, wanted.party_size, startsAt);
  const faults: Faults = {
    ...partyFault(wanted.party_size, rules),
    ...dateFault(date, house, branch),
    ...tableFault(wanted, house, table, stay),
  };
  if (!faults.date) Object.assign(faults, timeFault(wanted.time, startsAt, house, branch));
  const tableIds = table ? [table.id] : chooseTables(floorOf(house, branch), wanted.party_size, stay, house.held);
  const isEngineOn = floorOf(house, branch).tables.length > 0;
  if (Object.keys(faults).length === 0 && isEngineOn && tableIds === null && !rules.allow_overbooking)
    faults.time = ["No table is free for this party at that time."];
  if (Object.keys(faults).length > 0) return { faults };
  return { branchId: branch?.id ?? 0, ...stay, tableIds: tableIds ?? [] };
};

const branchOf = ({ branches }: House, table: TableRow | undefined): Branch | undefined =>
  branches.find(({ id }) => id === table?.branch_id) ?? branches.find(({ is_default }) => is_default);

const floorOf = ({ tables, combinations }: House, branch: Branch | undefined): FloorPlan => ({
  tables: tables.filter(({ branch_id }) => branch_id === branch?.id),
  combinations,
});

const calendarOf = ({ zone, rules }: House, branch: Branch | undefined): Calendar => ({
  zone,
  hours: branch?.hours ?? null,
  servicePeriods: rules.service_periods,
  closingDays: branch?.closing_days ?? [],
});

const partyFault = (partySize: number, { party_size_max }: BookingRules): Faults =>
  partySize > party_size_max ? { party_size: [`At most ${party_size_max} guests can be booked.`] } : {};

/** Null when the day can be booked: not over, not closed, not too far ahead. */
const dayRefusal = (date: CalendarDate, { zone, now, rules }: House, branch: Branch | undefined): string | null => {
  const today: CalendarDate = wallClock(zone, now);
  const day = formatDate(date);
  if (day < formatDate(today)) return "Lies in the past.";
  if (day > formatDate(addDays(today, rules.horizon_days))) return "Is too far ahead.";
  return branch?.closing_days.includes(day) ? "The restaurant is closed on that day." : null;
};

const dateFault = (date: CalendarDate, house: House, branch: Branch | undefined): Faults => {
  const refusal = dayRefusal(date, house, branch);
  return refusal === null ? {} : { date: [refusal] };
};

/** Any minute inside the hours will do: staff may book 19:10 (open point D115). */
const timeFault = (time: string, startsAt: Date, house: House, branch: Branch | undefined): Faults => {
  const clock = wallClock(house.zone, startsAt);
  if (!showsTime(clock, time)) return { time: ["The clocks skip that time on that day."] };
  if (isTooSoon(startsAt, house)) return { time: ["Is too soon, or already over."] };
  return servedOf(calendarOf(house, branch))(clock) ? {} : { time: ["The restaurant is closed at that time."] };
};

const isTooSoon = (startsAt: Date, { now, rules }: House): boolean => startsAt.getTime() < now.getTime() + rules.lead_minutes * MINUTE_MS;

const tableFault = (
  { table_id, party_size }: NewReservation,
  { held }: House,
  table: TableRow | undefined,
  stay: { startsAt: Date; endsAt: Date },
): Faults => {
  if (table_id === null || table_id === undefined) return {};
  if (!table) return { table_id: ["There is no such table."] };
  if (table.seats < party_size) return { table_id: ["The table is too small for this party."] };
  return isFree(table.id, stay, held) ? {} : { table_id: ["The table is taken at that time."] };
};

export const offerDay = (date: CalendarDate, partySize: number, house: House): Availability => {
  const branch = branchOf(house, undefined);
  const { rules, zone } = house;
  const floor = floorOf(house, branch);
  const engine = floor.tables.length > 0;
  const { guarantee } = rules;
  const isOffered = dayRefusal(date, house, branch) === null;
  const tablesAt = chooserOf(floor, partySize, house.held);
  const slots = (isOffered ? slotsOf(calendarOf(house, branch), date, rules.slot_minutes) : []).map(({ time, startsAt }) => ({
    time,
    available:
      !isTooSoon(startsAt, house) &&
      partySize <= rules.party_size_max &&
      (!engine || rules.allow_overbooking || tablesAt(stayOf(rules, partySize, startsAt)) !== null),
    guarantee: guarantee !== null && partySize >= guarantee.party_size_min && isWithinHours(guarantee.hours, wallClock(zone, startsAt)),
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
