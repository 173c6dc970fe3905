/** Compares lib with independent results: the Temporal reference implementation, exact arithmetic, random edits. */
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { readCursor, writeCursor } from "./cursor.ts";
import { newUuid } from "./ids.ts";
import { percentOf } from "./money.ts";
import { formatInstant, isZone, offsetMinutes, wallClock } from "./time-zone.ts";
import { newTokenSecret, readToken } from "./token-format.ts";

const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC"];
const zone = fc.constantFrom(...ZONES);
const instant = fc.date({ min: new Date("1990-01-01T00:00:00Z"), max: new Date("2037-01-01T00:00:00Z"), noInvalidDate: true });

test("D01 every zone shows an instant as the reference calendar does", () => {
  fc.assert(
    fc.property(zone, instant, (name, date) => {
      const reference = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(name);
      const clock = wallClock(name, date);
      expect(clock).toEqual({
        year: reference.year,
        month: reference.month,
        day: reference.day,
        hour: reference.hour,
        minute: reference.minute,
        second: reference.second,
        weekday: reference.dayOfWeek - 1,
      });
      const shown = formatInstant(name, date);
      expect(shown).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
      expect(new Date(shown).getTime()).toBe(Math.floor(date.getTime() / 1000) * 1000);
    }),
    { numRuns: 4000 },
  );
});

test("the offset is right on both sides of every change since 2009, in every zone", () => {
  for (const name of ZONES) {
    let moment = Temporal.Instant.from("2009-01-01T00:00:00Z").toZonedDateTimeISO(name);
    for (let step = 0; step < 200; step++) {
      const next = moment.getTimeZoneTransition("next");
      if (!next || next.year > 2037) break;
      for (const ms of [-1, 0]) {
        const epochMs = next.epochMilliseconds + ms;
        const expected = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(name).offsetNanoseconds / 60e9;
        expect(offsetMinutes(name, new Date(epochMs)), `${name} ${next.toString()} ${ms}`).toBe(expected);
      }
      moment = next;
    }
  }
});

test("UTC is written +00:00, and only known zones are zones", () => {
  expect(formatInstant("UTC", new Date("2026-11-14T12:00:00.999Z"))).toBe("2026-11-14T12:00:00+00:00");
  expect(["Europe/Rome", "Asia/Kuwait", "UTC"].every(isZone)).toBe(true);
  expect(["CET+1", "+02:00", "Mars/Olympus", ""].some(isZone)).toBe(false);
});

test("D98 a percentage is rounded half away from zero, exactly", () => {
  expect(percentOf(25, 10)).toBe(3);
  expect(percentOf(24, 10)).toBe(2);
  expect(percentOf(1250, 12.5)).toBe(156);
  expect(percentOf(2_147_483_647, 100)).toBe(2_147_483_647);
  fc.assert(
    fc.property(fc.nat(2_147_483_647), fc.nat(100_000), (amount, thousandths) => {
      const exact = amount * thousandths;
      const floor = Math.floor(exact / 100_000);
      const rest = BigInt(amount) * BigInt(thousandths) - BigInt(floor) * 100_000n;
      expect(percentOf(amount, thousandths / 1000)).toBe(rest >= 50_000n ? floor + 1 : floor);
    }),
  );
});

test("D32 a token is `<id>|svc_…`, and T2.4 one changed character is noticed before any look-up", () => {
  const secret = newTokenSecret("api");
  const text = `1024|${secret}`;
  expect(text).toMatch(/^\d+\|svc_[0-9A-Za-z]{40}[0-9a-f]{8}$/);
  expect(readToken(text)).toEqual({ id: 1024, kind: "api", secret });
  expect(readToken(`1|${newTokenSecret("sandbox")}`)?.kind).toBe("sandbox");
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_|";
  for (let place = text.indexOf("|") + 1; place < text.length; place++)
    for (const character of alphabet)
      if (character !== text[place]) expect(readToken(text.slice(0, place) + character + text.slice(place + 1))).toBeNull();
});

test("D51 D52 a cursor comes back as it went in; edited, of another list or another tenant it is nothing", () => {
  const scope = { key: Buffer.alloc(32, 7), list: "items", tenantId: 1024 };
  const keys = fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(keys, fc.nat(), fc.nat(255), (values, place, byte) => {
      const cursor = writeCursor(scope, { direction: "next", keys: values });
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(readCursor(scope, cursor)).toEqual({ direction: "next", keys: values });
      expect(readCursor({ ...scope, list: "orders" }, cursor)).toBeNull();
      expect(readCursor({ ...scope, tenantId: 2048 }, cursor)).toBeNull();
      const bytes = Buffer.from(cursor, "base64url");
      const at = place % bytes.length;
      if (bytes[at] === byte) return;
      bytes[at] = byte;
      expect(readCursor(scope, bytes.toString("base64url"))).toBeNull();
    }),
  );
  for (const garbage of ["", "x", "===", "not a cursor", "é"]) expect(readCursor(scope, garbage)).toBeNull();
});

test("uuids are of version 7 and in the order of time", () => {
  const early = newUuid(new Date(1_700_000_000_000));
  const late = newUuid(new Date(1_700_000_000_001));
  expect(early).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(early < late).toBe(true);
});
