/** Orders through HTTP on a real database: what the black-box kit cannot see, and what needs a moved clock. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { findOrderForChange, moveOrder } from "./service.ts";

let app: TestApp;
let lab: TestVenue;
let plain: { id: number; category_id: number };

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  plain = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain"));
});
afterAll(() => app.close());

const cart = (changes: object = {}) => ({
  type: "pickup",
  customer_name: "Ada",
  customer_phone: "+1 555 0100",
  lines: [{ item_id: plain.id, quantity: 2 }],
  ...changes,
});

const place = async (changes: object = {}, token = lab.token) => {
  const answer = await app.call(token, "POST", "/orders", { body: cart(changes) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

const ticketsOf = (orderId: string) =>
  app.database.asOwner<{ station: string; state: string; void_reason: string | null }>(
    "select station, state, void_reason from tickets where order_id = $1 order by id",
    [orderId],
  );

const eventsOf = async (orderId: string) => {
  const rows = await app.database.asOwner<{ body: string }>(
    "select body from events where body like '%' || $1 || '%' order by created_at, id",
    [orderId],
  );
  return rows.map((row) => JSON.parse(row.body));
};

test("R4.2-09 R4.2-10 R4.2-33 an order, its tickets, its guest, its audit entry and its event are one commit", async () => {
  const order = await place({ customer_phone: "+1 555 0111" });
  expect(order).toMatchObject({ status: "placed", channel: "web", subtotal_minor: 2000, currency: "USD", paid_at: null });
  expect((await app.call(lab.token, "GET", `/orders/${order.id}`)).body.data).toEqual(order);
  expect((await app.call(lab.token, "GET", "/orders?per_page=1")).body.data).toEqual([order]);
  expect(await ticketsOf(order.id)).toEqual([{ station: expect.any(String), state: "queued", void_reason: null }]);
  const events = await eventsOf(order.id);
  expect(events.map(({ type }) => type)).toEqual(["order.created"]);
  expect(events[0].data.order).toEqual(order);
  const audit = await app.database.asOwner("select action from audit_entries where subject_id = $1", [order.id]);
  expect(audit).toEqual([{ action: "order.placed" }]);
});

test("an order that one transaction changes twice keeps the moment of its begin, so that no list holds it back longer", async () => {
  const { id } = await place();
  const begunAt = await forVenue(app.deps, lab.slug, async (ctx) => {
    await moveOrder(ctx, await findOrderForChange(ctx, id), { status: "accepted" });
    await moveOrder(ctx, await findOrderForChange(ctx, id), { status: "ready" });
    return (await ctx.db.query(sql<{ at: string }>`select current_setting('app.begun_at')::timestamptz::text as at`))[0]?.at;
  });
  const [row] = await app.database.asOwner("select changed_at = $2::timestamptz as is_begin from orders where id = $1", [id, begunAt]);
  expect(row).toEqual({ is_begin: true });
});

test("R4.2-34 D124 the first order of a phone makes a guest and says so, the second finds it however it is written", async () => {
  const guests = () => app.database.asOwner<{ id: number; name: string }>("select id, name from guests where phone_key = '+15550122'");
  await place({ customer_phone: "+1 555-0122" });
  await place({ customer_phone: "001 (555) 0122", customer_name: "Another Guest" });
  expect(await guests()).toEqual([{ id: expect.anything(), name: "Ada" }]);
  const created = await app.database.asOwner<{ body: string }>("select body from events where type = 'guest.created'");
  const ofGuest = created.map(({ body }) => JSON.parse(body).data.guest).filter((guest) => guest.name === "Ada");
  expect(ofGuest.length).toBeGreaterThan(0);
  expect(ofGuest[0]).toMatchObject({ phone: null, contact_shared: false });
});

test("R3.1-01 R3.1-32 R3.1-33 accept fires the kitchen, a cancel with a reason voids, without one withdraws", async () => {
  const move = (id: string, body: object) => app.call(lab.token, "POST", `/orders/${id}/status`, { body });
  const voided = await place();
  await move(voided.id, { status: "accepted" });
  expect((await ticketsOf(voided.id))[0]?.state).toBe("fired");
  const cancelled = await move(voided.id, { status: "cancelled", reason: "Kitchen on fire" });
  expect(cancelled.body.data).toMatchObject({ status: "cancelled", cancel_reason: "Kitchen on fire" });
  expect((await ticketsOf(voided.id))[0]).toMatchObject({ state: "voided", void_reason: "Kitchen on fire" });
  const withdrawn = await place();
  expect((await move(withdrawn.id, { status: "cancelled" })).body.data.cancel_reason).toBeNull();
  expect((await ticketsOf(withdrawn.id))[0]?.state).toBe("withdrawn");
  expect((await eventsOf(voided.id)).map(({ type, data }) => [type, data.previous_status])).toEqual([
    ["order.created", undefined],
    ["order.status_changed", "placed"],
    ["order.status_changed", "accepted"],
  ]);
});

test("D127 a completed order counts as a visit and as spending, a cancelled one does not", async () => {
  const phone = "+1 555 0133";
  const order = await place({ customer_phone: phone });
  for (const status of ["accepted", "ready", "completed"])
    await app.call(lab.token, "POST", `/orders/${order.id}/status`, { body: { status } });
  const cancelled = await place({ customer_phone: phone });
  await app.call(lab.token, "POST", `/orders/${cancelled.id}/status`, { body: { status: "cancelled" } });
  const [guest] = await app.database.asOwner<{ visits_count: number; total_spend_minor: string }>(
    "select visits_count, total_spend_minor from guests where phone_key = '+15550133'",
  );
  expect(guest).toEqual({ visits_count: 1, total_spend_minor: String(order.total_minor) });
});

test("R4.2-32 D94 outside opening hours an order is held for the next opening, its tickets with it", async () => {
  const night = await app.venue("trattoria", (file) => {
    file.restaurant.slug = "held";
    for (const branch of file.branches) {
      branch.hours = [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "18:00", to: "23:00" }];
      branch.closing_days = [{ date: "2026-11-20", reason: null }];
    }
    for (const menu of file.menus) {
      menu.hours = null;
      for (const category of menu.categories) category.hours = null;
    }
  });
  const items = (await app.call(night.token, "GET", "/items?per_page=100&available=true")).body.data;
  const dish = items.find(
    (item: { price_minor: number; modifier_groups: unknown[] }) => item.price_minor && item.modifier_groups.length === 0,
  );
  const lines = [{ item_id: dish.id, quantity: 1 }];
  app.clock.set("2026-11-19T10:00:00Z");
  const held = await place({ lines }, night.token);
  expect(held.scheduled_for).toBe("2026-11-19T18:00:00+01:00");
  expect((await ticketsOf(held.id))[0]?.state).toBe("held");
  app.clock.set("2026-11-20T12:00:00Z");
  expect((await place({ lines }, night.token)).scheduled_for).toBe("2026-11-21T18:00:00+01:00");
  app.clock.set("2026-11-21T19:00:00Z");
  expect((await place({ lines }, night.token)).scheduled_for).toBeNull();
  const closed = await app.call(night.token, "POST", "/orders", { body: cart({ lines, scheduled_for: "2026-11-22T12:00:00+01:00" }) });
  expect(closed.status).toBe(422);
  expect(Object.keys(closed.body.error.details)).toEqual(["scheduled_for"]);
  const chosen = await place({ lines, scheduled_for: "2026-11-22T18:30:00Z" }, night.token);
  expect(chosen.scheduled_for).toBe("2026-11-22T19:30:00+01:00");
  expect((await ticketsOf(chosen.id))[0]?.state).toBe("held");
  app.clock.set("2026-11-14T12:00:00Z");
});

test("RX-23 D22 a refused order names every fault at once and leaves nothing behind", async () => {
  const counts = () =>
    app.database.asOwner(
      "select (select count(*) from orders) o, (select count(*) from tickets) t, (select count(*) from guests) g, (select count(*) from events) e",
    );
  const before = await counts();
  const refused = await app.call(lab.token, "POST", "/orders", {
    body: cart({
      type: "delivery",
      customer_phone: "+1 555 9999",
      scheduled_for: "2020-01-01T00:00:00Z",
      lines: [
        { item_id: 1, quantity: 1 },
        { item_id: plain.id, quantity: 1, variant_id: 5, option_ids: [7] },
      ],
    }),
  });
  expect(Object.keys(refused.body.error.details).sort()).toEqual(
    ["delivery_address", "lines.0.item_id", "lines.1.option_ids.0", "lines.1.variant_id", "scheduled_for"].sort(),
  );
  expect(await counts()).toEqual(before);
});
