/** The slots a day offers are those that can be booked: random venues, every slot tried. */
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import { WEEKDAYS, type Weekday } from "@comanda/contract/venue-file/opening-hours.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, type CalendarDate, formatDate, instantAt } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { type BookingContext, type BookingWish, decideAvailability, decideBooking, refuseTables } from "./booking.ts";
import { chooseTables, isFree, stayOf, turnMinutes } from "./tables.ts";

const VENUE_DAYS = Number(process.env.TEST_VENUES ?? (process.env.TEST_STRESS ? 10_000 : 1000));
const ZONES = Intl.supportedValuesOf("timeZone");

const time = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

const spans = fc.array(
  fc.record({
    days: fc.uniqueArray(fc.constantFrom<Weekday>(...WEEKDAYS), { minLength: 1, maxLength: 7 }),
    from: fc.nat(95).map((quarter) => time(quarter * 15)),
    to: fc.nat(96).map((quarter) => time(quarter * 15)),
  }),
  { maxLength: 3 },
);

const rules: fc.Arbitrary<BookingRules> = fc.record({
  slot_minutes: fc.constantFrom(15, 30, 45, 60),
  turn_times: fc.constantFrom(
    [{ party_size_max: null, minutes: 90 }],
    [
      { party_size_max: 2, minutes: 60 },
      { party_size_max: null, minutes: 150 },
    ],
  ),
  service_periods: fc.oneof(fc.constant(null), spans),
  party_size_max: fc.constantFrom(4, 8, 20),
  lead_minutes: fc.constantFrom(0, 60, 1440),
  horizon_days: fc.constantFrom(0, 3, 365),
  allow_overbooking: fc.boolean(),
  waiting_list: fc.boolean(),
  guarantee: fc.constant(null),
});

const seats = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 5 });

const randomContext = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    now: fc.date({ min: new Date("2026-01-01T00:00:00Z"), max: new Date("2027-12-31T00:00:00Z"), noInvalidDate: true }),
    rules,
    hours: fc.oneof(fc.constant(null), spans),
    closedInDays: fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 2 }),
    seats,
    held: fc.array(
      fc.record({ table: fc.nat(4), inMinutes: fc.integer({ min: -600, max: 4000 }), minutes: fc.constantFrom(60, 90, 150) }),
      { maxLength: 12 },
    ),
  })
  .map(({ zone, now, rules: booking, hours, closedInDays, seats: tableSeats, held }): BookingContext => {
    const today: CalendarDate = wallClock(zone, now);
    const tables = tableSeats.map((count, index) => ({ id: index + 1, branch_id: 7, seats: count, is_active: true }));
    return {
      zone,
      now,
      rules: booking,
      branches: [{ id: 7, is_default: true, hours, closing_days: closedInDays.map((days) => formatDate(addDays(today, days))) }],
      tables,
      combinations: tables.length >= 2 ? [{ table_ids: [1, 2], seats: (tableSeats[0] ?? 0) + (tableSeats[1] ?? 0) }] : [],
      occupancies: held
        .filter(({ table }) => table < tables.length)
        .map(({ table, inMinutes, minutes }) => {
          const fromMs = now.getTime() + inMinutes * 60_000;
          return { tableId: table + 1, fromMs, toMs: fromMs + minutes * 60_000 };
        }),
    };
  });

const ask = (date: string, at: string, party_size: number): BookingWish => ({ party_size, date, time: at, table_ids: [] });

test(`R4.3-13 R4.3-17 every slot said to be available can be booked, and no other: ${VENUE_DAYS} random venue-days`, () => {
  let slots = 0;
  fc.assert(
    fc.property(randomContext, fc.integer({ min: 1, max: 10 }), fc.integer({ min: -1, max: 5 }), (context, partySize, inDays) => {
      const day = addDays(wallClock(context.zone, context.now), inDays);
      const offer = decideAvailability(day, partySize, context);
      expect(offer.slots.map((slot) => slot.time)).toEqual([...new Set(offer.slots.map((slot) => slot.time))].sort());
      for (const slot of offer.slots) {
        slots++;
        const decided = decideBooking(ask(formatDate(day), slot.time, partySize), context);
        expect("refusals" in decided, `${formatDate(day)} ${slot.time} ${JSON.stringify(decided)}`).toBe(!slot.available);
      }
    }),
    { numRuns: VENUE_DAYS },
  );
  console.info(`${VENUE_DAYS} venue-days, ${slots} slots, 0 disagreements`);
});

