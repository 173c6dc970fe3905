/** Bookings as the host works with them, over HTTP: arrivals, walk-ins, moves, joined tables, blocks, deposits. */
import { randomUUID } from "node:crypto";
import type { BookingDay, DayBooking } from "@comanda/contract/console/bookings.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { changePlanState } from "#platform/tenants/service.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const NOW = "2026-11-20T18:00:00Z";
const TODAY = "2026-11-20";

let app: TestApp;
let lab: TestVenue;
let host: TestUser;
let other: TestUser;
let manager: TestUser;
let tables: Record<string, number>;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(NOW);
  lab = await app.venue("lab", (file) => {
    file.restaurant.zone = "UTC";
    const branch = file.branches.find(({ is_default }) => is_default)?.key ?? "";
    file.tables = [
      ["two", 2],
      ["four", 4],
      ["six", 6],
    ].map(([key, seats]) => ({ key: String(key), branch, name: String(key), code: String(key), seats: Number(seats), is_active: true }));
    file.table_combinations = [];
  });
  const rows = await app.database.asOwner<{ key: string; id: string }>("select key, id from dining_tables where restaurant_id = $1", [
    lab.id,
  ]);
  tables = Object.fromEntries(rows.map(({ key, id }) => [key, Number(id)]));
  host = await createUser(app, lab.slug, "staff", "hanna@lab.example");
  other = await createUser(app, lab.slug, "staff", "omar@lab.example");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
});
afterAll(() => app.close());
afterEach(async () => {
  app.clock.set(NOW);
  await app.database.asOwner("delete from reservation_tables where restaurant_id = $1", [lab.id]);
});

const venuePath = (path: string): string => `/venues/${lab.slug}${path}`;
const write = (who: TestUser, method: string, path: string, body?: object) =>
  who.call(method, venuePath(path), { ...(body ? { body } : {}), headers: { "idempotency-key": randomUUID() } });
const book = async (changes: object = {}): Promise<DayBooking> => {
  const body = { name: "Ada", phone: "+1 555 0100", party_size: 2, date: TODAY, time: "19:00", ...changes };
  const { status, body: answer, text } = await write(host, "POST", "/bookings", body);
  expect(status, text).toBe(201);
  return answer.data;
};
const step = (who: TestUser, { reservation, version }: DayBooking, name: string) =>
  write(who, "POST", `/bookings/${reservation.id}/steps`, { seen_version: version, step: name });
const stepped = async (booking: DayBooking, name: string): Promise<DayBooking> => {
  const { status, body, text } = await step(host, booking, name);
  expect(status, text).toBe(200);
  return body.data;
};
const change = (who: TestUser, { reservation, version }: DayBooking, changes: object) =>
  write(who, "PATCH", `/bookings/${reservation.id}`, { seen_version: version, ...changes });
const readDay = async (query = ""): Promise<BookingDay> => {
  const { status, body, text } = await host.call("GET", venuePath(`/bookings${query}`));
  expect(status, text).toBe(200);
  return body.data;
};
const at = (time: string): void => app.clock.set(`${TODAY}T${time}:00Z`);
const eventsOf = async (id: string): Promise<{ type: string; changed?: string[] }[]> => {
  const rows = await app.database.asOwner<{ type: string; body: string }>(
    "select type, body from events where body like '%' || $1 || '%' order by id",
    [id],
  );
  return rows.map(({ type, body }) => {
    const { changed } = JSON.parse(body).data;
    return changed ? { type, changed } : { type };
  });
};
const walkIn = (body: object) => write(host, "POST", "/walk-ins", body);

test("the day shows its bookings with tables, and afterwards only what changed", async () => {
  const booking = await book();
  const day = await readDay();
  expect(day).toMatchObject({ date: TODAY, is_whole: true, zone: "UTC" });
  expect(day.tables.map(({ name }) => name)).toEqual(["two", "four", "six"]);
  expect(day.bookings).toContainEqual(booking);
  expect(booking).toMatchObject({ version: 1, table_ids: [tables.two], ends_at: "2026-11-20T20:30:00.000Z", is_walk_in: false });
  expect((await readDay(`?after=${day.position}`)).bookings).toEqual([]);
  const arrived = await stepped(booking, "arrive");
  const delta = await readDay(`?after=${day.position}`);
  expect([delta.is_whole, delta.bookings]).toEqual([false, [arrived]]);
});

