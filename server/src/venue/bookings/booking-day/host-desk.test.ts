/** What the host needs beside the bookings: tables with an order, requests, deposits of a trial, and evenings that end after midnight. */
import { randomUUID } from "node:crypto";
import type { BookingDay, BookingTrial, DayBooking } from "@comanda/contract/console/bookings.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const TODAY = "2026-11-20";

let app: TestApp;
let lab: TestVenue;
let host: TestUser;
let manager: TestUser;
let tables: { two: number; four: number; six: number };

const at = (time: string, date = TODAY): void => app.clock.set(`${date}T${time}:00Z`);

beforeAll(async () => {
  app = await startApp();
  at("18:00");
  lab = await app.venue("lab", (file) => {
    file.restaurant.zone = "UTC";
    const branch = file.branches.find(({ is_default }) => is_default)?.key ?? "";
    const seats = { two: 2, four: 4, six: 6 };
    file.tables = Object.entries(seats).map(([key, count]) => ({ key, branch, name: key, code: key, seats: count, is_active: true }));
    file.table_combinations = [];
    file.booking.guarantee = {
      type: "deposit",
      amount_minor: 500,
      per_person: true,
      party_size_min: 4,
      hours: [{ days: ["fri"], from: "19:00", to: "23:00" }],
    };
  });
  const rows = await app.database.asOwner<{ key: string; id: string }>("select key, id from dining_tables where restaurant_id = $1", [
    lab.id,
  ]);
  tables = Object.fromEntries(rows.map(({ key, id }) => [key, Number(id)])) as typeof tables;
  host = await createUser(app, lab.slug, "staff", "hanna@lab.example");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
});
afterAll(() => app.close());
afterEach(async () => {
  at("18:00");
  await app.database.asOwner("delete from reservation_tables where restaurant_id = $1", [lab.id]);
  await app.database.asOwner("update orders set status = 'cancelled' where restaurant_id = $1", [lab.id]);
  await app.database.asOwner("delete from waitlist_entries where restaurant_id = $1", [lab.id]);
});

const venuePath = (path: string): string => `/venues/${lab.slug}${path}`;
const write = (who: TestUser, method: string, path: string, body: object) =>
  who.call(method, venuePath(path), { body, headers: { "idempotency-key": randomUUID() } });
const step = (who: TestUser, { reservation, version }: DayBooking, name: string) =>
  write(who, "POST", `/bookings/${reservation.id}/steps`, { seen_version: version, step: name });
const walkIn = (body: object) => write(host, "POST", "/walk-ins", body);
const readDay = async (query = ""): Promise<BookingDay> => {
  const { status, body, text } = await host.call("GET", venuePath(`/bookings${query}`));
  expect(status, text).toBe(200);
  return body.data;
};
const idsOf = ({ bookings }: BookingDay): string[] => bookings.map(({ reservation }) => reservation.id);
let guests = 0;
const nextPhone = (): string => `+1 555 ${String(++guests).padStart(4, "0")}`;
const book = async (changes: object = {}): Promise<DayBooking> => {
  const body = { name: "Ada", phone: nextPhone(), party_size: 2, date: TODAY, time: "19:00", ...changes };
  const { status, body: answer, text } = await write(host, "POST", "/bookings", body);
  expect(status, text).toBe(201);
  return answer.data;
};
const orderAt = (table: string, changes: object = {}): Promise<string> =>
  placeLabOrder(app, lab, { type: "dine_in", table_code: table, customer_phone: nextPhone(), ...changes });
const offeredTo = async (partySize: number): Promise<number[] | undefined> => {
  const { body } = await host.call("GET", venuePath("/walk-in-tables"));
  return body.data.find((offer: { party_size: number }) => offer.party_size === partySize)?.table_ids;
};
const availability = async (): Promise<string> =>
  JSON.stringify((await app.call(lab.token, "GET", `/availability?date=${TODAY}&party_size=2`)).body);

test("a table with an open order is taken: shown with its number, offered to no party without a booking, and free for the API as before", async () => {
  const before = await availability();
  expect(await offeredTo(2)).toEqual([tables.two]);
  const order = await orderAt("two");
  const [row] = await app.database.asOwner<{ number: number }>("select number from orders where id = $1", [order]);
  expect((await readDay()).table_orders).toEqual([
    { order_id: order, number: row?.number, table_id: tables.two, since: "2026-11-20T18:00:00.000Z" },
  ]);
  expect((await readDay("?date=2026-11-21")).table_orders).toEqual([]);
  expect(await offeredTo(2)).toEqual([tables.four]);
  expect(await availability()).toBe(before);
  const seated = await walkIn({ party_size: 2 });
  expect([seated.status, seated.body.data.table_ids]).toEqual([201, [tables.four]]);
  const moves = ["accepted", "ready", "completed"];
  for (const status of moves) expect((await app.call(lab.token, "POST", `/orders/${order}/status`, { body: { status } })).status).toBe(200);
  expect([(await readDay()).table_orders, await offeredTo(2)]).toEqual([[], [tables.two]]);
});

test("staff who name the table with an order seat the party there; when it left, the table is free although the order is open", async () => {
  await orderAt("two");
  at("18:05");
  const { status, body } = await walkIn({ party_size: 2, table_ids: [tables.two] });
  expect([status, body.data.table_ids]).toEqual([201, [tables.two]]);
  at("18:40");
  expect((await step(host, body.data, "leave")).status).toBe(200);
  expect([(await readDay()).table_orders, await offeredTo(2)]).toEqual([[], [tables.two]]);
  at("18:50");
  await orderAt("two");
  expect([(await readDay()).table_orders.length, await offeredTo(2)]).toEqual([1, [tables.four]]);
});

