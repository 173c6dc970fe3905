/** Which tables a booking has while the evening goes on: after a move, when it is late, when its party becomes smaller, on another day. */
import { randomUUID } from "node:crypto";
import type { BookingDay, DayBooking } from "@comanda/contract/console/bookings.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const TODAY = "2026-11-20";

let app: TestApp;
let lab: TestVenue;
let host: TestUser;
let tables: Record<string, number>;

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
  });
  const rows = await app.database.asOwner<{ key: string; id: string }>("select key, id from dining_tables where restaurant_id = $1", [
    lab.id,
  ]);
  tables = Object.fromEntries(rows.map(({ key, id }) => [key, Number(id)]));
  host = await createUser(app, lab.slug, "staff", "hanna@lab.example");
});
afterAll(() => app.close());
afterEach(async () => {
  at("18:00");
  await app.database.asOwner("delete from reservation_tables where restaurant_id = $1", [lab.id]);
});

const write = (method: string, path: string, body: object) =>
  host.call(method, `/venues/${lab.slug}${path}`, { body, headers: { "idempotency-key": randomUUID() } });
const made = async (asked: ReturnType<typeof write>): Promise<DayBooking> => {
  const { status, body, text } = await asked;
  expect([200, 201], text).toContain(status);
  return body.data;
};
let guests = 0;
const book = (time: string, tableIds: number[], partySize = 2): Promise<DayBooking> => {
  const phone = `+1 555 ${String(++guests).padStart(4, "0")}`;
  return made(write("POST", "/bookings", { name: "Ada", phone, party_size: partySize, date: TODAY, time, table_ids: tableIds }));
};
const step = ({ reservation, version }: DayBooking, name: string) =>
  made(write("POST", `/bookings/${reservation.id}/steps`, { seen_version: version, step: name }));
const change = ({ reservation, version }: DayBooking, changes: object) =>
  made(write("PATCH", `/bookings/${reservation.id}`, { seen_version: version, ...changes }));
const readDay = async (query: string): Promise<BookingDay> => (await host.call("GET", `/venues/${lab.slug}/bookings${query}`)).body.data;

test("a party that moved to a table which another had before can stay longer there", async () => {
  const before = await step(await book("18:05", [tables.four ?? 0]), "seat");
  const party = await step(await book("18:05", [tables.two ?? 0]), "seat");
  at("18:50");
  await step(before, "leave");
  at("19:00");
  const moved = await change(party, { table_ids: [tables.four] });
  at("19:20");
  const longer = await change(moved, { minutes: 120 });
  expect([longer.table_ids, longer.ends_at]).toEqual([[tables.four], "2026-11-20T20:00:00.000Z"]);
});

test("a late party gets a table that became free after its time", async () => {
  const gone = await step(await book("18:05", [tables.six ?? 0]), "seat");
  const late = await book("18:30", [tables.four ?? 0]);
  at("18:40");
  await step(gone, "leave");
  at("18:45");
  const moved = await change(late, { table_ids: [tables.six] });
  expect([moved.table_ids, moved.starts_at]).toEqual([[tables.six], "2026-11-20T18:30:00.000Z"]);
  expect((await write("POST", "/walk-ins", { party_size: 2, table_ids: [tables.six] })).status).toBe(422);
});

test("a smaller party keeps its joined tables if one of them is too small, and frees the others if one is enough", async () => {
  const large = await book("19:00", [tables.four ?? 0, tables.six ?? 0], 9);
  const smaller = await change(large, { party_size: 8 });
  expect(new Set(smaller.table_ids)).toEqual(new Set([tables.four, tables.six]));
  expect((await change(smaller, { party_size: 4 })).table_ids).toEqual([tables.four]);
});

test("a party that is here is on the page of today, and on no later day", async () => {
  const seated = await step(await book("18:05", [tables.two ?? 0]), "seat");
  const idsOf = async (query: string) => (await readDay(query)).bookings.map(({ reservation }) => reservation.id);
  expect(await idsOf("?date=2026-11-27")).not.toContain(seated.reservation.id);
  at("00:20", "2026-11-21");
  expect(await idsOf("")).toContain(seated.reservation.id);
});

