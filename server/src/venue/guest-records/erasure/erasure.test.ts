/** T9.4: a canary guest is erased, and nothing of it is left anywhere. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "#compose/api.ts";
import { openDeps, openLogTo } from "#deps.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { findReservationForChange, makeReservation } from "../../bookings/reservations/service/bookings.ts";
import { changeReservation } from "../../bookings/reservations/service/changes.ts";
import { recordPayment, refundPayment } from "../../orders/payments/service.ts";
import { eraseGuest, exportGuest } from "./service.ts";

const CANARIES = ["Canaria Vogelsang", "+1 555 777 8899", "canary@example.test", "Allergic to bells", "9 Cage Street"];

let app: TestApp;
let lab: TestVenue;
let visits = 0;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
});
afterAll(() => app.close());

/** Every row of every table as text: what a thief of the database would read. */
const dump = async (): Promise<string> => {
  const tables = await app.database.asOwner<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'",
  );
  const parts = await Promise.all(
    tables.map(({ name }) => app.database.asOwner<{ text: string }>(`select t::text as text from app.${name} t`)),
  );
  return parts
    .flat()
    .map(({ text }) => text)
    .join("\n");
};

const leftIn = (text: string): string[] =>
  CANARIES.filter((canary) => text.includes(canary) || (canary.startsWith("+") && text.includes(canary.replaceAll(" ", ""))));

const visit = async (): Promise<{ orderId: string; guestId: number }> => {
  const [name = "", phone = "", email = "", note = "", line1 = ""] = CANARIES;
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  const dish = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain"));
  const order = {
    type: "delivery",
    customer_name: name,
    customer_phone: phone,
    customer_email: email,
    note,
    delivery_address: { line1, city: "Nearby", phone },
    lines: [{ item_id: dish.id, quantity: 3 }],
  };
  const zones = await app.database.asOwner<{ city: string }>(
    "select ordering -> 'delivery_zones' -> 0 -> 'cities' ->> 0 as city from settings where restaurant_id = $1",
    [lab.id],
  );
  order.delivery_address.city = zones[0]?.city ?? "";
  const placed = await app.call(lab.token, "POST", "/orders", { body: order, headers: { "idempotency-key": `canary-${++visits}` } });
  expect(placed.status, placed.text).toBe(201);
  await forVenue(app.deps, lab.slug, (ctx) =>
    makeReservation(ctx, {
      name,
      phone,
      email,
      note,
      party_size: 2,
      date: `2026-12-${String(9 + visits).padStart(2, "0")}`,
      time: "19:00",
    }),
  );
  const [guest] = await app.database.asOwner<{ id: string }>("select id from guests where phone = $1", [phone]);
  return { orderId: placed.body.data.id, guestId: Number(guest?.id) };
};

/** An order of another guest, with another phone number. */
const visitOf = async (phone: string): Promise<string> => {
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  const dish = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain"));
  const order = { type: "pickup", customer_name: "Otto", customer_phone: phone, lines: [{ item_id: dish.id, quantity: 1 }] };
  const placed = await app.call(lab.token, "POST", "/orders", { body: order });
  expect(placed.status, placed.text).toBe(201);
  return placed.body.data.id;
};

test("R2.8-03 D126 T9.4 an erased guest leaves no name, number, address or note in any table", async () => {
  const { orderId, guestId } = await visit();
  expect(leftIn(await dump())).toHaveLength(CANARIES.length);
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, guestId));
  expect(leftIn(await dump())).toEqual([]);
  const order = (await app.call(lab.token, "GET", `/orders/${orderId}`)).body.data;
  expect(order.customer).toEqual({ name: null, phone: null, email: null });
  expect(order).toMatchObject({ note: null, delivery_address: null, total_minor: expect.any(Number) });
  const rows = await app.database.asOwner<{ body: string }>("select body from events where type = 'guest.updated' order by created_at, id");
  expect(JSON.parse(rows.at(-1)?.body ?? "{}").data).toEqual({ guest: { id: guestId }, erased: true });
});

test("an event that is kept longer than its change, because its delivery waits, is blanked and exported too", async () => {
  const { guestId } = await visit();
  const longAgo = new Date(app.clock.now().getTime() - 40 * 24 * 60 * 60 * 1000);
  await app.database.asOwner("update events set created_at = $1", [longAgo]);
  await app.database.asOwner("delete from changes");
  const { events } = await forVenue(app.deps, lab.slug, (ctx) => exportGuest(ctx, guestId));
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(["guest.created", "order.created", "reservation.created"]));
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, guestId));
  expect(leftIn(await dump())).toEqual([]);
});

test("an answer that an earlier version stored, without what it is about, is deleted too", async () => {
  const { guestId } = await visit();
  await app.database.asOwner("update idempotency_keys set about = null");
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, guestId));
  expect(leftIn(await dump())).toEqual([]);
});

test("D124 the same phone number makes a new guest afterwards; erasing twice is refused", async () => {
  const { guestId } = await visit();
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, guestId));
  await expect(forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, guestId))).rejects.toMatchObject({ code: "not_found" });
  const again = await visit();
  expect(again.guestId).not.toBe(guestId);
});

test("another venue's guest is unknown, and stays", async () => {
  const other = await app.venue("gulf-cafe");
  const { guestId } = await visit();
  await expect(forVenue(app.deps, other.slug, (ctx) => eraseGuest(ctx, guestId))).rejects.toMatchObject({ code: "not_found" });
  expect(leftIn(await dump()).length).toBeGreaterThan(0);
});

