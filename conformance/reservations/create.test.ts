/** POST /reservations: guest, party size, date and time. */
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { dayAhead, NO_DAYS } from "../days.ts";
import { expectInvalid } from "../expectations.ts";
import { lab } from "../target.ts";
import { book, bookingBody, cancel, freeSlot, minutesAgo, postBooking, readBooking } from "./bookings.ts";
import { KIT_PHONE } from "./tidy.ts";

const without = async (field: string) => {
  const { [field]: _, ...body } = await bookingBody(lab);
  return call(lab.tokens.full, "POST", "/reservations", { body });
};

describe("POST /reservations", () => {
  test("R4.3-06 what was sent comes back, and reading it shows the same", async () => {
    const sent = { name: "Zoë Ωmega", phone: KIT_PHONE, party_size: 3, ...(await freeSlot(lab)) };
    const made = await book(lab, sent);
    expect(made).toMatchObject({ ...sent, email: null, note: null, deposit_minor: null, deposit_status: null });
    expect(made.created_at).toBe(made.updated_at);
    expect(Math.abs(Date.parse(made.created_at) - Date.now())).toBeLessThan(120_000);
    expect(await readBooking(lab, made.id)).toEqual(made);
  });

  test("R4.3-06 with everything that may be sent, and money that is not the caller's to set ignored", async () => {
    const sent = { email: "ada@example.com", note: "High chair,\nplease 👶", status: "pending" };
    const made = await book(lab, { ...sent, deposit_minor: 500, deposit_status: "paid", id: crypto.randomUUID() });
    expect(made).toMatchObject({ ...sent, deposit_minor: null, deposit_status: null });
    expect(await readBooking(lab, made.id)).toEqual(made);
  });
});

const REQUIRED = [
  { field: "name", lengthMax: 120 },
  { field: "phone", lengthMax: 40 },
] as const;

for (const { field, lengthMax } of REQUIRED)
  describe(field, () => {
    test(`R4.3-07 422 ${field} where it is missing, blank, null or no text`, async () => {
      expectInvalid(await without(field), field);
      for (const value of ["", " ", "\t\n ", null, 5, true, ["Ada"], { en: "Ada" }, "A\u0000da"])
        expectInvalid(await postBooking(lab, { [field]: value }), field);
    });

    test(`R4.3-07 RX-27 ${lengthMax} characters in ${field} are taken, ${lengthMax + 1} are not`, async () => {
      for (const letter of ["7", "é", "🍜"]) {
        const longest = letter.repeat(lengthMax);
        expect((await book(lab, { [field]: `  ${longest}\n` }))[field]).toBe(longest);
        expectInvalid(await postBooking(lab, { [field]: `${longest}${letter}` }), field);
      }
    });
  });

describe("email and note", () => {
  test("R4.3-08 an address is kept, null is null, anything else is 422 email", async () => {
    for (const email of ["a@b.co", "ada.lovelace+table@mail.example.co.uk", null]) expect((await book(lab, { email })).email).toBe(email);
    for (const email of ["ada", "ada@", "@example.com", "ada@example", "ada lovelace@example.com", "", 5])
      expectInvalid(await postBooking(lab, { email }), "email");
  });

  test("R4.3-08 RX-27 a note of 500 characters is taken, one of 501 is 422 note", async () => {
    for (const letter of ["x", "🍜"]) {
      const longest = letter.repeat(500);
      expect((await book(lab, { note: longest })).note).toBe(longest);
      expectInvalid(await postBooking(lab, { note: `${longest}${letter}` }), "note");
    }
    expect((await book(lab, { note: null })).note).toBeNull();
  });
});

describe("party_size", () => {
  test("R4.3-09 422 party_size where it is missing or no whole number from 1 on", async () => {
    expectInvalid(await without("party_size"), "party_size");
    for (const party_size of [0, -1, 1.5, "2", "", null, true, [2], 2 ** 31, 1e300])
      expectInvalid(await postBooking(lab, { party_size }), "party_size");
  });

  test("R4.3-09 one guest is a party", async () => {
    expect((await book(lab, { party_size: 1 })).party_size).toBe(1);
  });

  test("R4.3-12 R7.1-07 422 party_size beyond the owner's largest party", async () => {
    for (const party_size of [21, 22, 1000, 2 ** 31 - 1]) expectInvalid(await postBooking(lab, { party_size }), "party_size");
  });
});

describe("date and time", () => {
  test("R4.3-10 422 date where it is missing or no day", async () => {
    expectInvalid(await without("date"), "date");
    for (const date of [...NO_DAYS, "", null, 20270105, `${dayAhead(lab, 20)}T10:00:00Z`])
      expectInvalid(await postBooking(lab, { date, time: "12:00" }), "date");
  });

  test("R4.3-10 422 time where it is missing or no time of day", async () => {
    expectInvalid(await without("time"), "time");
    const { date } = await freeSlot(lab);
    for (const time of ["7:30", "19:60", "30:00", "24:00", "25:00", "29:59", "19:30:00", "1930", "noon", "19 :30", "", null, 1930, "١٩:٣٠"])
      expectInvalid(await postBooking(lab, { date, time }), "time");
  });

  test("R4.3-10 R7.1-01 every field that is wrong is named at once", async () => {
    const wrong = { name: "", phone: "", email: "x", party_size: 0, date: "x", time: "x", table_id: "x", note: 5, status: "x" };
    expectInvalid(await postBooking(lab, wrong), ...Object.keys(wrong));
  });

  test("R4.3-12 R7.1-07 422 date for a day that is over or beyond the horizon; its last day is taken", async () => {
    const at = (days: number, time = "12:00") => ({ date: dayAhead(lab, days), time });
    for (const days of [-1, -30, -366, 366, 367, 5000]) expectInvalid(await postBooking(lab, at(days)), "date");
    for (const date of ["1900-01-01", "9999-12-31"]) expectInvalid(await postBooking(lab, { date, time: "12:00" }), "date");
    await cancel(lab, (await book(lab, at(365, "11:11"))).id);
  });

  test("R4.3-12 R7.1-07 422 time for a time of today that is over", async () => {
    for (const minutes of [2, 15]) {
      const { field, ...slot } = minutesAgo(lab, minutes);
      expectInvalid(await postBooking(lab, slot), field);
    }
  });

  test("RX-23 nothing is booked by a request that was refused", async () => {
    const slot = await freeSlot(lab);
    const name = crypto.randomUUID();
    expectInvalid(await postBooking(lab, { ...slot, name, party_size: 21 }), "party_size");
    const { body } = await call(lab.tokens.full, "GET", "/reservations", { query: { date: slot.date, per_page: 100 } });
    expect(JSON.stringify(body)).not.toContain(name);
  });
});
