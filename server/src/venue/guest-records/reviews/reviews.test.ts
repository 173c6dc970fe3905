/** Guests are asked after an order or a visit, managers read reviews and reply, and an erasure leaves the rating alone. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { asSystem } from "#compose/as-system.ts";
import { runRound } from "#compose/venue-rounds.ts";
import { signReviewToken } from "#lib/review-links.ts";
import { notificationJobs } from "#platform/messages/notifications/jobs.ts";
import type { OutgoingMessage } from "#platform/messages/notifications/send.ts";
import { eraseGuest, exportGuest } from "#venue/guest-records/erasure/service.ts";
import { findOrderForChange, moveOrder } from "#venue/orders/service.ts";
import { collectVenueFile } from "#venue/setup/venue-file/service.ts";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { newEncryptionKeys, postReview, sentLink, switchReviewsOn } from "../../../../test/support/review-links.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createSandbox, inSandbox } from "../../../admin/sandbox.ts";
import { dueReviewRequests } from "./jobs.ts";

const NOW = "2026-11-14T12:00:00Z";
const HOUR_MS = 3_600_000;

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let manager: TestUser;
let staff: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: newEncryptionKeys() } });
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner", "olga@lab.example");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOW);
  await app.database.asOwner("delete from review_requests");
  await switchReviewsOn(app, lab);
});

const send = (who: TestUser, method: string, path: string, body?: object) =>
  who.call(method as "PUT", `/venues/${lab.slug}${path}`, { ...(body ? { body } : {}), headers: { "idempotency-key": randomUUID() } });

let phones = 0;
const newPhone = (): string => `+1 555 880 ${String(1000 + phones++)}`;

const move = async (order: string, ...statuses: string[]): Promise<void> => {
  for (const status of statuses) {
    const moved = await app.call(lab.token, "POST", `/orders/${order}/status`, { body: { status } });
    expect(moved.status, moved.text).toBe(200);
  }
};
const completedOrder = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const order = await placeLabOrder(app, lab, { customer_phone: newPhone(), ...changes });
  await move(order, "accepted", "ready", "completed");
  return order;
};

type RequestState = { state: string; due_at: Date; message_id: string | null; skip_reason: string | null };
const requestOf = async (id: string): Promise<RequestState | undefined> =>
  (
    await app.database.asOwner<RequestState>(
      "select state, due_at, message_id, skip_reason from review_requests where order_id = $1 or reservation_id = $1",
      [id],
    )
  )[0];
const ask = async (at: string): Promise<void> => {
  app.clock.set(at);
  await runRound(app.deps, dueReviewRequests);
};
type StoredText = { id: number; kind: string; channel: string; recipient: string; body: string; state: string };
const messagesTo = async (recipient: string): Promise<StoredText[]> =>
  app.database.asOwner("select id::integer, kind, channel, recipient, body, state from notifications where recipient = $1 order by id", [
    recipient,
  ]);
/** What the job would send. */
const sentText = async (messageId: number): Promise<OutgoingMessage> => {
  const sent: OutgoingMessage[] = [];
  const keep = async (message: OutgoingMessage) => {
    sent.push(message);
    return { isSent: true as const };
  };
  const sender = { send: keep, close: () => undefined };
  const urlOf = (link: { restaurantId: number; messageId: number }) =>
    `https://x.test/r/${signReviewToken(app.deps.config.encryptionKeys, link)}`;
  const jobs = notificationJobs(sender, { smsPerVenue: 500, mailsPerVenue: 500 }, urlOf);
  await jobs["send-message"](asSystem(app.deps, lab.id), { message_id: messageId, attempt: 1 });
  return sent[0] ?? expect.fail("nothing was sent");
};