test("JB-04 arrived and left are not in the API: no event, no updated_at; seated is; leaving frees the table at once", async () => {
  const booking = await book();
  const before = (await app.call(lab.token, "GET", `/reservations/${booking.reservation.id}`)).body.data;
  const arrived = await stepped(booking, "arrive");
  expect(arrived.arrived_at).toBe("2026-11-20T18:00:00.000Z");
  expect((await app.call(lab.token, "GET", `/reservations/${booking.reservation.id}`)).body.data).toEqual(before);
  at("19:02");
  const seated = await stepped(arrived, "seat");
  expect(seated.reservation).toMatchObject({ status: "seated", table_id: tables.two });
  at("19:40");
  expect((await walkIn({ party_size: 2, table_ids: [tables.two] })).status).toBe(422);
  const left = await stepped(seated, "leave");
  expect([left.reservation.status, left.reservation.table_id, left.left_at]).toEqual(["seated", tables.two, "2026-11-20T19:40:00.000Z"]);
  expect((await walkIn({ party_size: 2, table_ids: [tables.two] })).status).toBe(201);
  expect(await eventsOf(booking.reservation.id)).toEqual([
    { type: "reservation.created" },
    { type: "reservation.updated", changed: ["status"] },
  ]);
});

test("a party that stays past its end keeps its table, and the next one is not seated there", async () => {
  const first = await stepped(await book({ time: "18:05", table_ids: [tables.two] }), "seat");
  const next = await book({ time: "19:35", table_ids: [tables.two], phone: "+1 555 0101" });
  at("19:40");
  const refused = await step(host, next, "seat");
  expect([refused.status, refused.body.error.details]).toEqual([422, { table_id: ["The table is taken at that time."] }]);
  expect((await walkIn({ party_size: 2, table_ids: [tables.two] })).status).toBe(422);
  await stepped(first, "leave");
  expect((await step(host, next, "seat")).status).toBe(200);
});

test("a party that comes early gets its table if no other party is there", async () => {
  const early = await book({ time: "20:00", table_ids: [tables.four] });
  await book({ time: "18:15", table_ids: [tables.four], phone: "+1 555 0102" });
  expect((await step(host, early, "seat")).status).toBe(422);
  const alone = await book({ time: "20:00", table_ids: [tables.six], phone: "+1 555 0103" });
  const seated = await stepped(alone, "seat");
  expect((await walkIn({ party_size: 6, table_ids: [tables.six] })).status).toBe(422);
  expect(seated.starts_at).toBe("2026-11-20T20:00:00.000Z");
});

test("JB-05 a no-show frees the table; within 15 minutes it can be taken back if a table is free", async () => {
  const booking = await book({ time: "18:05" });
  const early = await step(host, booking, "no_show");
  expect([early.status, early.body.error.code]).toEqual([409, "invalid_transition"]);
  at("18:05");
  const gone = await stepped(booking, "no_show");
  expect(gone.no_show_at).not.toBeNull();
  at("18:19");
  const back = await stepped(gone, "undo_no_show");
  expect([back.reservation.status, back.table_ids]).toEqual(["confirmed", [tables.two]]);
  const again = await stepped(back, "no_show");
  await book({ time: "18:20", table_ids: [tables.two], phone: "+1 555 0104" });
  const elsewhere = await stepped(again, "undo_no_show");
  expect(elsewhere.table_ids).toEqual([tables.four]);
  const third = await stepped(elsewhere, "no_show");
  at("18:35");
  const late = await step(host, third, "undo_no_show");
  expect([late.status, late.body.error.code]).toEqual([409, "invalid_transition"]);
  expect((await eventsOf(booking.reservation.id)).map(({ changed }) => changed)).toEqual([
    undefined,
    ["status"],
    ["status"],
    ["status"],
    ["status", "table_id"],
    ["status"],
  ]);
});

test("JB-03 a walk-in gets the smallest free table, is seated at once, and has no guest and no message", async () => {
  const { status, body, text } = await walkIn({ party_size: 3 });
  expect(status, text).toBe(201);
  expect(body.data).toMatchObject({
    is_walk_in: true,
    table_ids: [tables.four],
    guest_id: null,
    reservation: { status: "seated", name: "Walk-in", phone: "", date: TODAY, time: "18:00" },
  });
  expect(await eventsOf(body.data.reservation.id)).toEqual([{ type: "reservation.created" }]);
  const offers = await host.call("GET", venuePath("/walk-in-tables"));
  expect(offers.body.data.map((offer: { party_size: number; table_ids: number[] }) => [offer.party_size, offer.table_ids])).toEqual([
    [1, [tables.two]],
    [2, [tables.two]],
    [3, [tables.six]],
    [4, [tables.six]],
    [5, [tables.six]],
    [6, [tables.six]],
  ]);
  expect((await walkIn({ party_size: 7 })).body.error.details).toEqual({ party_size: ["No table is free for this party at that time."] });
});

