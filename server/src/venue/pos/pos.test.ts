/** A connected point of sale, end to end: over real TLS, with a receiver that may be down, slow, or gone. */
import { spawn } from "node:child_process";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eraseGuest } from "#venue/erasure/service.ts";
import { asSystem, startWorker, type Worker } from "#worker.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/app.ts";
import { answer, createLocalSender, hang, type Received, type Receiver, startReceiver } from "../../../test/receiver.ts";
import { untilGuilty } from "../../../test/until-guilty.ts";
import { posJobs } from "./jobs.ts";
import { connectPos, disconnectPos, readPushes } from "./service.ts";

const SECRET_KEYS = `test:${randomBytes(32).toString("base64")}`;
const WORKER = fileURLToPath(new URL("../../../test/worker-process.ts", import.meta.url));

let app: TestApp;
let lab: TestVenue;
let twin: TestVenue;
let itemIds: Map<string, number>;
let receiver: Receiver;
let secret: string;
let worker: Worker | null = null;

beforeAll(async () => {
  app = await startApp({ environment: { SECRET_KEYS } });
  receiver = await startReceiver();
  lab = await app.venue("lab");
  twin = await app.venue("lab", (file) => {
    file.restaurant.slug = "twin";
  });
  itemIds = new Map();
  for (const { slug, token } of [lab, twin]) {
    const { body } = await app.call(token, "GET", "/items?per_page=100");
    itemIds.set(slug, body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain")).id);
  }
  secret = await connect(lab);
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
  receiver.behave(answer(200));
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const connect = (venue: TestVenue, url = receiver.url): Promise<string> =>
  forVenue(app.deps, venue.slug, async (ctx) => connectPos(ctx, url, app.deps.config.secretKeys).secret);
const localSender = () => createLocalSender(receiver.authority.cert);
const work = async (): Promise<void> => {
  worker = await startWorker(app.deps, { sender: localSender() });
};

const place = async (venue = lab, token = venue.token): Promise<string> => {
  const lines = [{ item_id: itemIds.get(venue.slug) ?? 0, quantity: 1 }];
  const placed = await app.call(token, "POST", "/orders", {
    body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines },
  });
  expect(placed.status, placed.text).toBe(201);
  return placed.body.data.id;
};
const pushOf = async (orderId: string, venue = lab) => {
  const push = (await forVenue(app.deps, venue.slug, (ctx) => readPushes(ctx, 1000))).find(({ order_id }) => order_id === orderId);
  if (!push) throw new Error("There is no push of this order");
  return push;
};
const receivedOf = (orderId: string): Received[] => receiver.received.filter(({ body }) => body.includes(orderId));
const until = async (isSo: () => boolean | Promise<boolean>, ms = 8000): Promise<void> => {
  for (const deadline = Date.now() + ms; !(await isSo()); await sleep(25))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};

/** From the contract alone, as the maker of a till would write it. */
const isGenuine = ({ headers, body }: Received, key: string, nowSeconds: number): boolean => {
  const parts = String(headers["service-signature"]).split(",");
  const t = Number(parts.find((part) => part.startsWith("t="))?.slice(2));
  const mine = createHmac("sha256", key).update(`${t}.${body}`).digest("hex");
  const isSigned = parts.some((part) => part.startsWith("v1=") && timingSafeEqual(Buffer.from(part.slice(3)), Buffer.from(mine)));
  return isSigned && Math.abs(nowSeconds - t) <= 300;
};
const nowSeconds = () => Math.floor(app.clock.now().getTime() / 1000);

test("R4.2-33 R6.1-02 an order reaches the point of sale: the event's own bytes, signed, named, once", async () => {
  await work();
  const orderId = await place();
  await until(async () => (await pushOf(orderId)).state === "done");
  const [got, ...more] = receivedOf(orderId);
  if (!got) throw new Error("Nothing came");
  expect(more).toEqual([]);
  const [event] = await app.database.asOwner<{ id: string; body: string }>("select id, body from events where body like '%' || $1 || '%'", [
    orderId,
  ]);
  expect(got.body).toBe(event?.body);
  expect(got.headers).toMatchObject({
    "service-event": "order.created",
    "service-delivery": event?.id,
    "content-type": "application/json",
    "user-agent": "Service-Webhooks/1",
  });
  expect(isGenuine(got, secret, nowSeconds())).toBe(true);
  expect(isGenuine(got, `${secret}x`, nowSeconds())).toBe(false);
  expect(isGenuine({ ...got, body: got.body.replace("Ada", "Eve") }, secret, nowSeconds())).toBe(false);
  expect(await pushOf(orderId)).toMatchObject({ attempts: 1, last_status: 200, last_failure: null, next_attempt_at: null });
});

const runPush = async (orderId: string, attempt: number): Promise<void> => {
  const sender = localSender();
  const { id } = await pushOf(orderId);
  const handlers = posJobs({ sender, secretKeys: app.deps.config.secretKeys });
  await handlers["push-order"](asSystem(app.deps, lab.id), { push_id: id, attempt });
  await sender.close();
};
const jobsOf = (pushId: number) =>
  app.database.asOwner<{ start_after: Date; attempt: number }>(
    "select start_after, (data->>'attempt')::integer as attempt from jobs.job where name = 'push-order' and (data->>'push_id')::bigint = $1 order by attempt",
    [pushId],
  );

test("T5.3 five failures, then success: the schedule kept, each time the same bytes and id under a fresh signature", async () => {
  const orderId = await place();
  const { id } = await pushOf(orderId);
  const failures = [answer(500), answer(302, { Location: "/" }), answer(410), answer(404), answer(503)];
  const delays = [60, 300, 1800, 7200, 21_600];
  for (const [attempt, manners] of failures.entries()) {
    receiver.behave(manners);
    await runPush(orderId, attempt);
    const next = new Date(app.clock.now().getTime() + (delays[attempt] ?? 0) * 1000);
    expect(await pushOf(orderId)).toMatchObject({ state: "queued", attempts: attempt + 1, next_attempt_at: next });
    expect((await jobsOf(id)).at(-1)).toEqual({ start_after: next, attempt: attempt + 1 });
    app.clock.set(next.toISOString());
  }
  receiver.behave(answer(201));
  await runPush(orderId, 5);
  expect(await pushOf(orderId)).toMatchObject({ state: "done", attempts: 6, last_status: 201, last_failure: null });
  const got = receivedOf(orderId);
  expect(got).toHaveLength(6);
  expect(new Set(got.map(({ body }) => body)).size).toBe(1);
  expect(new Set(got.map(({ headers }) => headers["service-delivery"])).size).toBe(1);
  expect(new Set(got.map(({ headers }) => headers["service-signature"])).size).toBe(6);
  const last = got.at(-1);
  expect(last && isGenuine(last, secret, nowSeconds())).toBe(true);
});

test("D177 the sixth failure is the last; a job that runs twice does nothing the second time", async () => {
  receiver.behave(answer(500));
  const orderId = await place();
  const { id } = await pushOf(orderId);
  for (let attempt = 0; attempt < 6; attempt++) {
    await runPush(orderId, attempt);
    await runPush(orderId, attempt);
  }
  expect(receivedOf(orderId)).toHaveLength(6);
  expect(await pushOf(orderId)).toMatchObject({ state: "failed", attempts: 6, last_status: 500, next_attempt_at: null });
  expect((await pushOf(orderId)).explanation).toMatch(/2xx/);
  expect(await jobsOf(id)).toHaveLength(6);
});

test("a disconnected point of sale gets nothing more, and what still waits is given up", async () => {
  const orderId = await place(twin).then(async () => {
    await connect(twin);
    return place(twin);
  });
  await forVenue(app.deps, twin.slug, disconnectPos);
  const after = await place(twin);
  const { id } = await pushOf(orderId, twin);
  const sender = localSender();
  await posJobs({ sender, secretKeys: app.deps.config.secretKeys })["push-order"](asSystem(app.deps, twin.id), { push_id: id, attempt: 0 });
  await sender.close();
  expect(await pushOf(orderId, twin)).toMatchObject({ state: "failed", last_failure: "disconnected" });
  await expect(pushOf(after, twin)).rejects.toThrow();
  expect(receivedOf(orderId)).toEqual([]);
  const audit = await app.database.asOwner<{ action: string }>(
    "select action from audit_entries where restaurant_id = $1 and action like 'pos%' order by id",
    [twin.id],
  );
  expect(audit.map(({ action }) => action)).toEqual(["pos.connected", "pos.disconnected"]);
});

test("the secret is sealed, opens only with the service's keys, and a lost key is no attempt but says so", async () => {
  const [row] = await app.database.asOwner<{ sealed_secret: string }>(
    "select sealed_secret from pos_connections where restaurant_id = $1",
    [lab.id],
  );
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
  expect(row?.sealed_secret).not.toContain(secret);
  const orderId = await place();
  const { id } = await pushOf(orderId);
  const sender = localSender();
  const withoutKey = () => posJobs({ sender, secretKeys: [] })["push-order"](asSystem(app.deps, lab.id), { push_id: id, attempt: 0 });
  await withoutKey();
  // A job that runs twice plans one more, not two.
  await withoutKey();
  await sender.close();
  expect(await jobsOf(id)).toHaveLength(2);
  expect(await pushOf(orderId)).toMatchObject({ state: "queued", attempts: 0, last_failure: "secret" });
  expect((await pushOf(orderId)).explanation).toMatch(/SECRET_KEYS/);
});

test("D139 the orders of a sandbox are never pushed", async () => {
  const sandbox = await app.venue("lab", (file) => {
    file.restaurant.slug = "sandbox";
  });
  await connect(sandbox);
  await app.database.asOwner("update restaurants set kind = 'sandbox' where id = $1", [sandbox.id]);
  sandbox.token = await app.token(sandbox.slug, { kind: "sandbox" });
  const { body } = await app.call(sandbox.token, "GET", "/items?per_page=100");
  itemIds.set("sandbox", body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain")).id);
  await place(sandbox);
  expect(await app.database.asOwner("select from pos_pushes where restaurant_id = $1", [sandbox.id])).toEqual([]);
});

test("D126 a guest who is erased is gone from what was pushed, and from what is still to be", async () => {
  const orderId = await place();
  const [order] = await app.database.asOwner<{ guest_id: string }>("select guest_id from orders where id = $1", [orderId]);
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, Number(order?.guest_id)));
  const bodies = await app.database.asOwner<{ body: string }>("select body from pos_pushes where restaurant_id = $1", [lab.id]);
  expect(bodies.length).toBeGreaterThan(0);
  expect(bodies.filter(({ body }) => body.includes("Ada") || body.includes("0100"))).toEqual([]);
  await runPush(orderId, 0);
  expect(receivedOf(orderId)[0]?.body).toContain('"customer":{"name":null');
});

test("an address that cannot be sent to is refused when it is given", async () => {
  for (const url of ["http://pos.example/", "https://127.0.0.1/", "https://[::1]/", "https://a:b@pos.example/", "nonsense"])
    await expect(connect(twin, url), url).rejects.toThrow(/Give the point of sale's address as https:/);
});

test("T5.7 a point of sale that hangs slows neither orders nor another venue's pushes, and holds no transaction open", async () => {
  receiver.behave((request, response) => (request.url === "/slow" ? undefined : void response.end()));
  await connect(lab, receiver.url.replace("/orders", "/slow"));
  await forVenue(app.deps, twin.slug, disconnectPos);
  await work();
  const p95 = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? 0;
  const compare = async (): Promise<{ none: number; slow: number }> => {
    const times = { slow: [] as number[], none: [] as number[] };
    for (let round = 0; round < 60; round++)
      for (const [name, venue] of [
        ["slow", lab],
        ["none", twin],
      ] as const) {
        const startedAt = performance.now();
        await place(venue);
        times[name].push(performance.now() - startedAt);
      }
    return { none: p95(times.none), slow: p95(times.slow) };
  };
  // On a machine that others use one window can be unlucky; a till that really slowed orders would slow them in every one.
  const isEven = ({ none, slow }: { none: number; slow: number }) => slow < none * 1.5 + 5;
  const seen = await untilGuilty(compare, isEven, 5);
  console.info(`POST /orders p95: ${seen.none.toFixed(1)} ms without a till, ${seen.slow.toFixed(1)} ms with one that hangs`);
  expect(isEven(seen)).toBe(true);
  await connect(twin);
  const startedAt = performance.now();
  const orderId = await place(twin);
  await until(() => receivedOf(orderId).length > 0);
  console.info(`a push of another venue beside many that hang: ${Math.round(performance.now() - startedAt)} ms`);
  expect(performance.now() - startedAt).toBeLessThan(5000);
  const open = await app.database.asOwner<{ seconds: number }>(
    "select extract(epoch from now() - xact_start)::float as seconds from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()",
  );
  expect(open.filter(({ seconds }) => seconds > 0.5)).toEqual([]);
  receiver.behave(answer(200));
  await app.database.asOwner("delete from jobs.job");
  secret = await connect(lab);
}, 60_000);

test("T5.2 a worker is killed with a push under way: another takes it up, and the till can tell that it is the same", async () => {
  await app.database.asOwner("delete from jobs.job");
  const environment = {
    ...process.env,
    DATABASE_URL: app.database.appUrl,
    SECRET_KEYS,
    AUTHORITY: receiver.authority.cert,
    LOG_LEVEL: "fatal",
  };
  const child = spawn(process.execPath, [WORKER], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  receiver.behave(hang);
  const orderId = await place();
  await until(() => receivedOf(orderId).length === 1, 20_000);
  child.kill("SIGKILL");
  const killedAt = Date.now();
  expect(await pushOf(orderId)).toMatchObject({ state: "queued", attempts: 0 });
  receiver.behave(answer(200));
  await work();
  await until(async () => (await pushOf(orderId)).state === "done", 30_000);
  console.info(`taken up ${((Date.now() - killedAt) / 1000).toFixed(1)} s after the kill`);
  const got = receivedOf(orderId);
  expect(got).toHaveLength(2);
  expect(new Set(got.map(({ headers, body }) => `${headers["service-delivery"]} ${body}`)).size).toBe(1);
  expect(await pushOf(orderId)).toMatchObject({ attempts: 1, last_status: 200 });
}, 60_000);
