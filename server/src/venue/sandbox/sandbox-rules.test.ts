/** The sandbox's calendar on every clock there is, and the sample of each kind of restaurant. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tenant } from "#lib/context.ts";
import { addDays, formatDate, instantAt } from "#lib/instant.ts";
import { offsetMinutes, wallClock } from "#lib/time-zone.ts";
import { minuteOf } from "#venue/settings/rules/opening-hours.ts";
import { parseVenueFile } from "../setup/venue-file/service.ts";
import { nextReset, sampleInstant, sandboxDay } from "./rules/reset-time.ts";
import { sampleBooking, sandboxFile, sandboxTenant } from "./rules/sample-data.ts";

const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];
const HOUR_MS = 3_600_000;
const sample = parseVenueFile(readFileSync(new URL("../../../samples/sandbox.json", import.meta.url), "utf8"));

const dateOf = (zone: string, instant: Date): string => formatDate(wallClock(zone, instant));
const timeOf = (zone: string, instant: Date): string => {
  const { hour, minute } = wallClock(zone, instant);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
};

const zone = fc.constantFrom(...ZONES);
const instant = fc.date({ min: new Date("2024-01-01T00:00:00Z"), max: new Date("2037-12-31T00:00:00Z"), noInvalidDate: true });

describe("D138 the next reset", () => {
  test("D138 R1-13 is at 03:00 on the venue's clock", () => {
    const at = (place: string, now: string) => nextReset(place, new Date(now)).toISOString();
    expect(at("Europe/Rome", "2026-11-14T12:00:00Z")).toBe("2026-11-15T02:00:00.000Z");
    expect(at("Europe/Rome", "2026-11-15T01:59:59.999Z")).toBe("2026-11-15T02:00:00.000Z");
    expect(at("Europe/Rome", "2026-11-15T02:00:00Z")).toBe("2026-11-16T02:00:00.000Z");
    expect(at("Asia/Kuwait", "2026-11-14T23:00:00Z")).toBe("2026-11-15T00:00:00.000Z");
    expect(at("Asia/Kathmandu", "2026-11-14T12:00:00Z")).toBe("2026-11-14T21:15:00.000Z");
  });

  test("D138 where the clocks skip three o'clock it is at four; where it comes twice, the first time", () => {
    // Athens goes from 03:00 to 04:00 in March and from 04:00 back to 03:00 in October.
    expect(nextReset("Europe/Athens", new Date("2027-03-27T20:00:00Z")).toISOString()).toBe("2027-03-28T01:00:00.000Z");
    expect(timeOf("Europe/Athens", new Date("2027-03-28T01:00:00Z"))).toBe("04:00");
    // On the Chatham Islands they go from 02:45 to 03:45.
    expect(nextReset("Pacific/Chatham", new Date("2026-09-26T12:00:00Z")).toISOString()).toBe("2026-09-26T14:15:00.000Z");
    expect(timeOf("Pacific/Chatham", new Date("2026-09-26T14:15:00Z"))).toBe("04:00");
    expect(nextReset("Europe/Athens", new Date("2026-10-24T20:00:00Z")).toISOString()).toBe("2026-10-25T00:00:00.000Z");
    // Half an hour later the clock shows half past three, and an hour after that again: no second reset.
    expect(nextReset("Europe/Athens", new Date("2026-10-25T00:30:00Z")).toISOString()).toBe("2026-10-26T01:00:00.000Z");
  });

  test("D138 on any clock at any moment: soon, at three, or at four where there is no three", () => {
    fc.assert(
      fc.property(zone, instant, (place, now) => {
        const next = nextReset(place, now);
        const [waitMs, before] = [next.getTime() - now.getTime(), new Date(next.getTime() - 1)];
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(25.5 * HOUR_MS);
        expect(timeOf(place, next)).toMatch(/^0[34]:00$/);
        expect(timeOf(place, before) < timeOf(place, next)).toBe(true);
        expect(formatDate(addDays(sandboxDay(place, now), 1))).toBe(dateOf(place, next));
        expect([sandboxDay(place, before), sandboxDay(place, next)].map(formatDate)).toEqual([
          formatDate(addDays(sandboxDay(place, next), -1)),
          dateOf(place, next),
        ]);
      }),
      { numRuns: process.env.TEST_STRESS ? 50_000 : 2000 },
    );
  });

  // Clocks that are changed in the course of a year are where it could go wrong.
  const isChanged = (place: string): boolean =>
    new Set(["2027-01-01", "2027-04-10", "2027-07-01"].map((date) => offsetMinutes(place, new Date(date)))).size > 1;
  const CLOCKS = process.env.TEST_STRESS ? ZONES : ZONES.filter((place, index) => isChanged(place) || index % 20 === 0);
  const NIGHTS = process.env.TEST_STRESS ? 1500 : 400;
  test(`D138 every one of ${CLOCKS.length} clocks has one reset for each date of ${NIGHTS} nights`, () => {
    for (const place of CLOCKS) {
      let now = new Date("2026-11-14T12:00:00Z");
      let day = sandboxDay(place, now);
      for (let night = 0; night < NIGHTS; night++) {
        now = nextReset(place, now);
        day = addDays(day, 1);
        if (dateOf(place, now) !== formatDate(day)) expect.fail(`${place}: ${now.toISOString()} is not the night of ${formatDate(day)}`);
      }
    }
  });
});

test("D138 whenever a sandbox is opened or reset, its order lies behind and its booking ahead, until the next reset", () => {
  fc.assert(
    fc.property(zone, instant, (place, now) => {
      const day = sandboxDay(place, now);
      const { date, time } = sampleBooking(sample, day);
      const [year = 0, month = 0, dayOfMonth = 0] = date.split("-").map(Number);
      expect(sampleInstant(place, day).getTime()).toBeLessThan(now.getTime());
      expect(instantAt(place, { year, month, day: dayOfMonth }, minuteOf(time)).getTime()).toBeGreaterThan(nextReset(place, now).getTime());
    }),
    { numRuns: process.env.TEST_STRESS ? 50_000 : 2000 },
  );
});

const live = (default_language: string): Tenant => ({
  id: 1024,
  slug: "corner",
  kind: "live",
  currency: "KWD",
  zone: "Asia/Kuwait",
  default_language,
  clock_offset_ms: 0,
});

test("D137 a sandbox has its restaurant's clock and currency, a slug no other venue can have, and a language it is written in", () => {
  const tenant = sandboxTenant(2048, live("it"), sample);
  expect(tenant).toEqual({ ...live("it"), id: 2048, slug: "corner.sandbox", kind: "sandbox" });
  expect(sandboxTenant(2048, live("ar"), sample).default_language).toBe("ar");
  expect(sandboxTenant(2048, live("fr"), sample).default_language).toBe("en");
  const { restaurant, menus } = sandboxFile(sample, tenant);
  expect(restaurant).toMatchObject({
    slug: "corner.sandbox",
    currency: "KWD",
    zone: "Asia/Kuwait",
    default_language: "it",
    plan: "complete",
  });
  expect(menus).toBe(sample.menus);
  expect(() => parseVenueFile(JSON.stringify({ ...sample, restaurant }))).toThrow(/restaurant\.slug/);
});

test("R1-11 the sample has sizes, options to choose from, something sold out, tables with codes, and guests of both kinds", () => {
  const dishes = sample.menus.flatMap(({ categories }) => categories).flatMap(({ items }) => items);
  expect(dishes.some(({ variants }) => variants.length > 1)).toBe(true);
  expect(dishes.some(({ modifier_groups }) => modifier_groups.length > 1)).toBe(true);
  expect(dishes.filter(({ is_available }) => !is_available)).toHaveLength(1);
  expect(sample.tables.every(({ code }) => code !== null)).toBe(true);
  expect(sample.guests.map(({ marketing_opted_in }) => marketing_opted_in)).toEqual([true, false, false]);
  expect(sample.ordering.types.map(({ type }) => type)).toEqual(["dine_in", "pickup", "delivery"]);
  expect(sample.branches[0]?.hours).toEqual([{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "24:00" }]);
});