test("a late party that was given a table which became free after its time can sit down there", async () => {
  const gone = await step(await book("18:05", [tables.six ?? 0]), "seat");
  const late = await book("18:30", [tables.four ?? 0]);
  at("18:40");
  await step(gone, "leave");
  at("18:45");
  const seated = await step(await change(late, { table_ids: [tables.six] }), "seat");
  expect([seated.table_ids, seated.ends_at]).toEqual([[tables.six], late.ends_at]);
});

test("a party that was said to have left is at its joined tables again, unless another one sits there by now", async () => {
  const party = await step(await book("18:05", [tables.four ?? 0, tables.six ?? 0], 9), "seat");
  at("18:30");
  const left = await step(party, "leave");
  at("18:44");
  const back = await step(left, "undo_leave");
  expect([back.left_at, new Set(back.table_ids), back.ends_at]).toEqual([null, new Set([tables.four, tables.six]), party.ends_at]);
  expect((await write("POST", "/walk-ins", { party_size: 4, table_ids: [tables.four] })).status).toBe(422);
  at("18:45");
  const again = await step(back, "leave");
  await made(write("POST", "/walk-ins", { party_size: 4, table_ids: [tables.four] }));
  const undo = (seen: DayBooking) =>
    write("POST", `/bookings/${seen.reservation.id}/steps`, { seen_version: seen.version, step: "undo_leave" });
  const taken = await undo(again);
  expect([taken.status, taken.body.error.details.table_id]).toMatchObject([422, [expect.any(String)]]);
  at("19:01");
  const late = await undo(again);
  expect([late.status, late.body.error.code]).toEqual([409, "invalid_transition"]);
});

test("a party that comes after it was given up has its joined tables again; until then they are free", async () => {
  const large = await book("18:05", [tables.four ?? 0, tables.six ?? 0], 9);
  at("18:20");
  const given = await step(large, "no_show");
  const other = await made(write("POST", "/walk-ins", { party_size: 4, table_ids: [tables.four] }));
  await step(other, "leave");
  at("18:25");
  const back = await step(given, "undo_no_show");
  expect(new Set(back.table_ids)).toEqual(new Set([tables.four, tables.six]));
});

test("a table can be blocked from a time before now: the block begins now, and who was there before does not matter", async () => {
  const party = await step(await book("18:05", [tables.two ?? 0]), "seat");
  at("18:30");
  await step(party, "leave");
  at("18:31");
  const manager = await createUser(app, lab.slug, "manager", "mia@lab.example");
  const body = { table_ids: [tables.two], starts_at: `${TODAY}T18:00:00Z`, ends_at: `${TODAY}T20:00:00Z`, reason: "A broken leg" };
  const answer = await manager.call("POST", `/venues/${lab.slug}/table-blocks`, { body, headers: { "idempotency-key": randomUUID() } });
  expect([answer.status, answer.body.data?.starts_at], answer.text).toEqual([201, `${TODAY}T18:31:00.000Z`]);
});

