/** A connected point of sale, end to end: over real TLS, with a receiver that is up, slow or down. */
import { spawn } from "node:child_process";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startWorker, type Worker } from "#compose/worker.ts";
import { readDeliveries, readDelivery } from "#platform/events/webhook-deliveries/service/log.ts";
import { replayDelivery } from "#platform/events/webhook-deliveries/service/resend.ts";
import { addEndpoint, readEndpoint, readEndpoints } from "#platform/events/webhooks/service/endpoints.ts";
import { eraseGuest } from "#venue/guest-records/erasure/service.ts";
import { repeatUntilDetected } from "../../../../test/support/repeat-until-detected.ts";
import { bundled } from "../../../../test/support/shared-by-files.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import {
  answer,
  createLocalSender,
  hang,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from "../../../../test/support/webhook-receiver.ts";
import { connectPos, disconnectPos, readPushes } from "./service.ts";

const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;
const WORKER = fileURLToPath(new URL("../../../../test/support/worker-process.ts", import.meta.url));

let app: TestApp;
let lab: TestVenue;
let twin: TestVenue;
let itemIds: Map<string, number>;
let receiver: Receiver;
let secret: string;
let worker: Worker | null = null;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS } });
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
  forVenue(app.deps, venue.slug, async (ctx) => (await connectPos(ctx, url, app.deps.config.encryptionKeys)).secret);
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
const receivedOf = (orderId: string): ReceivedRequest[] => receiver.received.filter(({ body }) => body.includes(orderId));
const until = async (isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> => {
  for (const deadline = Date.now() + ms; !(await isSo()); await sleep(25))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};

/** Written from the contract alone, as the maker of a till does it. */
const isGenuine = ({ headers, body }: ReceivedRequest, key: string, nowSeconds: number): boolean => {
  const parts = String(headers["service-signature"]).split(",");
  const t = Number(parts.find((part) => part.startsWith("t="))?.slice(2));
  const mine = createHmac("sha256", key).update(`${t}.${body}`).digest("hex");
  const isSigned = parts.some((part) => part.startsWith("v1=") && timingSafeEqual(Buffer.from(part.slice(3)), Buffer.from(mine)));
  return isSigned && Math.abs(nowSeconds - t) <= 300;
};
const nowSeconds = () => Math.floor(app.clock.now().getTime() / 1000);

test("R4.2-33 R6.1-02 an order reaches the point of sale once: the event's bytes, its headers and a signature", async () => {
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

const DELAYS_SECONDS = [60, 300, 1800, 7200, 21_600];

test("five failures, then success: on schedule, with the same bytes and id and a new signature each time", async () => {
  const failures = [answer(500), answer(302, { Location: "/" }), answer(410), answer(404), answer(503)];
  receiver.behave(answer(500));
  await work();
  const orderId = await place();
  for (const [attempt, delaySeconds] of DELAYS_SECONDS.entries()) {
    await until(async () => (await pushOf(orderId)).attempts === attempt + 1);
    const next = new Date(app.clock.now().getTime() + delaySeconds * 1000);
    expect(await pushOf(orderId)).toMatchObject({ state: "queued", attempts: attempt + 1, next_attempt_at: next });
    receiver.behave(failures[attempt + 1] ?? answer(201));
    app.clock.set(next.toISOString());
  }
  await until(async () => (await pushOf(orderId)).state === "done");
  expect(await pushOf(orderId)).toMatchObject({ state: "done", attempts: 6, last_status: 201, last_failure: null });
  const got = receivedOf(orderId);
  expect(got).toHaveLength(6);
  expect(new Set(got.map(({ body }) => body)).size).toBe(1);
  expect(new Set(got.map(({ headers }) => headers["service-delivery"])).size).toBe(1);
  expect(new Set(got.map(({ headers }) => headers["service-signature"])).size).toBe(6);
  const last = got.at(-1);
  expect(last && isGenuine(last, secret, nowSeconds())).toBe(true);
});

test("D177 D181 the sixth failure is the last, and no mail about it goes to the owners", async () => {
  receiver.behave(answer(500));
  await work();
  const orderId = await place();
  for (const [attempt, delaySeconds] of DELAYS_SECONDS.entries()) {
    await until(async () => (await pushOf(orderId)).attempts === attempt + 1);
    app.clock.advance(delaySeconds * 1000);
  }
  await until(async () => (await pushOf(orderId)).state === "failed");
  app.clock.advance(24 * 60 * 60 * 1000);
  // The worker has looked for work since: this push, which succeeds, would come with the other.
  receiver.behave(answer(200));
  const later = await place();
  await until(async () => (await pushOf(later)).state === "done");
  expect(receivedOf(orderId)).toHaveLength(6);
  expect(await pushOf(orderId)).toMatchObject({ state: "failed", attempts: 6, last_status: 500, next_attempt_at: null });
  expect((await pushOf(orderId)).explanation).toMatch(/2xx/);
  expect(await app.database.asOwner("select from notifications where kind = 'webhook.failing'")).toEqual([]);
});

test("a disconnected point of sale gets nothing more, and its due pushes fail", async () => {
  const orderId = await place(twin).then(async () => {
    await connect(twin);
    return place(twin);
  });
  await forVenue(app.deps, twin.slug, disconnectPos);
  const after = await place(twin);
  await work();
  await until(async () => (await pushOf(orderId, twin)).state === "failed");
  expect(await pushOf(orderId, twin)).toMatchObject({ state: "failed", last_failure: "disconnected" });
  await expect(pushOf(after, twin)).rejects.toThrow();
  expect(receivedOf(orderId)).toEqual([]);
  const audit = await app.database.asOwner<{ action: string }>(
    "select action from audit_entries where restaurant_id = $1 and (action like 'pos%' or action like 'webhook%') order by id",
    [twin.id],
  );
  expect(audit.map(({ action }) => action)).toEqual(["pos.connected", "pos.disconnected"]);
  expect(await forVenue(app.deps, twin.slug, disconnectPos)).toBe(false);
});

test("connecting again replaces address and secret: what is due goes to the new address, signed with the new secret alone", async () => {
  await connect(twin, "https://before.example/orders");
  const orderId = await place(twin);
  const fresh = await connect(twin);
  await work();
  await until(async () => (await pushOf(orderId, twin)).state === "done");
  const [got, ...more] = receivedOf(orderId);
  expect(more).toEqual([]);
  expect(String(got?.headers["service-signature"]).split("v1=")).toHaveLength(2);
  expect(got && isGenuine(got, fresh, nowSeconds())).toBe(true);
  await forVenue(app.deps, twin.slug, disconnectPos);
});

test("a till is in no list of webhooks or deliveries, no webhook call finds it, and it does not count against the limit", async () => {
  const orderId = await place();
  const push = await pushOf(orderId);
  const [till] = await app.database.asOwner<{ id: string }>("select id from webhook_endpoints where restaurant_id = $1 and kind = 'pos'", [
    lab.id,
  ]);
  await forVenue(app.deps, lab.slug, async (ctx) => {
    expect(await readEndpoints(ctx)).toEqual([]);
    for (const filter of [{}, { endpointId: Number(till?.id) }, { state: "ready" }, { type: "order.created" }])
      expect(await readDeliveries(ctx, filter, 100)).toEqual([]);
    await expect(readEndpoint(ctx, Number(till?.id))).rejects.toMatchObject({ code: "not_found" });
    await expect(readDelivery(ctx, push.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(replayDelivery(ctx, push.id)).rejects.toMatchObject({ code: "not_found" });
  });
  for (let count = 0; count < 20; count++)
    await forVenue(app.deps, twin.slug, async (ctx) => {
      if (count === 0) await connectPos(ctx, receiver.url, app.deps.config.encryptionKeys);
      await addEndpoint(
        ctx,
        { url: `https://example.com/${count}`, events: ["guest.updated"], description: null },
        app.deps.config.encryptionKeys,
      );
    });
  await app.database.asOwner("update webhook_endpoints set removed_at = now() where restaurant_id = $1", [twin.id]);
});

test("D183 a venue without a plan: its till still gets the orders that were placed before", async () => {
  await connect(twin);
  const orderId = await place(twin);
  const setPlanEnd = (end: Date | null) => app.database.asOwner("update restaurants set plan_until = $2 where id = $1", [twin.id, end]);
  await setPlanEnd(app.clock.now());
  await work();
  await until(async () => (await pushOf(orderId, twin)).state === "done");
  await setPlanEnd(null);
  await forVenue(app.deps, twin.slug, disconnectPos);
});

test("the secret is encrypted; a missing key costs no attempt, and the list says so", async () => {
  const [row] = await app.database.asOwner<{ encrypted_secret: string }>(
    "select encrypted_secret from webhook_secrets where restaurant_id = $1",
    [lab.id],
  );
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
  expect(row?.encrypted_secret).toBeDefined();
  expect(row?.encrypted_secret).not.toContain(secret);
  const orderId = await place();
  worker = await startWorker({ ...app.deps, config: { ...app.deps.config, encryptionKeys: [] } }, { sender: localSender() });
  await until(async () => (await pushOf(orderId)).last_failure === "secret");
  expect(receivedOf(orderId)).toEqual([]);
  expect(await pushOf(orderId)).toMatchObject({ state: "queued", attempts: 0, last_failure: "secret" });
  expect((await pushOf(orderId)).explanation).toMatch(/ENCRYPTION_KEYS/);
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
  expect(await app.database.asOwner("select from deliveries where restaurant_id = $1", [sandbox.id])).toEqual([]);
  await expect(connect(sandbox)).rejects.toThrow(/sandbox has no point of sale/);
});

test("D126 an erased guest is gone from pushes that were sent and from those that are due", async () => {
  const orderId = await place();
  const [order] = await app.database.asOwner<{ guest_id: string }>("select guest_id from orders where id = $1", [orderId]);
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, Number(order?.guest_id)));
  const bodies = await app.database.asOwner<{ body: string }>(
    "select body from events v where restaurant_id = $1 and exists (select from deliveries d where d.event_id = v.id)",
    [lab.id],
  );
  expect(bodies.length).toBeGreaterThan(0);
  expect(bodies.filter(({ body }) => body.includes("Ada") || body.includes("0100"))).toEqual([]);
  await work();
  await until(async () => (await pushOf(orderId)).state === "done");
  expect(receivedOf(orderId)[0]?.body).toContain('"customer":{"name":null');
});

test("an address that cannot be sent to is refused when it is given", async () => {
  for (const url of ["http://pos.example/", "https://127.0.0.1/", "https://[::1]/", "https://a:b@pos.example/", "nonsense"])
    await expect(connect(twin, url), url).rejects.toThrow(/Give the point of sale's address as https:/);
});

const giveUpDue = () => app.database.asOwner("update deliveries set state = 'failed', due_at = null where state <> 'done'");

test("a point of sale that hangs slows neither orders nor another venue's pushes, and holds no transaction open", async () => {
  receiver.behave((request, response) => (request.url === "/slow" ? undefined : void response.end()));
  await connect(lab, receiver.url.replace("/orders", "/slow"));
  await forVenue(app.deps, twin.slug, disconnectPos);
  await work();
  const p95 = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? 0;
  const compare = async (): Promise<{ none: number; slow: number }> => {
    const times = { slow: [] as number[], none: [] as number[] };
    for (let round = 0; round < (process.env.TEST_STRESS ? 60 : 40); round++)
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
  // On a busy machine one measurement can be unlucky; a till that slows orders shows in every one.
  const isEven = ({ none, slow }: { none: number; slow: number }) => slow < none * 1.5 + 5;
  const seen = await repeatUntilDetected(compare, isEven, 5);
  console.info(`POST /orders p95: ${seen.none.toFixed(1)} ms without a till, ${seen.slow.toFixed(1)} ms with one that hangs`);
  expect(isEven(seen)).toBe(true);
  await connect(twin);
  const startedAt = performance.now();
  const orderId = await place(twin);
  await until(() => receivedOf(orderId).length > 0);
  console.info(`a push of another venue beside many that hang: ${Math.round(performance.now() - startedAt)} ms`);
  // Behind the tills that hang the push would wait until their time is over, ten seconds each.
  expect(performance.now() - startedAt).toBeLessThan(9000);
  const open = await app.database.asOwner<{ seconds: number }>(
    "select extract(epoch from now() - xact_start)::float as seconds from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()",
  );
  expect(open.filter(({ seconds }) => seconds > 0.5)).toEqual([]);
  receiver.behave(answer(200));
  await giveUpDue();
  secret = await connect(lab);
}, 60_000);

test("a worker is killed while it pushes: another one sends the push again, with the same id and bytes", async () => {
  await giveUpDue();
  const environment = {
    ...process.env,
    DATABASE_URL: app.database.appUrl,
    ENCRYPTION_KEYS,
    AUTHORITY: receiver.authority.cert,
    LOG_LEVEL: "fatal",
  };
  const child = spawn(process.execPath, [await bundled(WORKER)], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  receiver.behave(hang);
  const orderId = await place();
  await until(() => receivedOf(orderId).length === 1);
  child.kill("SIGKILL");
  const killedAt = Date.now();
  expect(await pushOf(orderId)).toMatchObject({ state: "queued", attempts: 0 });
  receiver.behave(answer(200));
  await work();
  await until(async () => (await pushOf(orderId)).state === "done");
  console.info(`taken up ${((Date.now() - killedAt) / 1000).toFixed(1)} s after the kill`);
  const got = receivedOf(orderId);
  expect(got).toHaveLength(2);
  expect(new Set(got.map(({ headers, body }) => `${headers["service-delivery"]} ${body}`)).size).toBe(1);
  expect(await pushOf(orderId)).toMatchObject({ attempts: 1, last_status: 200 });
}, 60_000);
