/** Pause and busy over HTTP: what managers set, what the API then answers, and that it ends by itself. */
import { randomUUID } from "node:crypto";
import type { OrderTypeState, TypeLoad } from "@comanda/contract/console/order-types.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { placeLabOrder } from "../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let dish: number;
let manager: TestUser;
let owner: TestUser;
let staff: TestUser;

const OPEN: TypeLoad = { paused_until: null, busy_until: null, extra_minutes: null };
const NOON = "2026-11-14T12:00:00Z";

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", (file) => {
    file.restaurant.zone = "Europe/Berlin";
    file.ordering.types = [
      { type: "pickup", minimum_minor: 0, preparation_minutes: 20 },
      { type: "delivery", minimum_minor: 0, preparation_minutes: 40 },
    ];
    file.ordering.delivery_zones = [];
  });
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  [manager, owner] = [await createUser(app, lab.slug, "manager", "max@lab.example"), await createUser(app, lab.slug, "owner")];
  staff = await createUser(app, lab.slug, "staff");
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOON);
  await app.database.asOwner("delete from order_pauses");
});

const set = (who: TestUser, to: string, { type = "delivery", seen = OPEN as object, key = randomUUID() as string } = {}) =>
  who.call("POST", `/venues/${lab.slug}/order-types`, { body: { type, seen, to }, headers: { "idempotency-key": key } });
const loadOf = ({ type: _, ...load }: OrderTypeState): TypeLoad => load;
const board = async (): Promise<OrderTypeState[]> => (await staff.call("GET", `/venues/${lab.slug}/board`)).body.data.order_types;
const place = (changes: object = {}) =>
  app.call(lab.token, "POST", "/orders", {
    body: {
      type: "delivery",
      customer_name: "Ada",
      customer_phone: "+1 555 0100",
      delivery_address: { line1: "1 Way", city: "Berlin" },
      lines: [{ item_id: dish, quantity: 1 }],
      ...changes,
    },
  });
const timesOf = async (id: string) => {
  const [row] = await app.database.asOwner<{ promised_at: Date; held_until: Date | null }>(
    "select promised_at, held_until from orders where id = $1",
    [id],
  );
  return [row?.promised_at.toISOString() ?? null, row?.held_until?.toISOString() ?? null];
};
const entries = () =>
  app.database.asOwner<{ action: string; actor_name: string; subject_id: string }>(
    "select action, actor_name, subject_id from audit_entries where subject_kind = 'order_type' order by id",
  );

test("D200 a paused type is refused with its end on the venue's clock; other types, and times after the pause, are taken", async () => {
  const paused = await set(manager, "pause_30");
  expect([paused.status, paused.body.data]).toEqual([200, { type: "delivery", ...OPEN, paused_until: "2026-11-14T12:30:00.000Z" }]);
  const refused = await place();
  expect([refused.status, refused.body.error.code]).toEqual([422, "validation_failed"]);
  expect(refused.body.error.details).toEqual({ type: ["Delivery orders are paused until 13:30."] });
  expect((await place({ scheduled_for: "2026-11-14T12:29:59Z" })).body.error.details).toEqual({
    type: ["Delivery orders are paused until 13:30."],
  });
  expect((await place({ scheduled_for: "2026-11-14T12:30:00Z" })).status).toBe(201);
  expect((await place({ type: "pickup" })).status).toBe(201);
});

test("a pause ends by itself: nothing runs, the next order at that second is taken and the board shows no pause", async () => {
  await set(manager, "pause_15");
  app.clock.set("2026-11-14T12:14:59Z");
  expect((await place()).status).toBe(422);
  expect((await board()).find(({ type }) => type === "delivery")?.paused_until).toBe("2026-11-14T12:15:00.000Z");
  app.clock.set("2026-11-14T12:15:00Z");
  expect((await place()).status).toBe(201);
  expect((await board()).map(loadOf)).toEqual([OPEN, OPEN]);
});