test("R4.3-13 a booked table was free for the whole stay and large enough; a refused party found none", () => {
  fc.assert(
    fc.property(randomContext, fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 1439 }), (context, partySize, minute) => {
      const day = addDays(wallClock(context.zone, context.now), 1);
      const stay = stayOf(context.rules, partySize, instantAt(context.zone, day, minute));
      const chosen = chooseTables(context, partySize, stay, context.occupancies);
      const candidates = [
        ...context.tables.map(({ id, seats: count }) => ({ ids: [id], count })),
        ...context.combinations.map(({ table_ids, seats: count }) => ({ ids: table_ids, count })),
      ].filter(({ ids, count }) => count >= partySize && ids.every((id) => isFree(id, stay, context.occupancies)));
      if (chosen === null) {
        expect(candidates).toEqual([]);
        return;
      }
      expect(candidates.map(({ ids }) => ids)).toContainEqual(chosen);
      const singles = candidates.filter(({ ids }) => ids.length === 1);
      if (singles.length > 0)
        expect(context.tables.find(({ id }) => id === chosen[0])?.seats).toBe(Math.min(...singles.map(({ count }) => count)));
    }),
    { numRuns: 2000 },
  );
});

test("a stay's length follows the first row that fits the party", () => {
  const booking = {
    turn_times: [
      { party_size_max: 2, minutes: 60 },
      { party_size_max: 6, minutes: 90 },
      { party_size_max: null, minutes: 150 },
    ],
  } as BookingRules;
  expect([1, 2, 3, 6, 7, 50].map((size) => turnMinutes(booking, size))).toEqual([60, 60, 90, 90, 150, 150]);
});

test("D03 R4.3-10 24:00 to 29:59 are no times of day; a time that the clocks skip cannot be booked", () => {
  const context: BookingContext = {
    zone: "Europe/Rome",
    now: new Date("2026-03-01T00:00:00Z"),
    rules: {
      slot_minutes: 30,
      turn_times: [{ party_size_max: null, minutes: 90 }],
      service_periods: null,
      party_size_max: 20,
      lead_minutes: 0,
      horizon_days: 365,
      allow_overbooking: false,
      waiting_list: true,
      guarantee: null,
    },
    branches: [{ id: 1, is_default: true, hours: null, closing_days: [] }],
    tables: [],
    combinations: [],
    occupancies: [],
  };
  expect(decideBooking(ask("2026-03-10", "24:00", 2), context)).toEqual({ refusals: { time: { reason: "not_a_time", values: {} } } });
  expect(decideBooking(ask("2026-03-29", "02:30", 2), context)).toEqual({
    refusals: { time: { reason: "skipped_by_clocks", values: {} } },
  });
  const offer = decideAvailability({ year: 2026, month: 3, day: 29 }, 2, context);
  expect(offer).toMatchObject({ engine: false, notify: true, guarantee: null });
  expect(offer.slots).toHaveLength(46);
});

test("tables that the owner joins seat as many as the combination says, also when staff name them", () => {
  const tables = [1, 2, 3].map((id) => ({ id, branch_id: 1, seats: 4, is_active: true }));
  const stay = { startsAt: new Date("2026-03-10T19:00:00Z"), endsAt: new Date("2026-03-10T21:00:00Z") };
  const plan = { occupancies: [], combinations: [{ table_ids: [2, 1], seats: 9 }] };
  const refuse = (ids: number[], party_size: number) =>
    refuseTables(
      { table_ids: ids, party_size },
      plan,
      tables.filter(({ id }) => ids.includes(id)),
      stay,
    );
  expect(refuse([1, 2], 9)).toEqual({});
  expect(refuse([1, 2], 10)).toMatchObject({ table_id: { reason: "table_too_small" } });
  expect(refuse([1, 3], 9)).toMatchObject({ table_id: { reason: "table_too_small" } });
  expect(refuse([1, 3], 8)).toEqual({});
});
