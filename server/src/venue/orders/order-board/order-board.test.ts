/** The orders board over HTTP: what staff see, how they move an order, and what they take for it. */
import { randomUUID } from "node:crypto";
import type { Role } from "@comanda/contract/console/operation.ts";
import type { Board, BoardOrder } from "@comanda/contract/console/orders.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canContinue, formatPosition, parsePosition } from "#lib/page-position.ts";
import { changePlanState } from "#platform/tenants/service.ts";
import { eraseGuest } from "#venue/guest-records/erasure/service.ts";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { parseSearch } from "./rules.ts";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let colleague: TestUser;
let manager: TestUser;

const venuePath = (path: string): string => `/venues/${lab.slug}${path}`;
const person = (role: Role, name: string) => createUser(app, lab.slug, role, `${name}@lab.example`);

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", (file) => {
    file.restaurant.zone = "Europe/Berlin";
  });
  [staff, colleague, manager] = [await person("staff", "sam"), await person("staff", "cleo"), await person("manager", "max")];
});
afterAll(() => app.close());

const place = (changes: Record<string, unknown> = {}) => placeLabOrder(app, lab, changes);
const readBoard = async (after?: string): Promise<Board> => {
  const { status, body, text } = await staff.call("GET", venuePath(`/board${after === undefined ? "" : `?after=${after}`}`));
  expect(status, text).toBe(200);
  return body.data;
};
const onBoard = async (id: string): Promise<BoardOrder | undefined> => (await readBoard()).orders.find(({ order }) => order.id === id);
const move = (who: TestUser, id: string, body: object, key: string = randomUUID()) =>
  who.call("POST", venuePath(`/orders/${id}/status`), { body, headers: { "idempotency-key": key } });
const accept = (who: TestUser, id: string, key?: string) => move(who, id, { seen_status: "placed", status: "accepted" }, key);
const pay = (who: TestUser, id: string, body: object, key: string = randomUUID()) =>
  who.call("POST", venuePath(`/orders/${id}/payments`), { body, headers: { "idempotency-key": key } });
const entriesOf = (id: string) =>
  app.database.asOwner<{ action: string; actor_name: string }>(
    "select action, actor_name from audit_entries where subject_id = $1 order by id",
    [id],
  );

test("orders of a branch are numbered in their order of placing, from 1 again when the day of service begins at 05:00", async () => {
  const numberOf = async (instant: string, changes: Record<string, unknown> = {}) => {
    app.clock.set(instant);
    return (await onBoard(await place(changes)))?.number ?? null;
  };
  // 04:59 and 05:00 in Berlin.
  const first = await numberOf("2026-11-18T03:58:00Z");
  expect(first).not.toBeNull();
  expect(await numberOf("2026-11-18T03:59:00Z")).toBe((first ?? 0) + 1);
  expect(await numberOf("2026-11-18T04:00:00Z")).toBe(1);
  expect(await numberOf("2026-11-18T04:00:01Z")).toBe(2);
  // An order for tomorrow takes a number of tomorrow.
  expect(await numberOf("2026-11-18T12:00:00Z", { scheduled_for: "2026-11-19T12:00:00Z" })).toBe(1);
  expect(await numberOf("2026-11-19T12:00:00Z")).toBe(2);
  app.clock.set("2026-11-14T12:00:00Z");
});

test("twenty orders at once get twenty numbers without a gap", async () => {
  app.clock.set("2026-11-25T12:00:00Z");
  const placed = await Promise.all(Array.from({ length: 20 }, (_, index) => place({ customer_phone: `+1 555 02${index}` })));
  const rows = await app.database.asOwner<{ number: number }>("select number from orders where id = any($1) order by number", [placed]);
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  app.clock.set("2026-11-14T12:00:00Z");
});