test("until tomorrow: the sentence has the date; ended early in one call", async () => {
  const { body } = await set(manager, "pause_today");
  expect((await place()).body.error.details).toEqual({ type: ["Delivery orders are paused until 05:00 on 2026-11-15."] });
  expect((await set(owner, "end_pause", { seen: loadOf(body.data) })).body.data).toEqual({ type: "delivery", ...OPEN });
  expect((await place()).status).toBe(201);
});

test("busy adds its minutes to the promise of orders for a moment before its end, and the kitchen begins earlier", async () => {
  const { body } = await set(manager, "busy_10");
  expect(body.data).toEqual({ type: "delivery", paused_until: null, busy_until: "2026-11-14T13:00:00.000Z", extra_minutes: 10 });
  const idOf = async (changes: object = {}): Promise<string> => (await place(changes)).body.data.id;
  expect(await timesOf(await idOf())).toEqual(["2026-11-14T12:50:00.000Z", null]);
  expect(await timesOf(await idOf({ type: "pickup" }))).toEqual(["2026-11-14T12:20:00.000Z", null]);
  expect(await timesOf(await idOf({ scheduled_for: "2026-11-14T12:59:00Z" }))).toEqual([
    "2026-11-14T12:59:00.000Z",
    "2026-11-14T12:09:00.000Z",
  ]);
  expect(await timesOf(await idOf({ scheduled_for: "2026-11-14T13:00:00Z" }))).toEqual([
    "2026-11-14T13:00:00.000Z",
    "2026-11-14T12:20:00.000Z",
  ]);
  app.clock.set("2026-11-14T13:00:00Z");
  expect(await timesOf(await idOf())).toEqual(["2026-11-14T13:40:00.000Z", null]);
});

test("the activity log names the person, and a repeated key has one effect", async () => {
  await app.database.asOwner("delete from audit_entries where subject_kind = 'order_type'");
  const key = randomUUID();
  const [first, again] = [await set(manager, "pause_30", { key }), await set(manager, "pause_30", { key })];
  expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
  await set(owner, "busy_20", { seen: loadOf(first.body.data) });
  expect(await entries()).toEqual([
    { action: "order_type.paused", actor_name: "max", subject_id: "delivery" },
    { action: "order_type.busy", actor_name: `owner`, subject_id: "delivery" },
  ]);
  const changes = await app.database.asOwner("select from changes where area = 'settings' and subject = 'delivery'");
  expect(changes.length).toBeGreaterThanOrEqual(2);
});

test("of two people who pause at once one is told who was faster; a page that saw a pause that has ended since is not refused", async () => {
  const answers = await Promise.all([set(manager, "pause_30"), set(owner, "pause_60")]);
  const [lost] = answers.filter(({ status }) => status === 409);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const won = answers.find(({ status }) => status === 200)?.body.data as OrderTypeState;
  expect(lost?.body.error).toMatchObject({ code: "state_changed", details: { order_type: won } });
  expect(lost?.body.error.details.changed_by).toBe(won.paused_until === "2026-11-14T12:30:00.000Z" ? "max" : "owner");
  app.clock.set("2026-11-14T13:30:00Z");
  expect((await set(manager, "busy_10", { seen: loadOf(won) })).status).toBe(200);
});

test("staff see pauses and cannot change them; a type that is not offered and a wrong choice are 422", async () => {
  expect((await set(staff, "pause_30")).body.error.code).toBe("role_required");
  expect(Object.keys((await set(manager, "pause_30", { type: "dine_in" })).body.error.details)).toEqual(["type"]);
  expect((await set(manager, "pause_45")).status).toBe(422);
  expect(await app.database.asOwner("select from order_pauses")).toEqual([]);
  expect((await board()).map(({ type }) => type)).toEqual(["pickup", "delivery"]);
});

test("a pause of one venue does not reach another", async () => {
  const other = await app.venue("lab", (file) => {
    file.restaurant.slug = "lab-two";
  });
  await set(manager, "pause_30", { type: "pickup" });
  expect((await place({ type: "pickup" })).status).toBe(422);
  expect(await placeLabOrder(app, other)).toMatch(/-/);
});