test("no guest is asked until the owner switches it on, and none in a sandbox", async () => {
  await app.database.asOwner("update settings set reviews = default where restaurant_id = $1", [lab.id]);
  const order = await completedOrder();
  expect(await requestOf(order)).toBeUndefined();
  await switchReviewsOn(app, lab);
  await createSandbox(app.deps, lab.slug, null);
  await inSandbox(app.deps, lab.slug, async (ctx) => {
    // It begins with reviews off, whatever the venue has.
    await switchReviewsOn(app, ctx.tenant);
    const [row] = await app.database.asOwner<{ id: string }>("select id from orders where restaurant_id = $1 limit 1", [ctx.tenant.id]);
    for (const status of ["accepted", "ready", "completed"] as const)
      await moveOrder(ctx, await findOrderForChange(ctx, row?.id ?? ""), { status });
  });
  expect(await app.database.asOwner("select from review_requests")).toEqual([]);
});

test("JR-01 after an order the guest gets a message with a link that is in no row; it opens the page of this order", async () => {
  const order = await completedOrder({ customer_name: "Ada", customer_email: "ada.asked@example.test" });
  expect(await requestOf(order)).toMatchObject({ state: "waiting", due_at: new Date("2026-11-14T13:00:00Z") });
  await ask("2026-11-14T12:59:59Z");
  expect((await requestOf(order))?.state).toBe("waiting");
  await ask("2026-11-14T13:00:00Z");
  await ask("2026-11-14T13:00:15Z");
  const [message, ...more] = await messagesTo("ada.asked@example.test");
  expect([more, message]).toMatchObject([[], { kind: "review.requested", channel: "email", state: "queued" }]);
  expect(message?.body).toContain("{review_link}");
  const { body } = await sentText(message?.id ?? 0);
  expect(body).toContain("Hello Ada,\n\nthank you for your order at The Lab.");
  const [, path = ""] = /https:\/\/x\.test(\/r\/\S+)/.exec(body) ?? [];
  const rows = await app.database.asOwner<{ text: string }>(
    "select n::text as text from notifications n union all select r::text from review_requests r union all select j.data::text from jobs.job j",
  );
  const signature = path.split(".")[1] ?? expect.fail("no link");
  expect(rows.filter(({ text }) => text.includes(signature))).toEqual([]);
  expect((await app.app.http.inject({ url: path })).body).toContain("How was it at The Lab?");
  expect((await postReview(app, path, { rating: "5", comment: "" })).statusCode).toBe(303);
  expect(await requestOf(order)).toMatchObject({ state: "used" });
});

test("no guest is asked at night: an order of the evening is asked about at ten in the morning on the venue's clock", async () => {
  app.clock.set("2026-11-14T22:30:00Z");
  const order = await completedOrder();
  await ask("2026-11-14T23:30:00Z");
  expect(await requestOf(order)).toMatchObject({ state: "waiting", due_at: new Date("2026-11-15T10:00:00Z") });
  await ask("2026-11-15T10:00:00Z");
  expect((await requestOf(order))?.state).toBe("sent");
});

test("a guest with two orders is asked once in 24 hours; one without an address is not asked", async () => {
  const customer_phone = newPhone();
  const [first, second] = [await completedOrder({ customer_phone }), await completedOrder({ customer_phone })];
  await ask("2026-11-14T13:00:00Z");
  const states = await Promise.all([first, second].map(async (order) => (await requestOf(order))?.state));
  expect(new Set(states)).toEqual(new Set(["sent", "skipped"]));
  expect(await messagesTo(customer_phone)).toHaveLength(1);
  const third = await completedOrder({ customer_phone });
  await ask("2026-11-15T13:30:00Z");
  expect((await requestOf(third))?.state).toBe("sent");
});

test("an order that was not completed is not asked about, and one of last week neither", async () => {
  const cancelled = await placeLabOrder(app, lab, { customer_phone: newPhone() });
  await move(cancelled, "accepted", "cancelled");
  expect(await requestOf(cancelled)).toBeUndefined();
  const old = await completedOrder();
  await ask("2026-11-21T13:00:01Z");
  expect(await requestOf(old)).toMatchObject({ state: "skipped", skip_reason: "it is too long ago" });
});

