/** Pauses and busy times as pure rules: what a choice makes of a type, and which moments it covers. */
import { LOAD_CHOICES, type LoadChoice, type OrderTypeState } from "@comanda/contract/console/order-types.ts";
import { ORDER_TYPES } from "@comanda/contract/venue/orders.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "../../../../test/support/seeded-random.ts";
import { extraMinutesAt, formatEnd, isSameLoad, loadAfter, loadAt, loadsAt, pauseEndAt } from "./order-types.ts";

const ZONE = "Europe/Rome";
const MINUTE_MS = 60_000;
const OPEN: OrderTypeState = { type: "delivery", paused_until: null, busy_until: null, extra_minutes: null };
const after = (to: LoadChoice, now: string, present = OPEN): OrderTypeState => loadAfter(present, to, { zone: ZONE, now: new Date(now) });

test("a pause ends at a whole minute, so that the time that is read is the time at which it ends", () => {
  expect(after("pause_30", "2026-11-14T19:00:00Z").paused_until).toBe("2026-11-14T19:30:00.000Z");
  expect(after("pause_15", "2026-11-14T19:00:00.001Z").paused_until).toBe("2026-11-14T19:16:00.000Z");
  expect(after("pause_60", "2026-11-14T19:00:59Z").paused_until).toBe("2026-11-14T20:01:00.000Z");
  // 05:00 in Rome; at 04:30 the evening before still runs.
  expect(after("pause_today", "2026-11-14T19:00:00Z").paused_until).toBe("2026-11-15T04:00:00.000Z");
  expect(after("pause_today", "2026-11-15T03:30:00Z").paused_until).toBe("2026-11-15T04:00:00.000Z");
});

test("busy lasts an hour and leaves a pause as it is; each is ended by itself", () => {
  const paused = after("pause_30", "2026-11-14T19:00:00Z");
  const both = after("busy_20", "2026-11-14T19:00:30Z", paused);
  expect(both).toEqual({ ...paused, busy_until: "2026-11-14T20:01:00.000Z", extra_minutes: 20 });
  expect(after("end_pause", "2026-11-14T19:01:00Z", both)).toEqual({ ...both, paused_until: null });
  expect(after("end_busy", "2026-11-14T19:01:00Z", both)).toEqual(paused);
});

test("the time of an end has its date when that is not today's", () => {
  const now = new Date("2026-11-14T19:00:00Z");
  expect(formatEnd(ZONE, new Date("2026-11-14T19:30:00Z"), now)).toBe("20:30");
  expect(formatEnd(ZONE, new Date("2026-11-15T04:00:00Z"), now)).toBe("05:00 on 2026-11-15");
});

test("only what the venue offers is shown, in its order", () => {
  const now = new Date("2026-11-14T19:00:00Z");
  const loads = [after("pause_30", now.toISOString()), { ...OPEN, type: "dine_in" as const }];
  expect(loadsAt([{ type: "pickup" }, { type: "delivery" }], loads, now).map(({ type, paused_until }) => [type, paused_until])).toEqual([
    ["pickup", null],
    ["delivery", "2026-11-14T19:30:00.000Z"],
  ]);
});

const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }).map((ms) => new Date(ms));
const steps = fc.array(fc.record({ to: fc.constantFrom(...LOAD_CHOICES), laterMs: fc.nat(90 * MINUTE_MS) }), {
  minLength: 1,
  maxLength: 6,
});

test("after any choices: covered moments are those before the shown end, other types are untouched, and a pass of time opens all", () => {
  fc.assert(
    fc.property(moment, steps, fc.integer({ min: -120, max: 120 }), fc.constantFrom(...ORDER_TYPES), (begin, chosen, offset, type) => {
      let now = begin;
      let load: OrderTypeState = { ...OPEN, type };
      for (const { to, laterMs } of chosen) {
        now = new Date(now.getTime() + laterMs);
        load = loadAfter(loadAt(load, now), to, { zone: ZONE, now });
      }
      const shown = loadAt(load, now);
      const wanted = new Date(now.getTime() + offset * MINUTE_MS);
      const isBefore = (end: string | null): boolean => end !== null && wanted.getTime() < Date.parse(end);
      expect(pauseEndAt([load], type, wanted)?.toISOString() ?? null).toBe(isBefore(load.paused_until) ? load.paused_until : null);
      expect(extraMinutesAt([load], type, wanted)).toBe(isBefore(load.busy_until) ? load.extra_minutes : 0);
      for (const other of ORDER_TYPES.filter((one) => one !== type))
        expect([pauseEndAt([load], other, wanted), extraMinutesAt([load], other, wanted)]).toEqual([null, 0]);
      // What is shown is what the rules apply now.
      expect(shown.paused_until).toBe(pauseEndAt([load], type, now)?.toISOString() ?? null);
      expect(shown.extra_minutes ?? 0).toBe(extraMinutesAt([load], type, now));
      const nextDay = new Date(now.getTime() + 24 * 60 * MINUTE_MS);
      expect(isSameLoad(loadAt(load, nextDay), OPEN)).toBe(true);
    }),
    { seed: SEED, numRuns: 500 },
  );
});
