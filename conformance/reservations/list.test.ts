/** GET /reservations: its order, its filters and its pages. */
import { RESERVATION_STATUSES, type Reservation, type ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { NO_DAYS } from "../days.ts";
import { expectInvalid } from "../expectations.ts";
import { lab } from "../target.ts";
import { allBookings, book, cancel, idsOf, labTables, listBookings, quietDay } from "./bookings.ts";

const list = (query: string) => call(lab.tokens.full, "GET", "/reservations", { query });
const [before, first, second, third, after] = [0, 1, 2, 3, 4].map(quietDay) as [string, string, string, string, string];

/** On three days: in the order in which they must be listed. */
let made: Reservation[];
/** Bookings of two statuses and one that is cancelled, on one of the days. */
let byStatus: Partial<Record<ReservationStatus, string>>;

const onDays = (...days: string[]): string[] => idsOf(made.filter(({ date }) => days.includes(date)));

beforeAll(async () => {
  const times = [
    { date: third, time: "09:00" },
    { date: first, time: "21:30" },
    { date: second, time: "10:00" },
    { date: first, time: "09:05" },
    { date: first, time: "00:00" },
    { date: third, time: "23:59" },
  ];
  const booked: Reservation[] = [];
  for (const slot of times) booked.push(await book(lab, slot));
  made = booked.toSorted((a, b) => `${a.date}${a.time}`.localeCompare(`${b.date}${b.time}`));
  byStatus = {
    pending: (await book(lab, { date: before, time: "12:00", status: "pending" })).id,
    confirmed: (await book(lab, { date: before, time: "14:00", status: "confirmed" })).id,
    cancelled: (await cancel(lab, (await book(lab, { date: before, time: "16:00" })).id)).id,
  };
});

/** Exactly these of the bookings made here are listed, in their order, and none that the filter excludes. */
const expectDays = async (query: Record<string, string>, expected: string[], holds: (date: string) => boolean) => {
  const rows = await allBookings(lab, query);
  const own = idsOf(made);
  expect(idsOf(rows).filter((id) => own.includes(id))).toEqual(expected);
  for (const { date } of rows) expect(holds(date), date).toBe(true);
};

describe("GET /reservations", () => {
  test("R4.3-01 by date and time, page after page, each once", async () => {
    const rows = await allBookings(lab);
    const places = rows.map(({ date, time }) => `${date} ${time}`);
    expect(places).toEqual(places.toSorted());
    expect(new Set(idsOf(rows)).size).toBe(rows.length);
    expect(idsOf(rows)).toEqual(expect.arrayContaining(idsOf(made)));
  });

  test("R4.3-01 each row is the booking that was made", async () => {
    const rows = await allBookings(lab, { from: first, to: third, status: "confirmed" });
    for (const booking of made) expect(rows.find(({ id }) => id === booking.id)).toEqual(booking);
  });
});

describe("date, from and to", () => {
  test("R4.3-02 one day", async () => {
    await expectDays({ date: first }, onDays(first), (date) => date === first);
    await expectDays({ date: second }, onDays(second), (date) => date === second);
    await expectDays({ date: after }, [], (date) => date === after);
  });

  test("R4.3-02 a range, with both its ends", async () => {
    await expectDays({ from: first, to: second }, onDays(first, second), (date) => date >= first && date <= second);
    await expectDays({ from: second, to: second }, onDays(second), (date) => date === second);
    await expectDays({ from: before, to: after }, idsOf(made), (date) => date >= before && date <= after);
  });

  test("R4.3-02 from alone and to alone leave the other end open", async () => {
    await expectDays({ from: second }, onDays(second, third), (date) => date >= second);
    await expectDays({ to: second }, onDays(first, second), (date) => date <= second);
  });

  test("R4.3-03 a day and a range hold together: outside the range there is nothing", async () => {
    await expectDays({ date: second, from: first, to: third }, onDays(second), (date) => date === second);
    await expectDays({ date: first, from: first }, onDays(first), (date) => date === first);
    for (const query of [`date=${first}&from=${second}&to=${third}`, `date=${third}&to=${second}`, `date=${first}&from=${second}`])
      expect((await listBookings(lab, query)).data).toEqual([]);
  });

  for (const name of ["date", "from", "to"])
    test(`R4.3-04 422 ${name} for what is no day`, async () => {
      for (const text of [...NO_DAYS, `${first}T10:00:00Z`]) expectInvalid(await list(`${name}=${text}`), name);
    });

  test("R4.3-04 422 to for a range that ends before it begins; every fault is named at once", async () => {
    expectInvalid(await list(`from=${second}&to=${first}`), "to");
    expectInvalid(await list("date=x&from=x&to=x&status=x&per_page=0"), "date", "from", "to", "status", "per_page");
  });
});

describe("status", () => {
  for (const status of RESERVATION_STATUSES)
    test(`R4.3-05 only ${status}`, async () => {
      const rows = await allBookings(lab, { status });
      for (const row of rows) expect(row.status).toBe(status);
      for (const [own, id] of Object.entries(byStatus)) expect(idsOf(rows).includes(id)).toBe(own === status);
    });

  for (const status of ["foo", "confirmed,pending", "confirmed,", "CONFIRMED", "no-show", "placed"])
    test(`R4.3-05 422 for ${status}`, async () => {
      expectInvalid(await list(`status=${status}`), "status");
    });

  test("R4.3-05 R4.3-02 holds together with the days", async () => {
    expect(idsOf((await listBookings(lab, { date: before, status: "pending" })).data)).toEqual([byStatus.pending]);
    expect(idsOf(await allBookings(lab, { date: first, status: "pending" }))).toEqual([]);
  });
});

describe("page by page", () => {
  const query = { from: quietDay(6), to: quietDay(8), status: "pending", per_page: 2 };
  let expected: string[];

  beforeAll(async () => {
    const { ofOtherBranch: table_id } = await labTables();
    const pending = { status: "pending", party_size: 1 };
    // Three at one time, so that they need a tie-breaker.
    for (const parts of [{}, {}, { table_id }]) await book(lab, { ...pending, date: quietDay(7), time: "12:00", ...parts });
    for (const number of [6, 8]) for (const time of ["10:00", "18:45"]) await book(lab, { ...pending, date: quietDay(number), time });
    expected = idsOf(await allBookings(lab, { ...query }));
  });

  test("R4.0-05 R4.0-06 R4.3-01 every booking once, by cursor and by link, with the filters kept", async () => {
    expect(expected).toHaveLength(7);
    const seen: string[] = [];
    let page = await listBookings(lab, query);
    seen.push(...idsOf(page.data));
    while (page.links.next !== null) {
      const followed = await call(lab.tokens.full, "GET", page.links.next);
      page = await listBookings(lab, { ...query, cursor: String(page.meta.next_cursor) });
      expect(followed.body).toEqual(page);
      seen.push(...idsOf(page.data));
    }
    expect(seen).toEqual(expected);
    expect(page.meta.next_cursor).toBeNull();
  });

  test("R4.0-07 R4.0-08 and back again; a full last page has no next", async () => {
    const one = await listBookings(lab, query);
    const two = await listBookings(lab, { ...query, cursor: String(one.meta.next_cursor) });
    expect([one.meta.prev_cursor, one.links.prev]).toEqual([null, null]);
    expect(idsOf((await listBookings(lab, { ...query, cursor: String(two.meta.prev_cursor) })).data)).toEqual(idsOf(one.data));
    const whole = await listBookings(lab, { ...query, per_page: 7 });
    expect([idsOf(whole.data), whole.meta.next_cursor]).toEqual([expected, null]);
  });
});