test("a walk-in sits until the next booking, half an hour at least", async () => {
  await book({ time: "18:45", party_size: 6 });
  const { body } = await walkIn({ party_size: 6 });
  expect(body.data.ends_at).toBe("2026-11-20T18:45:00.000Z");
  await book({ time: "18:20", party_size: 4, phone: "+1 555 0105" });
  expect((await walkIn({ party_size: 4, table_ids: [tables.four] })).status).toBe(422);
});

test("JB-06 JB-07 JB-11 a booking moves in time, to other tables, to joined tables, and keeps its length", async () => {
  const booking = await book();
  const longer = (await change(host, booking, { minutes: 120 })).body.data;
  expect(longer.ends_at).toBe("2026-11-20T21:00:00.000Z");
  const moved = (await change(host, longer, { time: "20:00" })).body.data;
  expect([moved.reservation.time, moved.ends_at, moved.table_ids]).toEqual(["20:00", "2026-11-20T22:00:00.000Z", [tables.two]]);
  const joined = (await change(host, moved, { party_size: 9, table_ids: [tables.four, tables.six] })).body.data;
  expect([joined.reservation.party_size, joined.table_ids]).toEqual([
    9,
    [tables.four, tables.six].toSorted((a, b) => Number(a) - Number(b)),
  ]);
  const small = await change(host, joined, { party_size: 11 });
  expect([small.status, Object.keys(small.body.error.details)]).toEqual([422, ["time"]]);
  await book({ time: "20:30", table_ids: [tables.two], phone: "+1 555 0106" });
  const taken = await change(host, joined, { party_size: 2, table_ids: [tables.two] });
  expect(taken.body.error.details).toEqual({ table_id: ["The table is taken at that time."] });
  const renamed = (await change(host, joined, { name: "Ada L.", phone: "+1 555 9999", note: "by the window" })).body.data;
  expect(renamed.reservation).toMatchObject({ name: "Ada L.", phone: "+1 555 9999", note: "by the window" });
  const [entry] = await app.database.asOwner<{ after: object }>(
    "select after from audit_entries where subject_id = $1 order by id desc limit 1",
    [booking.reservation.id],
  );
  expect(entry?.after).toEqual({ name: "…", phone: "…", note: "…" });
});

test("a booking whose time has come can still be given another table, and one that is seated too", async () => {
  const booking = await book({ time: "18:10" });
  at("18:20");
  const moved = (await change(host, booking, { table_ids: [tables.four] })).body.data;
  expect(moved.table_ids).toEqual([tables.four]);
  const seated = await stepped(moved, "seat");
  const later = (await change(host, seated, { table_ids: [tables.six] })).body.data;
  expect([later.reservation.status, later.table_ids]).toEqual(["seated", [tables.six]]);
  expect((await walkIn({ party_size: 4, table_ids: [tables.four] })).status).toBe(201);
  expect((await walkIn({ party_size: 6, table_ids: [tables.six] })).status).toBe(422);
});

test("a booking for another day is not seated by a tap; a party at its table changes from now on", async () => {
  const tomorrow = await book({ date: "2026-11-21" });
  for (const name of ["arrive", "seat", "no_show"]) expect((await step(host, tomorrow, name)).status, name).toBe(409);
  const [late, gone] = [
    await book({ time: "18:05", table_ids: [tables.two] }),
    await book({ time: "18:05", party_size: 4, phone: "+1 555 0120" }),
  ];
  await write(manager, "PATCH", `/bookings/${late.reservation.id}`, { seen_version: 1, minutes: 30 });
  at("18:10");
  const there = await stepped(gone, "seat");
  at("18:20");
  await stepped(there, "leave");
  at("18:50");
  // It comes after the end of its stay, and takes the table that another party has left meanwhile.
  const seated = await stepped({ ...late, version: 2 }, "seat");
  const moved = await change(host, seated, { party_size: 3, table_ids: [tables.four] });
  expect([moved.status, moved.body.data.table_ids]).toEqual([200, [tables.four]]);
  expect((await change(host, moved.body.data, { time: "20:00" })).status).toBe(422);
  const other = await stepped(await book({ time: "18:55", table_ids: [tables.six], phone: "+1 555 0121" }), "seat");
  const taken = await change(host, moved.body.data, { table_ids: [tables.six] });
  expect(taken.body.error.details).toEqual({ table_id: ["The table is taken at that time."] });
  await stepped(other, "leave");
});

