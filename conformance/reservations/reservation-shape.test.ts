/** The shapes of a booking and of a day's free times. */
import { RESERVATION_STATUSES } from "@comanda/contract/venue/reservations.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { dayAhead } from "../days.ts";
import { expectRefused, expectStatus } from "../expectations.ts";
import { lab, neighbour, target } from "../target.ts";
import { allBookings, askDay, book, bookingOf, getBooking, postBooking, postCancel, readDay } from "./bookings.ts";

const FIELDS = ["created_at date deposit_minor deposit_status email id name note party_size phone status table_id time updated_at"].flatMap(
  (line) => line.split(" "),
);

const SLOT_FIELDS = ["available", "guarantee", "time"];

describe("a booking", () => {
  test("R2.6-01 has its fields and no other, wherever it is shown", async () => {
    const made = await book(lab);
    const shown = [made, bookingOf(await getBooking(lab, made.id)), ...(await allBookings(lab, { date: made.date }))];
    for (const booking of [...shown, bookingOf(await postCancel(lab, made.id))]) expect(Object.keys(booking).sort()).toEqual(FIELDS);
  });

  test("R2.6-01 fields with nothing in them are null, not absent", async () => {
    const { id, email, note, deposit_minor, deposit_status } = await book(lab);
    expect([email, note, deposit_minor, deposit_status]).toEqual([null, null, null, null]);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test("R2.1-03 its status is one of the six", async () => {
    const known: readonly string[] = RESERVATION_STATUSES;
    for (const { status } of await allBookings(lab)) expect(known).toContain(status);
  });

  test("RX-02 R4.2-11 a new one answers with empty meta and links, and Location leads to it", async () => {
    const made = await postBooking(lab);
    expect(made.body).toMatchObject({ meta: {}, links: {} });
    const location = made.headers.get("location") ?? "";
    expect(location.endsWith(`/reservations/${bookingOf(made).id}`)).toBe(true);
    const read = await call(lab.tokens.full, "GET", new URL(location, target.root_url).href);
    expectStatus(read, 200);
    expect(bookingOf(read)).toEqual(bookingOf(made));
  });
});

describe("a day of free times", () => {
  for (const venue of [lab, neighbour])
    test(`R2.6-02 ${venue.slug}: has its fields and no other, and so has each slot`, async () => {
      const day = await readDay(venue, dayAhead(venue, 25), 2);
      expect(Object.keys(day).sort()).toEqual(["date", "engine", "guarantee", "notify", "party_size", "slots"]);
      expect([typeof day.engine, typeof day.notify]).toEqual(["boolean", "boolean"]);
      for (const slot of day.slots) {
        expect(Object.keys(slot).sort()).toEqual(SLOT_FIELDS);
        expect(slot.time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
        expect([typeof slot.available, typeof slot.guarantee]).toEqual(["boolean", "boolean"]);
      }
    });

  test("R2.6-02 a guarantee for the day is there exactly when some slot asks for one", async () => {
    for (const venue of [lab, neighbour])
      for (const party of [1, 2, 4, 6, 8, 10]) {
        const { guarantee, slots } = await readDay(venue, dayAhead(venue, 25), party);
        expect(guarantee !== null).toBe(slots.some((slot) => slot.guarantee));
        if (guarantee) expect(Object.keys(guarantee).sort()).toEqual(["amount_minor", "per_person", "type"]);
      }
  });

  test("R2.6-03 says which day and party it is for, with empty meta and links", async () => {
    for (const party_size of [1, 3, 20]) {
      const date = dayAhead(lab, 10 + party_size);
      expect((await askDay(lab, { date, party_size })).body).toMatchObject({ data: { date, party_size }, meta: {}, links: {} });
    }
  });
});

describe("one booking alone", () => {
  test("R4.3-18 404 for an unknown or malformed id", async () => {
    for (const id of [crypto.randomUUID(), "1", "abc", "%00", `${crypto.randomUUID()}0`])
      expectRefused(await getBooking(lab, id), "not_found");
  });

  test("RX-13 RX-14 the neighbour's is 404, untouched by our cancel, and in none of our lists", async () => {
    const theirs = await book(neighbour);
    expectRefused(await getBooking(lab, theirs.id), "not_found");
    expectRefused(await postCancel(lab, theirs.id), "not_found");
    expect(bookingOf(await getBooking(neighbour, theirs.id))).toEqual(theirs);
    for (const [name, value] of Object.entries({ date: theirs.date, from: theirs.date, status: theirs.status }))
      expect((await allBookings(lab, { [name]: value })).map(({ id }) => id)).not.toContain(theirs.id);
  });
});
