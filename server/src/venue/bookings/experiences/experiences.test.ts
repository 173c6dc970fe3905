/** Experiences: managers plan sessions, staff hold and sell tickets; counters are the bookings, and each sale has one event. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { type ExperienceTools, experienceTools } from "../../../../test/support/experiences.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createSandbox, inSandbox } from "../../../admin/sandbox.ts";
import { asSystem } from "../../../compose/as-system.ts";
import { purgeExpired } from "../../../compose/retention.ts";
import { resetSandbox } from "../../sandbox/service.ts";
import { experienceJobs } from "./jobs.ts";
import { readDesk } from "./service/sessions.ts";
import { bookTickets } from "./service/tickets.ts";

const NOW = "2026-11-14T12:00:00Z";
const MINUTE_MS = 60_000;

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let manager: TestUser;
let tools: ExperienceTools;

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  lab = await app.venue("lab");
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  tools = experienceTools(app, lab, manager);
});
afterAll(() => app.close());
beforeEach(() => app.clock.set(NOW));

const expire = (id: number, holdEndsAt: string) =>
  experienceJobs["expire-ticket-hold"](asSystem(app.deps, lab.id), { booking_id: id, hold_ends_at: holdEndsAt });
const actionsOf = async (kind: string, id: number): Promise<string[]> =>
  (
    await app.database.asOwner<{ action: string }>(
      "select action from audit_entries where subject_kind = $1 and subject_id = $2 order by id",
      [kind, String(id)],
    )
  ).map(({ action }) => action);

test("a manager adds, changes and removes an experience, and staff do none of it; of two who save, one is told who was faster", async () => {
  const { id, version, value } = await tools.add();
  expect([version, value]).toEqual([1, tools.value]);
  const save = (seen_version: number, changes: object, who = manager) =>
    tools.send("PUT", `/experiences/${id}`, { seen_version, experience: { ...value, ...changes } }, who);
  for (const [path, body] of [
    ["/experiences", { experience: value }],
    [`/experiences/${id}/remove`, { seen_version: 1 }],
  ] as const)
    expect((await tools.send("POST", path, body, staff)).status).toBe(403);
  expect((await save(1, { price_minor: 5000 }, staff)).status).toBe(403);
  expect((await save(1, { branch: "moon" })).body.error.details).toEqual({ "experience.branch": ["There is no such branch."] });
  const saved = await save(1, { price_minor: 5000 });
  expect([saved.status, saved.body.data.version, saved.body.data.value.price_minor]).toEqual([200, 2, 5000]);
  const stale = await save(1, { price_minor: 6000 });
  expect([stale.status, stale.body.error.details]).toMatchObject([409, { changed_by: "max", experience: { version: 2 } }]);
  expect((await save(2, { price_minor: 5000 })).body.data.version).toBe(2);
  expect(await actionsOf("experience", id)).toEqual(["experience.created", "experience.changed"]);

  const [first, second] = await tools.plan(id, { weeks: 2 });
  const tickets = await tools.held(first?.id ?? 0, 1);
  const remove = (seen_version: number) => tools.send("POST", `/experiences/${id}/remove`, { seen_version });
  expect((await remove(1)).status).toBe(409);
  expect((await remove(2)).body.error.details).toEqual({
    sessions: ["Tickets are held or sold for a session to come. Cancel the session and refund them first."],
  });
  await tools.act(tickets, "release");
  expect((await remove(2)).status).toBe(200);
  expect((await tools.send("GET", `/experiences/${id}`)).status).toBe(404);
  expect((await tools.sheet(second?.id ?? 0)).closed_because).toBe("cancelled");
});

test("sessions are added on the venue's clock, week by week, all or none, and at no moment twice", async () => {
  const { id } = await tools.add();
  const sessions = await tools.plan(id, { weeks: 3 });
  expect(sessions.map(({ starts_at }) => starts_at)).toEqual([
    "2026-12-04T19:30:00.000Z",
    "2026-12-11T19:30:00.000Z",
    "2026-12-18T19:30:00.000Z",
  ]);
  const plan = (changes: object) =>
    tools.send("POST", `/experiences/${id}/sessions`, { date: "2026-12-04", time: "19:30", capacity: 4, weeks: 1, ...changes });
  const doubled = await plan({ date: "2026-11-27", weeks: 3 });
  expect(doubled.body.error.details).toEqual({ date: ["There is a session of this experience at that time."] });
  expect((await plan({ date: "2026-11-13" })).body.error.details).toEqual({ date: ["The session lies in the past."] });
  expect((await plan({ time: "29:00" })).status).toBe(422);
  expect((await plan({ weeks: 53 })).status).toBe(422);
  expect((await plan({ capacity: 0 })).status).toBe(422);
  expect((await tools.send("POST", "/experiences/1/sessions", {})).status).toBe(404);
  const desk = await tools.done("GET", "/experiences?from=2026-12-11", undefined, staff);
  expect(desk.sessions.filter((one: { experience_id: number }) => one.experience_id === id)).toHaveLength(2);
  expect([desk.from, desk.today, desk.is_cut]).toEqual(["2026-12-11", "2026-11-14", false]);
});

test("R6.2-13 D173 staff hold and sell tickets: payment, seats and event are one commit, told once, also for a double tap", async () => {
  const session = await tools.session(4);
  const guest = { name: "Marco Ferri", phone: "+1 555 0177", email: "marco@example.com" };
  const held = (await tools.hold(session.id, 2, guest, staff)).body.data;
  expect(held).toMatchObject({ state: "held", tickets: 2, amount_minor: 9000, hold_ends_at: "2026-11-14T12:05:00.000Z" });
  expect(JSON.stringify(held)).not.toContain("Marco");
  expect(await tools.counts(session.id)).toEqual([0, 2]);
  expect(await tools.eventsOf(held.id)).toEqual([]);
  app.clock.advance(2 * MINUTE_MS);
  const body = { seen_version: held.version, method: "card_terminal" };
  const key = randomUUID();
  const pay = (sent: string) =>
    staff.call("POST", `/venues/${lab.slug}/experience-bookings/${held.id}/payments`, { body, headers: { "idempotency-key": sent } });
  const paid = await pay(key);
  expect([paid.status, paid.body.data.state]).toEqual([201, "paid"]);
  expect((await pay(key)).body).toEqual(paid.body);
  const late = await pay(randomUUID());
  expect([late.status, late.body.error.details]).toMatchObject([409, { changed_by: "sam", booking: { state: "paid" } }]);
  expect(await tools.counts(session.id)).toEqual([2, 0]);
  expect(await tools.eventsOf(held.id)).toEqual([
    {
      id: held.id,
      experience: { id: session.experience_id, name: tools.value.name },
      date: "2026-12-04",
      time: "19:30",
      tickets: 2,
      amount_minor: 9000,
      currency: "USD",
      guest,
      paid_at: "2026-11-14T12:02:00+00:00",
    },
  ]);
  const commits = await app.database.asOwner(
    `select xmin::text from experience_bookings where id = $1 union select s.xmin::text from experience_sessions s where s.id = $2
     union select p.xmin::text from payments p where p.id = (select payment_id from experience_bookings where id = $1)
     union select e.xmin::text from events e where e.type = 'experience.booked' and (e.body::jsonb #>> '{data,experience_booking,id}')::bigint = $1`,
    [held.id, session.id],
  );
  expect(commits).toHaveLength(1);
  const [payment] = await app.database.asOwner(
    `select p.method, p.amount_minor::int, p.service_day::text, b.key as branch from experience_bookings t
     join payments p on p.restaurant_id = t.restaurant_id and p.id = t.payment_id join branches b on b.id = p.branch_id where t.id = $1`,
    [held.id],
  );
  expect(payment).toEqual({ method: "card_terminal", amount_minor: 9000, service_day: "2026-11-14", branch: "main" });
  const { bookings } = await tools.sheet(session.id);
  expect(bookings).toMatchObject([{ ...guest, state: "paid", method: "card_terminal", sold_by: "sam", guest_id: expect.any(Number) }]);
  expect(await actionsOf("experience_booking", held.id)).toEqual(["experience_booking.held", "experience_booking.paid"]);
  expect(await tools.faults()).toEqual([]);
});

test("of two who want the last seat, one holds it; who wants more than are left is told how many there are", async () => {
  const session = await tools.session(3);
  await tools.held(session.id, 2);
  const two = await tools.hold(session.id, 2);
  expect([two.status, two.body.error.details]).toEqual([422, { tickets: ["The session has 1 ticket left."] }]);
  const both = await Promise.all([tools.hold(session.id, 1), tools.hold(session.id, 1, {}, staff)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
  expect(both.find(({ status }) => status === 422)?.body.error.details).toEqual({ tickets: ["No ticket is left."] });
  expect(await tools.counts(session.id)).toEqual([0, 3]);
});

test("a hold frees itself after five minutes; it is not paid then, and can be taken again while seats are left", async () => {
  const session = await tools.session(2);
  const held = await tools.held(session.id, 2);
  await expire(held.id, held.hold_ends_at);
  expect(await tools.counts(session.id)).toEqual([0, 2]);
  app.clock.advance(5 * MINUTE_MS);
  // The hold is over even before the job has run.
  const late = await tools.pay(held);
  expect([late.status, late.body.error.details]).toEqual([422, { booking: ["The hold has run out. Hold the tickets again."] }]);
  await expire(held.id, "2026-11-14T12:04:00.000Z");
  expect(await tools.counts(session.id)).toEqual([0, 2]);
  for (let run = 0; run < 2; run++) await expire(held.id, held.hold_ends_at);
  expect(await tools.counts(session.id)).toEqual([0, 0]);
  expect(await actionsOf("experience_booking", held.id)).toEqual(["experience_booking.held", "experience_booking.expired"]);
  const expired = { ...held, version: held.version + 1 };
  expect((await tools.pay(expired)).status).toBe(422);
  const again = await tools.act(expired, "hold");
  expect([again.status, again.body.data]).toMatchObject([
    200,
    { state: "held", amount_minor: 9000, hold_ends_at: "2026-11-14T12:10:00.000Z" },
  ]);
  expect((await tools.act(again.body.data, "hold")).status).toBe(422);
  expect((await tools.pay(again.body.data)).status).toBe(201);
  expect(await tools.faults()).toEqual([]);
});

test("seats of a hold that ran out are sold although no job has run", async () => {
  const session = await tools.session(1);
  const first = await tools.held(session.id, 1);
  app.clock.advance(5 * MINUTE_MS);
  const second = await tools.held(session.id, 1, { name: "Ben" });
  expect(await tools.counts(session.id)).toEqual([0, 1]);
  expect(await actionsOf("experience_booking", first.id)).toEqual(["experience_booking.held", "experience_booking.expired"]);
  const again = await tools.act({ ...first, version: first.version + 1 }, "hold");
  expect([again.status, again.body.error.details]).toEqual([422, { tickets: ["No ticket is left."] }]);
  await tools.act(second, "release");
  expect((await tools.act({ ...first, version: first.version + 1 }, "hold")).status).toBe(200);
  expect(await tools.faults()).toEqual([]);
});

test("capacity does not fall below what is sold and held, and of two managers one is told", async () => {
  const session = await tools.session(5);
  await tools.paid(await tools.held(session.id, 2));
  await tools.held(session.id, 1);
  const change = (seen_version: number, capacity: number, who = manager) =>
    tools.send("PUT", `/experience-sessions/${session.id}`, { seen_version, capacity }, who);
  expect((await change(1, 4, staff)).status).toBe(403);
  expect((await change(1, 2)).body.error.details).toEqual({
    capacity: ["The session has 3 tickets sold or held, and needs as many seats."],
  });
  expect((await change(1, 3)).body.data).toMatchObject({ capacity: 3, sold: 2, held: 1, version: 2 });
  expect((await change(1, 9)).body.error.details).toMatchObject({ changed_by: "max", session: { capacity: 3 } });
  expect((await tools.hold(session.id, 1)).status).toBe(422);
  expect((await change(2, 4)).status).toBe(200);
  expect((await tools.hold(session.id, 1)).status).toBe(201);
});

test("a refund is a recorded refund of all that was paid, gives the seats back and is told; staff do not refund", async () => {
  const session = await tools.session(2);
  const paid = await tools.paid(await tools.held(session.id, 2));
  expect((await tools.act(paid, "refunds", { reason: "the guest is ill" }, staff)).status).toBe(403);
  const refunded = await tools.act(paid, "refunds", { reason: "the guest is ill" });
  expect([refunded.status, refunded.body.data.state]).toEqual([201, "cancelled"]);
  expect(await tools.counts(session.id)).toEqual([0, 0]);
  const rows = await app.database.asOwner(
    `select r.amount_minor::int, r.reason, p.refunded_total_minor::int as total from refunds r join payments p on p.id = r.payment_id
     where p.id = (select payment_id from experience_bookings where id = $1)`,
    [paid.id],
  );
  expect(rows).toEqual([{ amount_minor: 9000, reason: "the guest is ill", total: 9000 }]);
  const told = await app.database.asOwner<{ body: string }>(
    "select body from events where type = 'payment.refunded' order by created_at, id",
  );
  expect(JSON.parse(told.at(-1)?.body ?? "{}").data).toMatchObject({
    refund: { amount_minor: 9000, reason: "the guest is ill" },
    payment: { order_id: null, reservation_id: null, method: "cash", refunded_total_minor: 9000 },
  });
  expect((await tools.act({ ...paid, version: paid.version + 1 }, "refunds", { reason: "again" })).status).toBe(422);
  expect((await tools.hold(session.id, 2)).status).toBe(201);
  expect((await tools.sheet(session.id)).ended).toMatchObject([{ id: paid.id, state: "cancelled", paid_at: expect.any(String) }]);
  expect(await tools.faults()).toEqual([]);
});

test("a session that is cancelled releases its holds, lists what is to be refunded, and sells nothing", async () => {
  const session = await tools.session(4);
  const paid = await tools.paid(await tools.held(session.id, 1, { name: "Paula" }));
  const held = await tools.held(session.id, 2);
  const cancel = (seen_version: number, who = manager) =>
    tools.send("POST", `/experience-sessions/${session.id}/cancellation`, { seen_version, reason: "the chef is ill" }, who);
  expect((await cancel(1, staff)).status).toBe(403);
  expect((await cancel(1)).body.data).toMatchObject({ is_cancelled: true, sold: 1, held: 0 });
  expect((await cancel(1)).status).toBe(409);
  expect((await cancel(2)).status).toBe(422);
  const sheet = await tools.sheet(session.id);
  expect([sheet.closed_because, sheet.bookings.map(({ id }) => id), sheet.ended.map(({ id }) => id)]).toEqual([
    "cancelled",
    [paid.id],
    [held.id],
  ]);
  expect((await tools.hold(session.id, 1)).body.error.details).toEqual({ session: ["The session is cancelled."] });
  expect((await tools.pay({ ...held, version: held.version + 1 })).status).toBe(422);
  expect((await tools.act(paid, "refunds", { reason: "the chef is ill" })).status).toBe(201);
  expect(await tools.counts(session.id)).toEqual([0, 0]);
});

test("free tickets are sold at once without a payment, with an event over 0, and are cancelled, not refunded", async () => {
  const session = await tools.session(3, { price_minor: 0 });
  const sold = await tools.held(session.id, 2);
  expect(sold).toMatchObject({ state: "paid", amount_minor: 0 });
  expect(await tools.eventsOf(sold.id)).toMatchObject([{ amount_minor: 0, tickets: 2, guest: { name: "Ada", phone: null, email: null } }]);
  expect((await tools.pay(sold)).status).toBe(422);
  expect((await tools.act(sold, "refunds", { reason: "not coming" })).status).toBe(201);
  expect(await tools.counts(session.id)).toEqual([0, 0]);
  expect(await actionsOf("experience_booking", sold.id)).toEqual(["experience_booking.paid", "experience_booking.cancelled"]);
  expect((await tools.sheet(session.id)).ended).toMatchObject([{ id: sold.id, state: "cancelled", method: null }]);
  expect(await app.database.asOwner("select from refunds where reason = 'not coming'")).toEqual([]);
  expect(await tools.faults()).toEqual([]);
});

test("staff mark who has arrived, take it back, and not more than there are tickets", async () => {
  const session = await tools.session(5);
  const held = await tools.held(session.id, 3);
  const arrive = (tickets: typeof held, arrived: number) => tools.act(tickets, "arrived", { arrived }, staff);
  expect((await arrive(held, 1)).status).toBe(422);
  const paid = await tools.paid(held);
  expect((await arrive(paid, 4)).body.error.details).toEqual({ arrived: ["The party has 3 tickets."] });
  const two = (await arrive(paid, 2)).body.data;
  expect(two.arrived).toBe(2);
  expect((await arrive(paid, 3)).body.error.details).toMatchObject({ changed_by: "sam", booking: { arrived: 2 } });
  expect((await arrive(two, 0)).body.data.arrived).toBe(0);
  expect((await actionsOf("experience_booking", held.id)).slice(2)).toEqual([
    "experience_booking.arrived",
    "experience_booking.arrival_undone",
  ]);
});

test("a price that changes counts for later tickets, and an experience that is switched off sells none", async () => {
  const session = await tools.session(5);
  const held = await tools.held(session.id, 1);
  const save = (seen_version: number, changes: object) =>
    tools.done("PUT", `/experiences/${session.experience_id}`, { seen_version, experience: { ...tools.value, ...changes } });
  await save(1, { price_minor: 7000 });
  expect((await tools.paid(held)).amount_minor).toBe(4500);
  expect((await tools.held(session.id, 1)).amount_minor).toBe(7000);
  await save(2, { is_active: false });
  expect((await tools.hold(session.id, 1)).body.error.details).toEqual({ session: ["No tickets are sold for this experience."] });
});

test("the application can write neither a counter nor what is counted, nor delete a booking; more than the capacity is refused by the database", async () => {
  const session = await tools.session(2);
  await tools.held(session.id, 2);
  const client = new pg.Client({ connectionString: app.database.appUrl });
  await client.connect();
  const attempt = async (statement: string): Promise<string> => {
    await client.query(`begin; select set_config('app.restaurant_id', '${lab.id}', true)`);
    const said = await client.query(`set local search_path = app; ${statement}`).then(
      () => "allowed",
      (error: Error) => error.message,
    );
    await client.query("rollback");
    return said;
  };
  for (const statement of [
    "update experience_sessions set sold = 9",
    "update experience_sessions set held = 0",
    "update experience_bookings set tickets = 1",
    "update experience_bookings set counted = null",
    "delete from experience_bookings",
    "delete from experience_sessions",
  ])
    expect(await attempt(statement), statement).toMatch(/permission denied/);
  const insert = `insert into experience_bookings (restaurant_id, session_id, tickets, name, state, hold_ends_at, amount_minor, sold_by, created_at)
    values (${lab.id}, ${session.id}, 1, 'x', 'held', now(), 1, 'x', now())`;
  expect(await attempt(insert)).toMatch(/experience_sessions_check/);
  expect(await attempt(`update experience_sessions set capacity = 1 where id = ${session.id}`)).toMatch(/experience_sessions_check/);
  await client.end();
});

test("tickets that were never paid are removed after 30 days, paid ones stay", async () => {
  const session = await tools.session(3);
  const paid = await tools.paid(await tools.held(session.id, 1));
  const released = await tools.held(session.id, 1);
  await tools.act(released, "release");
  await app.database.asOwner("update experience_bookings set created_at = created_at - interval '31 days' where session_id = $1", [
    session.id,
  ]);
  await purgeExpired(app.deps);
  const left = await app.database.asOwner<{ id: string }>("select id from experience_bookings where session_id = $1", [session.id]);
  expect(left.map(({ id }) => Number(id))).toEqual([paid.id]);
  expect(await tools.counts(session.id)).toEqual([1, 0]);
});

test("a sandbox has an experience with sessions to come, and a reset restores them", async () => {
  await createSandbox(app.deps, lab.slug, null);
  const desk = () => inSandbox(app.deps, lab.slug, (ctx) => readDesk(ctx, undefined));
  const before = await desk();
  expect([before.experiences.length, before.sessions.map(({ sold, held }) => sold + held)]).toEqual([1, [0, 0]]);
  const wanted = { tickets: 3, name: "Ada", phone: null, email: null };
  await inSandbox(app.deps, lab.slug, (ctx) => bookTickets(ctx, before.sessions[0]?.id ?? 0, () => wanted));
  expect((await desk()).sessions[0]?.held).toBe(3);
  await inSandbox(app.deps, lab.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
  const after = await desk();
  expect(after.sessions).toEqual(before.sessions);
});