test("another phone number on a booking belongs to another guest; a declined request gives its deposit back", async () => {
  const booking = await book({ name: "Anna", phone: "+1 555 0130" });
  const changed = (await change(host, booking, { name: "Ben", phone: "+1 555 0131" })).body.data;
  const [ben] = await app.database.asOwner<{ id: string; name: string }>("select id, name from guests where phone = '+1 555 0131'");
  expect([ben?.name, changed.guest_id]).toEqual(["Ben", Number(ben?.id)]);
  const asked = { name: "Ida", phone: "+1 555 0132", party_size: 2, date: "2026-11-22", time: "19:00", status: "pending" };
  const { id } = (await app.call(lab.token, "POST", "/reservations", { body: asked })).body.data;
  const act = (path: string, version: number, body: object) =>
    write(manager, "POST", `/bookings/${id}/${path}`, { seen_version: version, ...body });
  expect((await act("deposit", 1, { amount_minor: 900 })).status).toBe(200);
  expect((await act("payments", 2, { method: "cash" })).status).toBe(201);
  const declined = (await act("answer", 3, { answer: "decline" })).body.data;
  expect([declined.reservation.status, declined.reservation.deposit_status, declined.paid_minor]).toEqual(["declined", "refunded", 0]);
});

test("after midnight an open booking of the evening before is still on the page", async () => {
  const late = await book({ time: "23:45" });
  app.clock.set("2026-11-21T00:10:00Z");
  expect((await readDay()).bookings.map(({ reservation }) => reservation.id)).toContain(late.reservation.id);
  app.clock.set("2026-11-22T00:10:00Z");
  expect((await readDay()).bookings.map(({ reservation }) => reservation.id)).not.toContain(late.reservation.id);
});

test("two hosts on one booking: one effect, and the other is told who was faster", async () => {
  const booking = await book();
  const [first, second] = [await step(other, booking, "arrive"), await step(host, booking, "no_show")];
  expect([first.status, second.status]).toEqual([200, 409]);
  expect(second.body.error).toMatchObject({ code: "state_changed", details: { changed_by: "omar", booking: { version: 2 } } });
  expect((await eventsOf(booking.reservation.id)).length).toBe(1);
});

test("JB-09 a request is confirmed or declined by a manager, and the guest is told", async () => {
  const ask = async (phone: string) => {
    const body = { name: "Ida", phone, party_size: 2, date: "2026-11-21", time: "19:00", status: "pending" };
    return (await app.call(lab.token, "POST", "/reservations", { body })).body.data.id as string;
  };
  const [yes, no] = [await ask("+1 555 0107"), await ask("+1 555 0108")];
  const answer = (who: TestUser, id: string, word: string) =>
    write(who, "POST", `/bookings/${id}/answer`, { seen_version: 1, answer: word });
  expect((await answer(host, yes, "confirm")).status).toBe(403);
  expect((await answer(manager, yes, "confirm")).body.data.reservation.status).toBe("confirmed");
  expect((await answer(manager, no, "decline")).body.data.reservation.status).toBe("declined");
  const kinds = await app.database.asOwner<{ kind: string }>(
    "select kind from notifications where recipient in ('+15550107', '+15550108', '+1 555 0107', '+1 555 0108') order by id",
  );
  expect(kinds.map(({ kind }) => kind)).toEqual([
    "reservation.requested",
    "reservation.requested",
    "reservation.confirmed",
    "reservation.cancelled",
  ]);
});

test("JB-12 a deposit is asked for, taken and refunded; a cancelled booking gives it back", async () => {
  const deposit = (booking: DayBooking, path: string, body: object) =>
    write(manager, "POST", `/bookings/${booking.reservation.id}/${path}`, { seen_version: booking.version, ...body });
  const booking = await book();
  const asked = (await deposit(booking, "deposit", { amount_minor: 2000 })).body.data;
  expect(asked.reservation).toMatchObject({ deposit_minor: 2000, deposit_status: "pending" });
  const paid = (await deposit(asked, "payments", { method: "card_terminal" })).body.data;
  expect([paid.reservation.deposit_status, paid.paid_minor]).toEqual(["paid", 2000]);
  expect((await deposit(paid, "payments", { method: "cash" })).status).toBe(422);
  const refunded = (await deposit(paid, "refunds", { reason: "called in time" })).body.data;
  expect([refunded.reservation.deposit_status, refunded.paid_minor]).toEqual(["refunded", 0]);
  const second = await book({ phone: "+1 555 0109" });
  const due = (await deposit(second, "deposit", { amount_minor: 1500 })).body.data;
  const taken = (await deposit(due, "payments", { method: "cash" })).body.data;
  const cancelled = await stepped(taken, "cancel");
  expect([cancelled.reservation.status, cancelled.reservation.deposit_status, cancelled.paid_minor]).toEqual(["cancelled", "refunded", 0]);
  for (const { reservation } of [booking, second])
    expect((await eventsOf(reservation.id)).map(({ type }) => type)).toContain("payment.refunded");
});