const seatedBooking = async (): Promise<{ id: string; version: number; ends_at: string }> => {
  const body = { name: "Ben", phone: newPhone(), party_size: 2, date: "2026-11-14", time: "12:00" };
  const booked = await send(staff, "POST", "/bookings", body);
  expect(booked.status, booked.text).toBe(201);
  const { id } = booked.body.data.reservation;
  const seated = await send(staff, "POST", `/bookings/${id}/steps`, { seen_version: booked.body.data.version, step: "seat" });
  expect(seated.status, seated.text).toBe(200);
  return { id, version: seated.body.data.version, ends_at: seated.body.data.ends_at };
};

test("after a visit: due with the end of the stay, sooner when the party leaves, later when that was a mistake or it stays longer", async () => {
  const { id, version } = await seatedBooking();
  const planned = (await requestOf(id))?.due_at.getTime() ?? 0;
  expect(planned).toBeGreaterThan(Date.parse(NOW) + HOUR_MS);
  app.clock.set("2026-11-14T12:30:00Z");
  const left = await send(staff, "POST", `/bookings/${id}/steps`, { seen_version: version, step: "leave" });
  expect(left.status, left.text).toBe(200);
  expect((await requestOf(id))?.due_at).toEqual(new Date("2026-11-14T13:30:00Z"));
  const back = await send(staff, "POST", `/bookings/${id}/steps`, { seen_version: left.body.data.version, step: "undo_leave" });
  expect(back.status, back.text).toBe(200);
  expect((await requestOf(id))?.due_at.getTime()).toBe(planned);
  // Staff gave it more time in between.
  await app.database.asOwner("update reservations set ends_at = ends_at + interval '2 hours' where id = $1", [id]);
  await ask(new Date(planned).toISOString());
  expect(await requestOf(id)).toMatchObject({ state: "waiting", due_at: new Date(planned + 2 * HOUR_MS) });
  await ask(new Date(planned + 2 * HOUR_MS).toISOString());
  expect((await requestOf(id))?.state).toBe("sent");
  const message_id = Number((await requestOf(id))?.message_id);
  expect((await sentText(message_id)).body).toContain("your visit to The Lab");
});