test("the board shows open orders with promised time, and afterwards only what changed", async () => {
  const id = await place();
  const whole = await readBoard();
  expect(whole.is_whole).toBe(true);
  expect(whole.orders.find(({ order }) => order.id === id)).toMatchObject({
    promised_at: "2026-11-14T12:20:00.000Z",
    held_until: null,
    paid_minor: 0,
    order: { status: "placed" },
  });
  expect((await readBoard(whole.position)).orders).toEqual([]);
  expect((await accept(staff, id)).status).toBe(200);
  const later = await place();
  const delta = await readBoard(whole.position);
  expect([delta.is_whole, delta.orders.map(({ order }) => [order.id, order.status])]).toEqual([
    false,
    [
      [id, "accepted"],
      [later, "placed"],
    ],
  ]);
  // A closed order is sent once more, as closed.
  expect((await move(staff, id, { seen_status: "accepted", status: "cancelled", reason: "guest left" })).status).toBe(200);
  const closing = await readBoard(delta.position);
  expect(closing.orders.map(({ order }) => [order.id, order.status])).toEqual([[id, "cancelled"]]);
  expect(await onBoard(id)).toBeUndefined();
});

test("a position of another epoch, a broken one and one that is too old get the whole board", async () => {
  const { position } = await readBoard();
  const [epoch, number, at] = position.split(".");
  for (const after of [`1-0.${number}.${at}`, "nonsense", `${epoch}.${number}.0`, `${epoch}.${Number(number) + 1}.${at}`])
    expect((await readBoard(after)).is_whole).toBe(true);
});

test("of two people who accept at once one is told who was faster; a repeat with the same key gets its first answer", async () => {
  const id = await place();
  const key = randomUUID();
  const first = await accept(staff, id, key);
  expect([first.status, first.body.data.order.status]).toEqual([200, "accepted"]);
  const second = await accept(colleague, id);
  expect([second.status, second.body.error.code]).toEqual([409, "state_changed"]);
  expect(second.body.error.details).toMatchObject({ changed_by: "sam", order: { order: { id, status: "accepted" } } });
  const again = await accept(staff, id, key);
  expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, first.text, "true"]);
  expect(await entriesOf(id)).toEqual([
    { action: "order.placed", actor_name: "test" },
    { action: "order.moved", actor_name: "sam" },
  ]);
});

test("a key belongs to the person in the venue: another body is refused, another person's key is another key", async () => {
  const [one, two] = [await place(), await place()];
  const key = randomUUID();
  expect((await accept(staff, one, key)).status).toBe(200);
  expect((await accept(staff, two, key)).body.error.code).toBe("idempotency_key_reused");
  expect((await accept(colleague, two, key)).status).toBe(200);
});

test("an impossible move is refused as in the API; an unknown order and one of another venue are not found", async () => {
  const id = await place();
  const illegal = await move(staff, id, { seen_status: "placed", status: "completed" });
  expect([illegal.status, illegal.body.error.code]).toEqual([409, "invalid_transition"]);
  const other = await app.venue("gulf-cafe");
  const owner = await createUser(app, other.slug, "owner");
  const foreign = await owner.call("POST", `/venues/${other.slug}/orders/${id}/status`, {
    body: { seen_status: "placed", status: "accepted" },
  });
  expect(foreign.status).toBe(404);
  expect((await staff.call("GET", venuePath("/orders/not-a-uuid"))).status).toBe(404);
  expect((await staff.call("GET", venuePath(`/orders/${randomUUID()}`))).status).toBe(404);
});

test("an order is found by its number, its name and the last digits of its phone number", async () => {
  const id = await place({ customer_name: "Grace O'Hopper_100%", customer_phone: "+1 (555) 77-31-99" });
  const number = (await onBoard(id))?.number;
  const search = async (text: string) =>
    (await staff.call("GET", venuePath(`/orders?search=${encodeURIComponent(text)}`))).body.data.map(({ order }: BoardOrder) => order.id);
  for (const text of [`${number}`, `#${number}`, "hopper", "HOPPER_100%", "3199", "773199"]) expect(await search(text), text).toContain(id);
  for (const text of ["hopperX", "h%r", "99999", `#${(number ?? 0) + 900}`]) expect(await search(text), text).not.toContain(id);
  expect((await staff.call("GET", venuePath("/orders"))).body.data.map(({ order }: BoardOrder) => order.status)).not.toContain("placed");
  const arabic = String(number).replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
  for (const text of [arabic, `#${arabic}`, "٣١٩٩", "۳۱۹۹"]) expect(await search(text), text).toContain(id);
  // No order has such a number: nothing is found, not everything.
  for (const text of ["0", "#0", "#1234567", " "]) expect(await search(text), text).toEqual([]);
});

