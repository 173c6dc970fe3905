/** Webhooks end to end: real TLS receivers, the service's own worker, a clock that the test moves. */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_TYPES } from "@comanda/contract/events/envelope.ts";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { purgeExpired } from "#compose/retention.ts";
import { startWorker, type Worker } from "#compose/worker.ts";
import { emit } from "#platform/events/service.ts";
import { addEndpoint, readEndpoints } from "#platform/events/webhooks/service/endpoints.ts";
import { rotateSecret } from "#platform/events/webhooks/service/secret-rotation.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import {
  answer,
  createLocalSender,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from "../../../../test/support/webhook-receiver.ts";
import { pauseEndpoint, removeEndpoint, resumeEndpoint, sendPing } from "./service/endpoints.ts";
import { readDeliveries, readDelivery } from "./service/log.ts";
import { countFailedSince, replayDelivery, replayFailedSince } from "./service/resend.ts";

const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;
const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let lab: TestVenue;
let twin: TestVenue;
let dishes: Map<string, number>;
let receiver: Receiver;
let other: Receiver;
let worker: Worker | null = null;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS } });
  receiver = await startReceiver();
  other = await startReceiver({ authority: receiver.authority });
  lab = await app.venue("lab");
  twin = await app.venue("lab", (file) => {
    file.restaurant.slug = "twin";
  });
  dishes = new Map();
  for (const { slug, token } of [lab, twin]) {
    const { body } = await app.call(token, "GET", "/items?per_page=100");
    dishes.set(slug, body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain")).id);
  }
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
  for (const { slug } of [lab, twin])
    await forVenue(app.deps, slug, async (ctx) => {
      for (const { id } of await readEndpoints(ctx)) await removeEndpoint(ctx, id);
    });
  for (const { received, behave } of [receiver, other]) {
    received.length = 0;
    behave(answer(200));
  }
});
afterAll(async () => {
  await receiver.close();
  await other.close();
  await app.close();
});

const add = (url: string, events: string[] = ["order.created"], venue = lab) =>
  forVenue(app.deps, venue.slug, async (ctx) => {
    const { endpoint, secret } = await addEndpoint(ctx, { url, events, description: null }, app.deps.config.encryptionKeys);
    return { id: endpoint.id, secret };
  });