test("a block names a branch of the venue, lasts five minutes at least, and blocks hold a bounded number of tables", async () => {
  at("12:00");
  const manager = await createUser(app, lab.slug, "manager", "moa@lab.example");
  const block = async (body: object) => {
    const answer = await manager.call("POST", `/venues/${lab.slug}/table-blocks`, {
      body: { starts_at: `${TODAY}T13:00:00Z`, ends_at: `${TODAY}T13:30:00Z`, reason: "Paint", ...body },
      headers: { "idempotency-key": randomUUID() },
    });
    return [answer.status, ...Object.keys(answer.body.error?.details ?? {})];
  };
  expect(await block({ branch_id: 999_999 })).toEqual([422, "branch_id"]);
  expect(await block({ table_ids: [tables.two], ends_at: `${TODAY}T13:04:59Z` })).toEqual([422, "ends_at"]);
  const [held] = await app.database.asOwner<{ id: string }>(
    `insert into table_blocks (restaurant_id, id, branch_id, starts_at, ends_at, reason, blocked_by, created_at)
     select restaurant_id, gen_random_uuid(), branch_id, '2027-01-01', '2027-01-02', 'many', 'Moa', now() from dining_tables where id = $1 returning id`,
    [tables.two],
  );
  await app.database.asOwner(
    `insert into reservation_tables (restaurant_id, table_id, block_id, during)
     select $1, $2, $3, tstzrange(t, t + interval '1 second') from generate_series('2027-01-01'::timestamptz, '2027-01-01 01:23:18', '1 second') t`,
    [lab.id, tables.two, held?.id],
  );
  expect(await block({ table_ids: [tables.two] })).toEqual([201]);
  expect(await block({ table_ids: [tables.four] })).toEqual([422, "table_ids"]);
  await app.database.asOwner("delete from reservation_tables where block_id = $1", [held?.id]);
});

test("a branch that is not there is refused: the party gets no table in another one", async () => {
  const wanted = { party_size: 2, branch_id: 999_999 };
  const caller = { name: "Ada", phone: "+1 555 0000" };
  const asks: [string, object][] = [
    ["/bookings", { ...wanted, ...caller, date: TODAY, time: "19:00" }],
    ["/walk-ins", wanted],
    ["/waitlist", { ...wanted, ...caller }],
  ];
  for (const [path, body] of asks) {
    const { status, body: answer } = await write("POST", path, body);
    expect([path, status, answer.error?.details]).toEqual([path, 422, { branch_id: ["There is no such branch."] }]);
  }
  // The chosen tables name the branch.
  expect((await write("POST", "/walk-ins", { ...wanted, table_ids: [tables.two] })).status).toBe(201);
});

test("a seated party keeps its table when staff choose none", async () => {
  const party = await step(await book("18:05", [tables.two ?? 0]), "seat");
  const kept = await change(party, { table_ids: [], party_size: 1 });
  expect(kept.table_ids).toEqual([tables.two]);
  expect((await write("POST", "/walk-ins", { party_size: 2, table_ids: [tables.two] })).status).toBe(422);
});

test("who has arrived and then comes on another day has not arrived for it", async () => {
  const booking = await step(await book("19:00", [tables.two ?? 0]), "arrive");
  expect(booking.arrived_at).not.toBeNull();
  const later = await change(await change(booking, { note: "window" }), { time: "19:15" });
  expect([later.reservation.time, later.arrived_at]).toEqual(["19:15", booking.arrived_at]);
  const again = await book("19:30", [tables.four ?? 0]);
  const moved = await change(await step(again, "arrive"), { date: "2026-11-27" });
  expect([moved.reservation.date, moved.arrived_at]).toEqual(["2026-11-27", null]);
});

test("a page that showed tomorrow, and goes on when tomorrow is today, gets the parties that are still here", async () => {
  const seated = await step(await book("18:05", [tables.two ?? 0]), "seat");
  const { position } = await readDay("?date=2026-11-21");
  at("05:10", "2026-11-21");
  const day = await readDay(`?date=2026-11-21&after=${position}`);
  expect([day.is_whole, day.bookings.map(({ reservation }) => reservation.id)]).toEqual([true, [seated.reservation.id]]);
});

test("after the end of its day of service a party that was said to have left is on the page of today while that can be undone", async () => {
  const seated = await step(await book("18:05", [tables.two ?? 0]), "seat");
  at("05:10", "2026-11-21");
  const left = await step(seated, "leave");
  const isShown = async () => (await readDay("")).bookings.some(({ reservation }) => reservation.id === left.reservation.id);
  expect(await isShown()).toBe(true);
  at("05:26", "2026-11-21");
  expect(await isShown()).toBe(false);
});