const reviewed = async (
  rating: number,
  comment = "",
  changes: Record<string, unknown> = {},
): Promise<{ id: number; order: string; phone: string }> => {
  const phone = newPhone();
  const order = await placeLabOrder(app, lab, { customer_phone: phone, ...changes });
  const posted = await app.app.http.inject({
    method: "POST",
    url: await sentLink(app, lab, { order }),
    remoteAddress: `203.0.113.${phones % 250}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ rating: String(rating), comment }).toString(),
  });
  expect(posted.statusCode).toBe(303);
  const [row] = await app.database.asOwner<{ id: string }>("select id from reviews where order_id = $1", [order]);
  return { id: Number(row?.id), order, phone };
};
type ReviewOfList = { id: number; rating: number };

test("JR-02 managers read reviews by rating, the newest first, page by page; staff do not", async () => {
  const [bad, good, worse] = [await reviewed(1), await reviewed(5), await reviewed(1)];
  const list = async (query: string) => (await send(manager, "GET", `/reviews${query}`)).body;
  const poor = (await list("?rating=1")).data as ReviewOfList[];
  expect(poor.slice(0, 2).map(({ id }) => id)).toEqual([worse.id, bad.id]);
  expect(new Set(poor.map(({ rating }) => rating))).toEqual(new Set([1]));
  const page = await list("?rows=2");
  expect(page.data.map(({ id }: ReviewOfList) => id)).toEqual([worse.id, good.id]);
  expect((await list(`?rows=1&before=${page.next}`)).data[0].id).toBe(bad.id);
  const { counts } = (await send(manager, "GET", "/review-desk")).body.data;
  expect(counts.map(({ rating }: ReviewOfList) => rating)).toEqual([1, 2, 3, 4, 5]);
  expect(counts[0].count).toBe(poor.length);
  for (const path of ["/reviews", `/reviews/${bad.id}`, "/review-desk"]) expect((await send(staff, "GET", path)).status).toBe(403);
  expect((await send(manager, "GET", "/reviews/987654321")).status).toBe(404);
});

test("JR-02 a reply is sent to the guest; a changed one again; of two who reply at once one is told who was faster", async () => {
  const { id, order, phone } = await reviewed(2, "Cold soup", { customer_name: "Ada" });
  const whole = (await send(manager, "GET", `/reviews/${id}`)).body.data;
  expect(whole).toMatchObject({ review: { comment: "Cold soup", reply: null }, order: { id: order }, reservation: null, channel: "sms" });
  const reply = (who: TestUser, text: string, seen_replied_at: string | null) =>
    send(who, "PUT", `/reviews/${id}/reply`, { seen_replied_at, reply: text });
  expect((await reply(staff, "Sorry", null)).status).toBe(403);
  const answers = await Promise.all([reply(manager, "We are sorry.", null), reply(owner, "Sorry!", null)]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409)?.body.error;
  expect([lost.code, ["max", "olga"].includes(lost.details.changed_by)]).toEqual(["state_changed", true]);
  const { review } = (await send(manager, "GET", `/reviews/${id}`)).body.data;
  const replies = async () => (await messagesTo(phone)).filter(({ kind }) => kind === "review.replied");
  expect(await replies()).toHaveLength(1);
  expect((await replies())[0]?.body).toBe(`Hello Ada,\n\nthank you for your review. The Lab writes:\n\n${review.reply}`);
  app.clock.advance(60_000);
  const changed = await reply(manager, "We are very sorry.", review.replied_at);
  expect(changed.status, changed.text).toBe(200);
  expect((await replies())[1]?.body).toContain("We are very sorry.");
  const again = await reply(manager, " We are very sorry. ", changed.body.data.replied_at);
  expect([again.status, again.body.data]).toEqual([200, changed.body.data]);
  expect(await replies()).toHaveLength(2);
  const steps = await app.database.asOwner<{ action: string; entry: string }>(
    "select action, a::text as entry from audit_entries a where subject_kind = 'review' and subject_id = $1 order by id",
    [String(id)],
  );
  expect(steps.map(({ action }) => action)).toEqual(["review.created", "review.replied", "review.reply_changed"]);
  expect(steps.map(({ entry }) => entry).join()).not.toMatch(/sorry|Cold/i);
  for (const text of ["", "   ", "x".repeat(1001)]) expect((await reply(manager, text, changed.body.data.replied_at)).status).toBe(422);
});

test("another venue's review looks like an unknown one, to read and to reply", async () => {
  const { id } = await reviewed(5);
  const cafe = await app.venue("gulf-cafe");
  const neighbour = await createUser(app, cafe.slug, "owner", "eve@cafe.example");
  const call = (method: "GET" | "PUT", path: string, body?: object) =>
    neighbour.call(method, `/venues/${cafe.slug}${path}`, { ...(body ? { body } : {}), headers: { "idempotency-key": randomUUID() } });
  for (const unknown of [id, 987_654_321]) {
    expect((await call("GET", `/reviews/${unknown}`)).status).toBe(404);
    expect((await call("PUT", `/reviews/${unknown}/reply`, { seen_replied_at: null, reply: "Hello" })).status).toBe(404);
  }
  expect((await call("GET", "/reviews")).body.data).toEqual([]);
  expect((await call("GET", "/review-desk")).body.data.counts.every(({ count }: { count: number }) => count === 0)).toBe(true);
});

test("an erasure blanks comment, name and reply, keeps the rating, closes open links; an export has them; a merge moves them", async () => {
  const { id, order, phone } = await reviewed(3, "Xylophone", { customer_name: "Xenia" });
  await send(manager, "PUT", `/reviews/${id}/reply`, { seen_replied_at: null, reply: "Thank you, Xenia." });
  const second = await placeLabOrder(app, lab, { customer_phone: newPhone(), customer_name: "Xenia" });
  const open = await sentLink(app, lab, { order: second });
  const guestOf = async (one: string): Promise<number> =>
    Number((await app.database.asOwner<{ guest_id: string }>("select guest_id from orders where id = $1", [one]))[0]?.guest_id);
  const [guestId, otherId] = [await guestOf(order), await guestOf(second)];
  const version = async (guest: number) => (await send(manager, "GET", `/guests/${guest}`)).body.data.version;
  const body = { other_id: guestId, seen_version: await version(otherId), other_seen_version: await version(guestId) };
  const merged = await send(manager, "POST", `/guests/${otherId}/merge`, body);
  expect(merged.status, merged.text).toBe(200);
  expect((await send(manager, "GET", `/reviews/${id}`)).body.data.guest_id).toBe(otherId);
  const exported = await forVenue(app.deps, lab.slug, (ctx) => exportGuest(ctx, otherId));
  expect(exported.reviews).toMatchObject([{ id, rating: 3, comment: "Xylophone", reply: "Thank you, Xenia." }]);
  expect(exported.events.some(({ type }) => type === "review.created")).toBe(true);
  const receipt = await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, otherId));
  expect(receipt.erased.reviews).toBe(1);
  const { review, channel } = (await send(manager, "GET", `/reviews/${id}`)).body.data;
  expect(review).toMatchObject({ rating: 3, comment: null, guest_name: null, reply: null, replied_by: "max" });
  expect(channel).toBeNull();
  const [event] = await app.database.asOwner<{ body: string }>(
    "select body from events where type = 'review.created' and body::jsonb #>> '{data,review,id}' = $1",
    [String(id)],
  );
  expect(JSON.parse(event?.body ?? "").data.review).toMatchObject({ id, rating: 3, comment: null, guest_name: null });
  expect((await app.app.http.inject({ url: open })).statusCode).toBe(410);
  const refused = await send(manager, "PUT", `/reviews/${id}/reply`, { seen_replied_at: review.replied_at, reply: "Hello?" });
  expect([refused.status, refused.body.error.details]).toEqual([422, { reply: ["There is no address to send the reply to."] }]);
  expect(await messagesTo(phone)).toEqual([]);
});

test("only the owner switches it on; a page that saw other rules is told who changed them; the venue file has them", async () => {
  const on = { is_on: true, wait_minutes: 60 };
  const save = (who: TestUser, seen: object, rules: object) => send(who, "PUT", "/review-rules", { seen, rules });
  expect((await save(manager, on, { ...on, is_on: false })).status).toBe(403);
  const saved = await save(owner, on, { is_on: true, wait_minutes: 30 });
  expect([saved.status, saved.body.data]).toEqual([200, { is_on: true, wait_minutes: 30 }]);
  const late = await save(owner, on, { is_on: false, wait_minutes: 60 });
  expect([late.status, late.body.error.details.changed_by, late.body.error.details.rules]).toEqual([409, "olga", saved.body.data]);
  expect((await save(owner, saved.body.data, { is_on: true, wait_minutes: 1441 })).status).toBe(422);
  const file = await forVenue(app.deps, lab.slug, collectVenueFile);
  expect(file.reviews).toEqual({ is_on: true, wait_minutes: 30 });
  const [entry] = await app.database.asOwner<{ before: object; after: object }>(
    "select before, after from audit_entries where action = 'review_rules.changed'",
  );
  expect(entry).toEqual({ before: on, after: { is_on: true, wait_minutes: 30 } });
});

test("an order has one review and a booking has one, whatever writes them", async () => {
  const { order } = await reviewed(4);
  const twice = app.database.asOwner("insert into reviews (restaurant_id, order_id, rating, created_at) values ($1, $2, 5, now())", [
    lab.id,
    order,
  ]);
  await expect(twice).rejects.toThrow("reviews_order");
  const neither = app.database.asOwner("insert into reviews (restaurant_id, rating, created_at) values ($1, 5, now())", [lab.id]);
  await expect(neither).rejects.toThrow("check constraint");
  const wrong = app.database.asOwner("insert into reviews (restaurant_id, order_id, rating, created_at) values ($1, $2, 6, now())", [
    lab.id,
    order,
  ]);
  await expect(wrong).rejects.toThrow("check constraint");
});