const work = async (): Promise<void> => {
  worker = await startWorker(app.deps, { sender: createLocalSender(receiver.authority.cert) });
};
const place = async (venue = lab, headers: Record<string, string> = {}): Promise<{ id: string }> => {
  const lines = [{ item_id: dishes.get(venue.slug) ?? 0, quantity: 1 }];
  const placed = await app.call(venue.token, "POST", "/orders", {
    body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines },
    headers,
  });
  expect(placed.status, placed.text).toBe(201);
  return placed.body.data;
};
const log = (venue = lab, filter = {}) => forVenue(app.deps, venue.slug, (ctx) => readDeliveries(ctx, filter, 1000));
const deliveryOf = async (endpointId: number) => {
  const [delivery, ...more] = await log(lab, { endpointId });
  if (!delivery || more.length > 0) throw new Error(`${more.length + 1} deliveries where one was expected`);
  return delivery;
};
const until = async (isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> => {
  for (const deadline = Date.now() + ms; !(await isSo()); await sleep(20))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};
/** Until the worker has looked for work after this moment: it sends a ping to an endpoint of its own, and would send all else that is due. */
const untilLooked = async (): Promise<void> => {
  const { id } = await add(`${other.url}?looked`, ["guest.updated"]);
  await forVenue(app.deps, lab.slug, (ctx) => sendPing(ctx, id));
  await until(async () => (await deliveryOf(id)).state === "done");
  await forVenue(app.deps, lab.slug, (ctx) => removeEndpoint(ctx, id));
};
const nowSeconds = () => Math.floor(app.clock.now().getTime() / 1000);

/** Written from the contract alone, as an integrator does it. */
const isGenuine = ({ headers, body }: ReceivedRequest, secret: string): boolean => {
  const parts = String(headers["service-signature"]).split(",");
  const t = Number(parts.find((part) => part.startsWith("t="))?.slice(2));
  const mine = Buffer.from(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex"));
  const isSigned = parts.some((part) => part.startsWith("v1=") && timingSafeEqual(Buffer.from(part.slice(3)), mine));
  return isSigned && Math.abs(nowSeconds() - t) <= 300;
};
const signaturesOf = ({ headers }: ReceivedRequest): number => String(headers["service-signature"]).split("v1=").length - 1;

test("R6.1-01 R6.1-03 R6.1-04 R6.2-03 each subscribed endpoint gets the event once, signed with its own secret; no other endpoint does", async () => {
  const mine = await add(receiver.url);
  const second = await add(`${other.url}?second`);
  await add(`${other.url}?bookings`, ["reservation.created"]);
  await add(`${other.url}?twin`, ["order.created"], twin);
  await work();
  const order = await place();
  await until(async () => (await log()).filter(({ state }) => state === "done").length === 2);
  const [got, ...more] = receiver.received;
  if (!got) throw new Error("Nothing came");
  expect(more).toEqual([]);
  expect(other.received).toHaveLength(1);
  expect(isGenuine(got, mine.secret)).toBe(true);
  expect(isGenuine(got, second.secret)).toBe(false);
  expect(other.received[0] && isGenuine(other.received[0], second.secret)).toBe(true);
  const event = JSON.parse(got.body);
  expect(Object.keys(event)).toEqual(["id", "type", "created_at", "restaurant", "data"]);
  expect(event.data).toEqual({ order });
  expect(event.restaurant).toEqual({ id: lab.id, slug: "lab", currency: "USD" });
  expect(got.headers).toMatchObject({
    "service-event": "order.created",
    "service-delivery": event.id,
    "content-type": "application/json",
    "user-agent": "Service-Webhooks/1",
  });
  // All endpoints get the same bytes.
  expect(other.received[0]?.body).toBe(got.body);
});

test("R6.2-15 a repeated POST emits no second event, and a refused one emits none", async () => {
  const { id } = await add(receiver.url, ["order.created", "order.status_changed"]);
  await work();
  const order = await place(lab, { "idempotency-key": "once" });
  await place(lab, { "idempotency-key": "once" });
  expect((await app.call(lab.token, "POST", `/orders/${order.id}/status`, { body: { status: "completed" } })).status).toBe(409);
  await until(() => receiver.received.length === 1);
  expect(await log(lab, { endpointId: id })).toHaveLength(1);
});

test("R6.1-02 D179 only https and public addresses, known events, and 20 endpoints at most", async () => {
  for (const url of ["http://example.com/", "https://127.0.0.1/", "https://[::1]/", "https://u:p@example.com/", "example.com"])
    await expect(add(url), url).rejects.toMatchObject({ code: "validation_failed", details: { url: [expect.any(String)] } });
  for (const events of [[], ["ping"], ["order.eaten"]])
    await expect(add("https://example.com/", events)).rejects.toMatchObject({ details: { events: [expect.any(String)] } });
  for (let count = 0; count < 20; count++) await add(`https://example.com/${count}`);
  await expect(add("https://example.com/21")).rejects.toMatchObject({ details: { url: [expect.stringContaining("20")] } });
});

test("R6.1-07 R6.1-08 R6.1-11 five failures, then success: on schedule, with the same bytes and id and a new signature each time", async () => {
  const { id, secret } = await add(receiver.url);
  await work();
  const failures = [answer(500), answer(302, { Location: "/" }), answer(410), answer(404, {}, "x".repeat(3000)), answer(503)];
  const delays = [60, 300, 1800, 7200, 21_600];
  for (const [attempt, manners] of failures.entries()) {
    receiver.behave(manners);
    if (attempt === 0) await place();
    await until(async () => (await deliveryOf(id)).attempts === attempt + 1);
    const next = new Date(app.clock.now().getTime() + (delays[attempt] ?? 0) * 1000);
    expect(await deliveryOf(id)).toMatchObject({ state: "waiting", due_at: next });
    // One millisecond early nothing is sent.
    app.clock.advance((delays[attempt] ?? 0) * 1000 - 1);
    if (attempt === 0) await untilLooked();
    expect(receiver.received).toHaveLength(attempt + 1);
    receiver.behave(failures[attempt + 1] ?? answer(201));
    app.clock.advance(1);
  }
  await until(async () => (await deliveryOf(id)).state === "done");
  expect(await deliveryOf(id)).toMatchObject({ attempts: 6, last_status: 201, last_failure: null, due_at: null });
  expect(receiver.received).toHaveLength(6);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["service-delivery"])).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["service-signature"])).size).toBe(6);
  const last = receiver.received.at(-1);
  expect(last && isGenuine(last, secret)).toBe(true);
  const { log: attempts } = await forVenue(app.deps, lab.slug, async (ctx) => readDelivery(ctx, (await deliveryOf(id)).id));
  expect(attempts.map(({ status }) => status)).toEqual([500, 302, 410, 404, 503, 201]);
  expect(attempts[3]?.answer).toBe("x".repeat(1024));
  expect(attempts[1]?.explanation).toContain("redirect");
});