test("an order is found by its table and by its street, and by no part of another table's number", async () => {
  const { tables } = (await manager.call("GET", venuePath("/order-form"))).body.data as { tables: { code: string; name: string }[] };
  const [table] = tables;
  if (!table) throw new Error("The lab has no table");
  const inside = await place({ type: "dine_in", table_code: table.code });
  const search = async (text: string) =>
    (await staff.call("GET", venuePath(`/orders?search=${encodeURIComponent(text)}`))).body.data.map(({ order }: BoardOrder) => order.id);
  for (const text of [table.name, table.name.toUpperCase()]) expect(await search(text), text).toContain(inside);
  const rename = `update orders set table_snapshot = jsonb_set(table_snapshot, '{name}', '"Table 712"'),
    delivery_address = '{"line1": "Gallows Road 4", "city": "Labtown"}' where id = $1`;
  await app.database.asOwner(rename, [inside]);
  const found = [await search("712"), await search("12"), await search("#712")];
  expect(found.map((ids) => ids.includes(inside))).toEqual([true, false, false]);
  for (const text of ["gallows road", "Labtown"]) expect(await search(text), text).toContain(inside);
});

test("an order says since when the kitchen is done, and a later change does not move that time", async () => {
  const id = await place();
  const moved = async (seen_status: string, status: string): Promise<void> => {
    const headers = { "idempotency-key": randomUUID() };
    const answer = await staff.call("POST", venuePath(`/orders/${id}/status`), { body: { seen_status, status }, headers });
    expect(answer.status, answer.text).toBe(200);
  };
  await moved("placed", "accepted");
  expect((await onBoard(id))?.ready_at).toBeNull();
  await moved("accepted", "ready");
  const ready = (await onBoard(id))?.ready_at;
  expect(ready).not.toBeNull();
  await app.database.asOwner("update orders set updated_at = updated_at + interval '5 minutes' where id = $1", [id]);
  expect((await onBoard(id))?.ready_at).toBe(ready);
});

test("a search finds an open order of any age, and a closed one of the last week", async () => {
  const [open, closed] = [await place({ customer_name: "Olive Early" }), await place({ customer_name: "Olive Early" })];
  await app.database.asOwner("update orders set placed_at = placed_at - interval '10 days' where id = any($1)", [[open, closed]]);
  await app.database.asOwner("update orders set status = 'completed' where id = $1", [closed]);
  const recent = await place({ customer_name: "Olive Early" });
  const found = (await staff.call("GET", venuePath("/orders?search=olive"))).body.data as BoardOrder[];
  expect(found.map(({ order }) => order.id)).toEqual([recent, open]);
});