test("a party that waits is quoted and seated past a table with an order", async () => {
  await orderAt("six");
  const quote = await host.call("GET", venuePath("/wait-quote?party_size=6"));
  expect(quote.body.data.minutes).toBe(90);
  const { body } = await write(host, "POST", "/waitlist", { name: "Wes", phone: nextPhone(), party_size: 6 });
  expect((await write(host, "POST", `/waitlist/${body.data.id}/seat`, { seen_version: 1 })).status).toBe(422);
  expect((await walkIn({ party_size: 6 })).body.error.details).toEqual({ party_size: ["No table is free for this party at that time."] });
});

test("an order for later takes its table from then on, and one that was never completed only until the day of service ends", async () => {
  await orderAt("two", { scheduled_for: "2026-11-20T20:00:00Z" });
  expect(await offeredTo(2)).toEqual([tables.two]);
  at("20:01");
  expect((await readDay()).table_orders.map(({ since }) => since)).toEqual(["2026-11-20T20:00:00.000Z"]);
  at("04:59", "2026-11-21");
  expect((await readDay()).table_orders).toHaveLength(1);
  at("05:00", "2026-11-21");
  expect((await readDay()).table_orders).toEqual([]);
});

test("JB-09 staff do not cancel a request, which would decline it; a manager does, and so does a guest through the API", async () => {
  const ask = async (): Promise<DayBooking> => {
    const body = { name: "Ida", phone: nextPhone(), party_size: 2, date: "2026-11-21", time: "19:00", status: "pending" };
    const { id } = (await app.call(lab.token, "POST", "/reservations", { body })).body.data;
    return (await host.call("GET", venuePath(`/bookings/${id}`))).body.data.booking;
  };
  const [first, second] = [await ask(), await ask()];
  const refused = await step(host, first, "cancel");
  expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
    403,
    "role_required",
    { required_role: "manager" },
  ]);
  expect((await step(manager, first, "cancel")).body.data.reservation.status).toBe("cancelled");
  expect((await app.call(lab.token, "POST", `/reservations/${second.reservation.id}/cancel`, { body: {} })).status).toBe(200);
  // A booking that was confirmed is theirs to cancel.
  expect((await step(host, await book(), "cancel")).body.data.reservation.status).toBe("cancelled");
});

test("JB-14 JE-06 the trial says whether a deposit is asked for, and by which rule, as the API tells guests", async () => {
  const ask = async (query: string): Promise<BookingTrial> => (await host.call("GET", venuePath(`/booking-trial?${query}`))).body.data;
  const rule = { party_size_min: 4, has_hours: true };
  expect((await ask(`date=${TODAY}&time=20:00&party_size=4`)).guarantee).toEqual({
    reason: "asked",
    asked: { type: "deposit", total_minor: 2000, amount_minor: 500, per_person: true },
    ...rule,
  });
  expect((await ask(`date=${TODAY}&time=20:00&party_size=3`)).guarantee).toEqual({ reason: "party_smaller", asked: null, ...rule });
  expect((await ask(`date=${TODAY}&time=18:30&party_size=4`)).guarantee).toEqual({ reason: "other_hours", asked: null, ...rule });
  expect((await ask(`date=${TODAY}&time=20:00&party_size=99`)).guarantee).toBeNull();
  const { slots } = (await app.call(lab.token, "GET", `/availability?date=${TODAY}&party_size=4`)).body.data;
  for (const time of ["18:30", "20:00"]) {
    const told = slots.find((slot: { time: string }) => slot.time === time).guarantee;
    expect([time, (await ask(`date=${TODAY}&time=${time}&party_size=4`)).guarantee?.asked !== null]).toEqual([time, told]);
  }
});

test("an evening is one day of service: bookings after midnight are on it, until 05:00", async () => {
  const late = await book({ time: "23:30" });
  const night = await book({ date: "2026-11-21", time: "01:30" });
  const morning = await book({ date: "2026-11-21", time: "05:00" });
  const [friday, saturday] = [await readDay(), await readDay("?date=2026-11-21")];
  expect(friday.date).toBe(TODAY);
  expect(idsOf(friday)).toEqual(expect.arrayContaining([late.reservation.id, night.reservation.id]));
  expect(idsOf(friday)).not.toContain(morning.reservation.id);
  expect(idsOf(saturday)).toContain(morning.reservation.id);
  expect(idsOf(saturday)).not.toContain(night.reservation.id);
  at("01:10", "2026-11-21");
  const past = await readDay();
  expect(past.date).toBe(TODAY);
  expect(idsOf(past)).toEqual(expect.arrayContaining([late.reservation.id, night.reservation.id]));
  expect([past.spans[0]?.from, past.spans.at(-1)?.to]).toEqual(["2026-11-20T05:00:00.000Z", "2026-11-21T05:00:00.000Z"]);
  at("05:00", "2026-11-21");
  expect((await readDay()).date).toBe("2026-11-21");
});

test("a booking that begins before 05:00 and ends after it is on both days while it is open", async () => {
  const early = await book({ date: "2026-11-21", time: "04:30" });
  expect(idsOf(await readDay())).toContain(early.reservation.id);
  expect(idsOf(await readDay("?date=2026-11-21"))).toContain(early.reservation.id);
});