test("D177 the sixth failure is the last; then only a replay sends it, with a new cycle (R6.1-10, D182)", async () => {
  const { id } = await add(receiver.url);
  receiver.behave(answer(500));
  await work();
  await place();
  for (const [attempt, delay] of [60, 300, 1800, 7200, 21_600].entries()) {
    await until(async () => (await deliveryOf(id)).attempts === attempt + 1);
    app.clock.advance(delay * 1000);
  }
  await until(async () => (await deliveryOf(id)).state === "failed");
  app.clock.advance(DAY_MS);
  await untilLooked();
  expect(receiver.received).toHaveLength(6);
  receiver.behave(answer(200));
  const delivery = await deliveryOf(id);
  await forVenue(app.deps, lab.slug, (ctx) => replayDelivery(ctx, delivery.id));
  await until(async () => (await deliveryOf(id)).state === "done");
  expect(await deliveryOf(id)).toMatchObject({ cycle: 2, attempts: 1 });
  expect(new Set(receiver.received.map(({ body, headers }) => body + headers["service-delivery"])).size).toBe(1);
  // A delivery that is done can be replayed as well.
  await forVenue(app.deps, lab.slug, (ctx) => replayDelivery(ctx, delivery.id));
  await until(() => receiver.received.length === 8);
  await until(async () => (await deliveryOf(id)).state === "done");
  const { log: attempts } = await forVenue(app.deps, lab.slug, (ctx) => readDelivery(ctx, delivery.id));
  expect(attempts.map(({ cycle, attempt }) => `${cycle}.${attempt}`)).toEqual(["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "2.1", "3.1"]);
});

test("R6.1-10 all deliveries that failed since a time: counted first, then replayed; none of another venue", async () => {
  const { id } = await add(receiver.url);
  await forVenue(app.deps, lab.slug, async () => undefined);
  for (let count = 0; count < 3; count++) await place();
  await app.database.asOwner("update deliveries set state = 'failed', due_at = null where endpoint_id = $1", [id]);
  const since = new Date(app.clock.now().getTime() - 1000);
  const inLab = <T>(act: (ctx: Parameters<typeof countFailedSince>[0]) => Promise<T>) => forVenue(app.deps, lab.slug, act);
  expect(await inLab((ctx) => countFailedSince(ctx, id, new Date(app.clock.now().getTime() + 1)))).toBe(0);
  expect(await inLab((ctx) => countFailedSince(ctx, id, since))).toBe(3);
  await expect(forVenue(app.deps, twin.slug, (ctx) => replayFailedSince(ctx, id, since))).rejects.toMatchObject({ code: "not_found" });
  expect(await inLab((ctx) => replayFailedSince(ctx, id, since))).toBe(3);
  expect(await inLab((ctx) => countFailedSince(ctx, id, since))).toBe(0);
  const [first] = await log(lab, { endpointId: id });
  await expect(inLab((ctx) => replayDelivery(ctx, first?.id ?? 0))).rejects.toMatchObject({ code: "validation_failed" });
  await expect(forVenue(app.deps, twin.slug, (ctx) => replayDelivery(ctx, first?.id ?? 0))).rejects.toMatchObject({ code: "not_found" });
  await expect(forVenue(app.deps, twin.slug, (ctx) => readDelivery(ctx, first?.id ?? 0))).rejects.toMatchObject({ code: "not_found" });
});

test("R6.2-02 D158 a ping goes to its endpoint alone, subscribed or not", async () => {
  const { id, secret } = await add(receiver.url);
  const { id: subscribed } = await add(
    other.url,
    EVENT_TYPES.filter((type) => type !== "ping"),
  );
  await work();
  const { event_id } = await forVenue(app.deps, lab.slug, (ctx) => sendPing(ctx, id));
  await until(() => receiver.received.length === 1);
  const [got] = receiver.received;
  expect(got?.headers).toMatchObject({ "service-event": "ping", "service-delivery": event_id });
  expect(JSON.parse(got?.body ?? "")).toMatchObject({ type: "ping", data: { message: expect.any(String) } });
  expect(got && isGenuine(got, secret)).toBe(true);
  expect(await log(lab, { endpointId: subscribed })).toEqual([]);
  expect(other.received).toEqual([]);
  await expect(forVenue(app.deps, twin.slug, (ctx) => sendPing(ctx, id))).rejects.toMatchObject({ code: "not_found" });
});

test("R6.1-05 D176 after a rotation both secrets sign for 24 hours, then the new one alone; three at most", async () => {
  const { id, secret: old } = await add(receiver.url);
  const rotate = () => forVenue(app.deps, lab.slug, (ctx) => rotateSecret(ctx, id, app.deps.config.encryptionKeys));
  const { secret: fresh, previousUntil } = await rotate();
  expect(previousUntil.getTime() - app.clock.now().getTime()).toBe(DAY_MS);
  await work();
  await place();
  await until(() => receiver.received.length === 1);
  app.clock.advance(DAY_MS - 1000);
  await place();
  await until(() => receiver.received.length === 2);
  app.clock.advance(1000);
  await place();
  await until(() => receiver.received.length === 3);
  const [first, second, third] = receiver.received as [ReceivedRequest, ReceivedRequest, ReceivedRequest];
  expect([first, second, third].map(signaturesOf)).toEqual([2, 2, 1]);
  expect([old, fresh].map((secret) => isGenuine(second, secret))).toEqual([true, true]);
  expect(isGenuine(first, fresh)).toBe(false); // Signed a day ago.
  expect([old, fresh].map((secret) => isGenuine(third, secret))).toEqual([false, true]);
  await rotate();
  await rotate();
  await expect(rotate()).rejects.toMatchObject({ code: "validation_failed" });
});

test("a paused endpoint loses nothing: events of the pause are sent when it is resumed", async () => {
  const { id } = await add(receiver.url);
  await work();
  await forVenue(app.deps, lab.slug, (ctx) => pauseEndpoint(ctx, id));
  for (let count = 0; count < 3; count++) await place();
  await untilLooked();
  expect(receiver.received).toEqual([]);
  await forVenue(app.deps, lab.slug, (ctx) => resumeEndpoint(ctx, id));
  await until(async () => (await log(lab, { endpointId: id, state: "done" })).length === 3);
});

test("a removed endpoint gets nothing more, and its due deliveries fail", async () => {
  const { id } = await add(receiver.url);
  await place();
  await forVenue(app.deps, lab.slug, (ctx) => removeEndpoint(ctx, id));
  await place();
  await work();
  await until(async () => (await deliveryOf(id)).state === "failed");
  expect(receiver.received).toEqual([]);
  expect(await log(lab, { endpointId: id })).toMatchObject([{ state: "failed", last_failure: "removed" }]);
  expect(await app.database.asOwner("select from webhook_secrets where endpoint_id = $1", [id])).toHaveLength(0);
});

describe("D183 plan and suspension", () => {
  const setPlanEnd = (end: Date | null) => app.database.asOwner("update restaurants set plan_until = $2 where id = $1", [lab.id, end]);
  afterEach(() => setPlanEnd(null));

  test("lapsed: due deliveries fail and can be replayed; nothing new is queued", async () => {
    const { id } = await add(receiver.url);
    await place();
    await setPlanEnd(app.clock.now());
    await work();
    await until(async () => (await deliveryOf(id)).state === "failed");
    expect(await deliveryOf(id)).toMatchObject({ last_failure: "lapsed" });
    await expect(forVenue(app.deps, lab.slug, (ctx) => sendPing(ctx, id))).rejects.toMatchObject({ code: "plan_lapsed" });
    await forVenue(app.deps, lab.slug, async (ctx) => emit(ctx, "order.created", EVENT_SAMPLES["order.created"].data));
    expect(await log(lab, { endpointId: id })).toHaveLength(1);
    expect(receiver.received).toEqual([]);
    await setPlanEnd(null);
    await forVenue(app.deps, lab.slug, async (ctx) => replayDelivery(ctx, (await deliveryOf(id)).id));
    await until(async () => (await deliveryOf(id)).state === "done");
  });

  test("suspended: delivered as usual", async () => {
    const { id } = await add(receiver.url);
    await place();
    await app.database.asOwner("update restaurants set suspended_at = now() where id = $1", [lab.id]);
    await work();
    await until(async () => (await deliveryOf(id)).state === "done");
    await app.database.asOwner("update restaurants set suspended_at = null where id = $1", [lab.id]);
  });
});

test("D181 attempts, deliveries and events are kept for 30 days; due ones stay longer", async () => {
  await app.database.asOwner("delete from delivery_attempts; delete from deliveries; delete from events");
  const { id } = await add(receiver.url);
  const held = await add(other.url);
  await forVenue(app.deps, lab.slug, (ctx) => pauseEndpoint(ctx, held.id));
  await work();
  await place();
  await until(async () => (await deliveryOf(id)).state === "done");
  await worker?.stop();
  worker = null;
  const counts = async () =>
    (
      await app.database.asOwner(
        `select (select count(*)::integer from deliveries) as deliveries, (select count(*)::integer from delivery_attempts) as attempts,
                (select count(*)::integer from events where type = 'order.created') as events`,
      )
    )[0];
  app.clock.advance(30 * DAY_MS - 1000);
  await purgeExpired(app.deps);
  expect(await counts()).toEqual({ deliveries: 2, attempts: 1, events: 1 });
  app.clock.advance(2000);
  await purgeExpired(app.deps);
  expect(await counts()).toEqual({ deliveries: 1, attempts: 0, events: 1 });
  await forVenue(app.deps, lab.slug, (ctx) => removeEndpoint(ctx, held.id));
  app.clock.advance(31 * DAY_MS);
  await purgeExpired(app.deps);
  expect(await counts()).toEqual({ deliveries: 0, attempts: 0, events: 0 });
});