test("the limit of closed orders applies inside the branch that is asked for; an order without a branch is in each", async () => {
  app.clock.set("2026-11-27T12:00:00Z");
  const branches = await app.database.asOwner<{ id: string }>("select id from branches where restaurant_id = $1 order by id", [lab.id]);
  const branch = Number(branches[0]?.id);
  const [own, none] = [await place(), await place()];
  await app.database.asOwner("update orders set status = 'completed', branch_id = $2 where id = $1", [own, branch]);
  await app.database.asOwner("update orders set status = 'completed', branch_id = null where id = $1", [none]);
  const others = await app.database.asOwner<{ id: string }>(
    `insert into branches select (jsonb_populate_record(b, jsonb_build_object('id', b.id + 1024 * 1000, 'key', 'second', 'is_default', false))).* from branches b
     where restaurant_id = $1 and id = $2 returning id`,
    [lab.id, branch],
  );
  await app.database.asOwner(
    `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'branch_id', $2::bigint,
       'placed_at', o.placed_at + interval '1 second'))).* from orders o, generate_series(1, 60) where o.id = $1`,
    [own, others[0]?.id],
  );
  const closedIn = async (query: string) =>
    ((await staff.call("GET", venuePath(`/orders?is_closed=true${query}`))).body.data as BoardOrder[]).map(({ order }) => order.id);
  const all = await closedIn("");
  expect([all.length, all.includes(own)]).toEqual([50, false]);
  expect((await closedIn(`&branch=${branch}`)).toSorted()).toEqual([own, none].toSorted());
  app.clock.set("2026-11-14T12:00:00Z");
});

test("payments: in parts, never more than is due, one of two at once; the order is paid with the last", async () => {
  const id = await place();
  const total = (await onBoard(id))?.order.total_minor ?? 0;
  const part = await pay(staff, id, { method: "cash", amount_minor: 100, seen_paid_minor: 0 });
  expect([part.status, part.body.data.paid_minor, part.body.data.order.paid_at]).toEqual([201, 100, null]);
  const stale = await pay(colleague, id, { method: "card_terminal", amount_minor: total, seen_paid_minor: 0 });
  expect([stale.status, stale.body.error.code, stale.body.error.details.changed_by]).toEqual([409, "state_changed", "sam"]);
  const tooMuch = await pay(staff, id, { method: "cash", amount_minor: total, seen_paid_minor: 100 });
  expect([tooMuch.status, Object.keys(tooMuch.body.error.details)]).toEqual([422, ["amount_minor"]]);
  const rest = await pay(colleague, id, { method: "other", amount_minor: total - 100, seen_paid_minor: 100 });
  expect([rest.status, rest.body.data.order.paid_at === null]).toEqual([201, false]);
  const { payments, steps } = (await staff.call("GET", venuePath(`/orders/${id}`))).body.data;
  expect(payments.map(({ method, recorded_by }: { method: string; recorded_by: string }) => [method, recorded_by])).toEqual([
    ["cash", "sam"],
    ["other", "cleo"],
  ]);
  expect(steps.map(({ action }: { action: string }) => action)).toContain("order.placed");
  const refund = (who: TestUser, body: object) => who.call("POST", venuePath(`/orders/${id}/payments/${payments[0].id}/refunds`), { body });
  expect((await refund(staff, { amount_minor: 50, reason: "cold soup", seen_refunded_minor: 0 })).body.error.code).toBe("role_required");
  const refunded = await refund(manager, { amount_minor: 50, reason: "cold soup", seen_refunded_minor: 0 });
  expect([refunded.status, refunded.body.data.paid_minor]).toEqual([201, total - 50]);
  const repeated = await refund(manager, { amount_minor: 50, reason: "cold soup", seen_refunded_minor: 0 });
  expect([repeated.status, repeated.body.error.details.changed_by]).toEqual([409, "max"]);
  expect((await refund(manager, { amount_minor: 51, reason: "cold soup", seen_refunded_minor: 50 })).status).toBe(422);
  const elsewhere = await place();
  const wrongOrder = await manager.call("POST", venuePath(`/orders/${elsewhere}/payments/${payments[0].id}/refunds`), {
    body: { amount_minor: 1, reason: "cold soup", seen_refunded_minor: 0 },
  });
  expect(wrongOrder.status).toBe(404);
});