test("what guests wrote in a booking that staff changed is gone from the activity log too", async () => {
  const note = CANARIES[3] ?? "";
  const guest = { name: "Nora", phone: "+1 555 0123", party_size: 2, date: "2026-12-20", time: "19:00" };
  const before = leftIn(await dump());
  const { id } = await forVenue(app.deps, lab.slug, (ctx) => makeReservation(ctx, guest));
  for (const wanted of [note, "", note])
    await forVenue(app.deps, lab.slug, async (ctx) => changeReservation(ctx, await findReservationForChange(ctx, id), { note: wanted }));
  const entries = await app.database.asOwner<{ text: string }>("select a::text as text from audit_entries a where subject_id = $1", [id]);
  expect(entries.length).toBeGreaterThan(3);
  expect(entries.filter(({ text }) => text.includes(note))).toEqual([]);
  const [row] = await app.database.asOwner<{ guest_id: string }>("select guest_id from reservations where id = $1", [id]);
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, Number(row?.guest_id)));
  expect(leftIn(await dump())).toEqual(before);
});

/** Starts the application so that everything it logs, at every level, is kept here. */
const listen = async () => {
  const lines: string[] = [];
  const log = openLogTo("trace", { write: (line: string) => void lines.push(line) });
  const deps = await openDeps(app.deps.config, { clock: app.clock, log });
  const server = await buildApp(deps);
  const call = (method: "GET" | "POST", path: string, body?: object): Promise<number> =>
    server.http
      .inject({
        method,
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${lab.token}`, "idempotency-key": `log-${lines.length}` },
        ...(body ? { body } : {}),
      })
      .then(({ statusCode }) => statusCode);
  const close = async (): Promise<void> => {
    await server.stop();
    await deps.close();
  };
  return { call, deps, lines, close };
};

test("the log says nothing of a guest: taken, refused, failed or erased", async () => {
  const { call, deps, lines, close } = await listen();
  const [name = "", phone = "", email = "", note = ""] = CANARIES;
  const booking = { name, phone, email, note, party_size: 2, date: "2026-12-28", time: "19:00" };
  const statuses = [await call("POST", "/reservations", booking), await call("POST", "/reservations", { ...booking, party_size: 99 })];
  statuses.push(await call("GET", `/guests?cursor=${encodeURIComponent(email)}`), await call("GET", `/guests/${encodeURIComponent(name)}`));
  // An unexpected failure: the database refuses a row that holds all of it.
  await app.database.asOwner("alter table idempotency_keys add constraint planted check (status <> 201) not valid");
  statuses.push(await call("POST", "/reservations", { ...booking, date: "2026-12-29" }));
  await app.database.asOwner("alter table idempotency_keys drop constraint planted");
  const [guest] = await app.database.asOwner<{ id: string }>("select id from guests where email = $1 and erased_at is null", [email]);
  await forVenue(deps, lab.slug, (ctx) => eraseGuest(ctx, Number(guest?.id)));
  await close();
  expect(statuses).toEqual([201, 422, 422, 404, 500]);
  expect(lines.filter((line) => line.includes("planted")).length).toBeGreaterThan(0);
  expect(lines.filter((line) => leftIn(decodeURIComponent(line.replaceAll(/%(?![0-9A-F]{2})/gi, "%25"))).length > 0)).toEqual([]);
});

test("reasons that staff wrote about the guest are erased: order, ticket, refund, activity and events; others stay", async () => {
  const reason = `Cancelled: ${CANARIES[0]} did not answer ${CANARIES[1]}`;
  const { orderId, guestId } = await visit();
  const paymentId = await forVenue(app.deps, lab.slug, async (ctx) => {
    const { id } = await recordPayment(ctx, orderId, { method: "cash", amount_minor: 100 });
    await refundPayment(ctx, id, { amount_minor: 50, reason });
    return id;
  });
  for (const body of [{ status: "accepted" }, { status: "cancelled", reason }])
    expect((await app.call(lab.token, "POST", `/orders/${orderId}/status`, { body })).status).toBe(200);
  const places = await app.database.asOwner<{ text: string }>(
    `select 'order' as text from orders where id = $1 and cancel_reason = $2 union all
     select 'ticket' from tickets where order_id = $1 and void_reason = $2 union all
     select 'refund' from refunds where payment_id = $3 and reason = $2 union all
     select 'activity' from audit_entries where reason = $2 union all
     select type from events where position($2 in body) > 0`,
    [orderId, reason, paymentId],
  );
  expect(new Set(places.map(({ text }) => text))).toEqual(
    new Set(["order", "ticket", "refund", "activity", "payment.refunded", "order.status_changed"]),
  );
  const other = await visitOf("+1 555 0177");
  expect(
    (await app.call(lab.token, "POST", `/orders/${other}/status`, { body: { status: "cancelled", reason: "kitchen closed" } })).status,
  ).toBe(200);
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, guestId));
  expect(leftIn(await dump())).toEqual([]);
  const [kept] = await app.database.asOwner<{ count: number }>(
    "select count(*)::integer as count from audit_entries where reason = 'kitchen closed' and subject_id = $1",
    [other],
  );
  expect(kept?.count).toBe(1);
});