test("JB-13 a blocked table is given to no party, and a booked one cannot be blocked", async () => {
  const block = (changes: object = {}) =>
    write(manager, "POST", "/table-blocks", {
      table_ids: [tables.two],
      starts_at: "2026-11-20T18:30:00Z",
      ends_at: "2026-11-20T21:00:00Z",
      reason: "a broken chair",
      ...changes,
    });
  const { status, body, text } = await block();
  expect(status, text).toBe(201);
  expect((await readDay()).blocks).toEqual([body.data]);
  expect((await book()).table_ids).toEqual([tables.four]);
  expect((await block({ table_ids: [tables.four] })).status).toBe(422);
  expect((await block({ table_ids: [] })).status).toBe(422);
  const end = () => write(manager, "DELETE", `/table-blocks/${body.data.id}`);
  expect([(await end()).status, (await end()).status]).toEqual([200, 404]);
  expect((await book({ phone: "+1 555 0110" })).table_ids).toEqual([tables.two]);
  expect((await write(host, "POST", "/table-blocks", { ...body.data })).status).toBe(403);
});

test("JB-14 the trial says yes with the tables, or no with every reason", async () => {
  const ask = async (query: string) => (await host.call("GET", venuePath(`/booking-trial?${query}`))).body.data;
  expect(await ask(`date=${TODAY}&time=20:00&party_size=4`)).toMatchObject({ is_possible: true, table_ids: [tables.four], refusals: [] });
  await book({ time: "20:00", party_size: 6 });
  expect(await ask(`date=${TODAY}&time=20:00&party_size=5`)).toMatchObject({
    is_possible: false,
    refusals: [{ field: "time", reason: "no_free_table", values: {} }],
  });
  expect((await ask("date=2026-11-19&time=20:00&party_size=99")).refusals.map(({ reason }: { reason: string }) => reason)).toEqual([
    "party_too_large",
    "past",
  ]);
  const times = (await host.call("GET", venuePath(`/booking-times?date=${TODAY}&party_size=6`))).body.data;
  const free = (time: string) => times.find((one: { time: string }) => one.time === time)?.is_free;
  expect([free("17:30"), free("18:00"), free("20:30"), free("21:30")]).toEqual([false, true, false, true]);
});

test("JB-10 the waitlist: added with a quote from real stays, told, seated by the engine, one effect", async () => {
  const add = async (body: object) =>
    (await write(host, "POST", "/waitlist", { name: "Wes", phone: "+1 555 0111", party_size: 6, ...body })).body.data;
  expect((await add({})).quoted_minutes).toBe(0);
  const stay = await walkIn({ party_size: 6 });
  expect(stay.status, stay.text).toBe(201);
  const entry = await add({ name: "Wanda", phone: "+1 555 0112" });
  // One party waits already: it takes the first turn of 90 minutes at the only table for six.
  expect(entry.quoted_minutes).toBe(180);
  expect((await readDay()).waitlist.map(({ name }) => name)).toEqual(["Wes", "Wanda"]);
  const act = (who: TestUser, path: string, version: number) =>
    write(who, "POST", `/waitlist/${entry.id}/${path}`, { seen_version: version });
  expect((await act(host, "seat", 1)).status).toBe(422);
  at("18:30");
  await stepped(stay.body.data, "leave");
  expect((await act(host, "notify", 1)).body.data).toMatchObject({ version: 2, notified_at: "2026-11-20T18:30:00.000Z" });
  const [seated, late] = [await act(host, "seat", 2), await act(other, "remove", 2)];
  expect([seated.status, late.status, late.body.error.details.changed_by]).toEqual([201, 409, "hanna"]);
  expect(seated.body.data.reservation).toMatchObject({ name: "Wanda", status: "seated", party_size: 6 });
  expect((await readDay()).waitlist.map(({ name }) => name)).toEqual(["Wes"]);
});

test("a plan without reservations has no bookings page", async () => {
  const bare = await app.venue("lab");
  const member = await createUser(app, bare.slug, "staff", "bea@bare.example");
  await forVenue(app.deps, bare.slug, (ctx) => changePlanState(ctx, { plan: "essential" }));
  const { status, body } = await member.call("GET", `/venues/${bare.slug}/bookings`);
  expect([status, body.error.code]).toEqual([403, "plan_feature_unavailable"]);
});