test("takings of a day of service by method and person, refunds on the day they were made", async () => {
  app.clock.set("2026-11-20T23:30:00Z");
  const id = await place();
  await pay(staff, id, { method: "cash", amount_minor: 300, seen_paid_minor: 0 });
  await pay(colleague, id, { method: "card_terminal", amount_minor: 200, seen_paid_minor: 300 });
  const { payments } = (await staff.call("GET", venuePath(`/orders/${id}`))).body.data;
  app.clock.set("2026-11-21T12:00:00Z");
  await manager.call("POST", venuePath(`/orders/${id}/payments/${payments[0].id}/refunds`), {
    body: { amount_minor: 40, reason: "cold soup", seen_refunded_minor: 0 },
  });
  const takings = async (date?: string) => (await manager.call("GET", venuePath(`/takings${date ? `?date=${date}` : ""}`))).body.data;
  // 00:30 on the 21st belongs to the evening of the 20th.
  expect((await takings("2026-11-20")).rows).toEqual([
    { method: "card_terminal", person: "cleo", taken_minor: 200, refunded_minor: 0, tips_minor: 0, payments: 1 },
    { method: "cash", person: "sam", taken_minor: 300, refunded_minor: 0, tips_minor: 0, payments: 1 },
  ]);
  expect(await takings()).toEqual({
    date: "2026-11-21",
    currency: "USD",
    rows: [{ method: "cash", person: "max", taken_minor: 0, refunded_minor: 40, tips_minor: 0, payments: 0 }],
  });
  expect((await staff.call("GET", venuePath("/takings"))).body.error.code).toBe("role_required");
  app.clock.set("2026-11-14T12:00:00Z");
});

test("while the venue is suspended open orders can be finished; without a plan nothing is shown", async () => {
  const id = await place();
  await forVenue(app.deps, lab.slug, (ctx) => changePlanState(ctx, { suspended_at: ctx.now }), { revokes: true });
  expect((await accept(staff, id)).status).toBe(200);
  await forVenue(app.deps, lab.slug, (ctx) => changePlanState(ctx, { suspended_at: null, plan_until: ctx.now }), { revokes: true });
  const lapsed = await staff.call("GET", venuePath("/board"));
  expect([lapsed.status, lapsed.body.error.code]).toEqual([403, "plan_lapsed"]);
  expect((await move(staff, id, { seen_status: "accepted", status: "ready" })).body.error.code).toBe("plan_lapsed");
  await forVenue(app.deps, lab.slug, (ctx) => changePlanState(ctx, { plan_until: null }), { revokes: true });
  expect((await readBoard()).is_whole).toBe(true);
});

test("an erased guest is gone from the board and from stored answers", async () => {
  const id = await place({ customer_name: "Zora Unique", customer_phone: "+1 555 9911" });
  const key = randomUUID();
  await accept(staff, id, key);
  const [guest] = await app.database.asOwner<{ id: string }>("select id from guests where phone = '+1 555 9911'");
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, Number(guest?.id)));
  expect((await onBoard(id))?.order.customer.name).toBeNull();
  const [left] = await app.database.asOwner<{ count: number }>(
    "select count(*)::integer as count from idempotency_keys where body like '%Zora Unique%'",
  );
  expect(left?.count).toBe(0);
});

test("positions and searches are read as they were written", () => {
  const position = { epoch: "1700000000000-2", number: 7, at: new Date(1_800_000_000_000) };
  expect(parsePosition(formatPosition(position))).toEqual(position);
  expect(parsePosition("1.2")).toBeNull();
  const present = { ...position, number: 507 };
  expect([canContinue(position, present), canContinue({ ...position, number: 6 }, present)]).toEqual([true, false]);
  expect(canContinue(position, { ...present, number: 6 })).toBe(false);
  expect(parseSearch(" #42 ")).toEqual({ number: 42, name: null, digits: null, table: null });
  expect(parseSearch("0042")).toEqual({ number: 42, name: null, digits: "0042", table: "42" });
  expect(parseSearch("Ada 2")).toEqual({ number: null, name: "Ada 2", digits: null, table: null });
  expect(parseSearch("٤٢")).toEqual({ number: 42, name: null, digits: null, table: "42" });
  expect(["0", "#0", "00", "#1234567", " "].map(parseSearch)).toEqual([null, null, null, null, null]);
});
