/** Deliveries that wait for their next attempt can be sent now; one that is being sent is not sent twice. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { RETRY_DELIVERIES_MAX } from "@comanda/contract/console/webhooks.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../../test/support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { answer, createLocalSender, type Receiver, startReceiver } from "../../../../test/support/webhook-receiver.ts";
import { startWorker, type Worker } from "../../../compose/worker.ts";
import { pauseEndpoint, sendPing } from "./service/endpoints.ts";
import { retryDeliveries } from "./service/resend.ts";

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let owner: TestUser;
let manager: TestUser;
let receiver: Receiver;
let worker: Worker | null = null;

beforeAll(async () => {
  receiver = await startReceiver();
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
  [owner, manager] = [await createUser(app, lab.slug, "owner"), await createUser(app, lab.slug, "manager")];
});
beforeEach(async () => {
  receiver.behave(answer(200));
  receiver.received.length = 0;
  await app.database.asOwner("update webhook_endpoints set removed_at = now() where removed_at is null");
  await app.database.asOwner("update deliveries set state = 'failed', due_at = null");
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const work = async (): Promise<void> => {
  worker = await startWorker(app.deps, { sender: createLocalSender(receiver.authority.cert) });
};
const addTo = ({ slug }: TestVenue): Promise<number> =>
  forVenue(app.deps, slug, async (ctx) => {
    const wanted = { url: receiver.url, events: ["order.created"], description: null };
    return (await addEndpoint(ctx, wanted, app.deps.config.encryptionKeys)).endpoint.id;
  });
/** A ping in this state, tried three times, its next attempt in two hours. */
const deliveryAt = async ({ slug }: TestVenue, endpointId: number, state = "waiting"): Promise<number> => {
  const { event_id } = await forVenue(app.deps, slug, (ctx) => sendPing(ctx, endpointId));
  const [row] = await app.database.asOwner<{ id: string }>(
    "update deliveries set state = $2, due_at = $3, attempts = 3 where event_id = $1 returning id",
    [event_id, state, state === "waiting" || state === "ready" ? new Date(app.clock.now().getTime() + 7_200_000) : null],
  );
  return Number(row?.id);
};
const retry = (body: object, person = owner) => person.call("POST", `/venues/${lab.slug}/deliveries/retry`, { body });
const statesOf = async (ids: number[]): Promise<string[]> =>
  (
    await app.database.asOwner<{ state: string; cycle: number; attempts: number }>(
      "select state, cycle, attempts from deliveries where id = any($1) order by id",
      [ids],
    )
  ).map(({ state, cycle, attempts }) => `${state} ${cycle}.${attempts}`);
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + 10_000; !(await isSo()); await sleep(20))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};

test("D182 a waiting delivery is sent now, with a new cycle of attempts; every other state is only counted", async () => {
  const endpoint = await addTo(lab);
  const ids: number[] = [];
  for (const state of ["waiting", "ready", "held", "done", "failed"]) ids.push(await deliveryAt(lab, endpoint, state));
  const answered = await retry({ ids: [...ids, ...ids] });
  expect([answered.status, answered.body.data]).toEqual([200, { count: 1, not_waiting: 4, still_waiting: 0 }]);
  expect(await statesOf(ids)).toEqual(["ready 2.0", "ready 1.3", "held 1.3", "done 1.3", "failed 1.3"]);
  const entries = await app.database.asOwner<{ actor_name: string; after: object }>(
    "select actor_name, after from audit_entries where action = 'webhook.retried' and subject_id = $1",
    [String(endpoint)],
  );
  expect(entries).toMatchObject([{ after: { delivery: ids[0] } }]);
});

test("the list shows how many wait and when the first is due; a retry of an endpoint changes no other endpoint", async () => {
  const [endpoint, other, foreign] = [await addTo(lab), await addTo(lab), await addTo(cafe)];
  const mine = [await deliveryAt(lab, endpoint), await deliveryAt(lab, endpoint)];
  const others = [await deliveryAt(lab, other), await deliveryAt(cafe, foreign)];
  const dueAt = new Date(app.clock.now().getTime() + 60_000);
  await app.database.asOwner("update deliveries set due_at = $2 where id = $1", [mine[1], dueAt]);
  const listed = async () => {
    const { body } = await manager.call("GET", `/venues/${lab.slug}/webhooks`);
    return body.data.find(({ id }: { id: number }) => id === endpoint);
  };
  expect(await listed()).toMatchObject({ pending: 2, waiting: 2, next_attempt_at: dueAt.toISOString() });
  expect((await retry({ webhook: endpoint })).body.data).toEqual({ count: 2, not_waiting: 0, still_waiting: 0 });
  expect(await listed()).toMatchObject({ pending: 2, waiting: 0, next_attempt_at: null });
  expect(await statesOf([...mine, ...others])).toEqual(["ready 2.0", "ready 2.0", "waiting 1.3", "waiting 1.3"]);
  expect((await retry({ webhook: endpoint })).body.data).toEqual({ count: 0, not_waiting: 0, still_waiting: 0 });
});

test("one call retries a limited number, the oldest first, and returns how many still wait", async () => {
  const endpoint = await addTo(lab);
  const first = await deliveryAt(lab, endpoint);
  await app.database.asOwner(
    `with made as (
       insert into events (restaurant_id, id, type, body, created_at)
       select restaurant_id, gen_random_uuid(), type, body, created_at from events, generate_series(1, $2::integer)
       where id = (select event_id from deliveries where id = $1) returning restaurant_id, id)
     insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
     select d.restaurant_id, d.endpoint_id, made.id, d.event_type, 'waiting', d.due_at + interval '1 minute', d.created_at, d.updated_at
     from made, deliveries d where d.id = $1`,
    [first, RETRY_DELIVERIES_MAX + 4],
  );
  expect((await retry({ webhook: endpoint })).body.data).toEqual({ count: RETRY_DELIVERIES_MAX, not_waiting: 0, still_waiting: 5 });
  expect(await statesOf([first])).toEqual(["ready 2.0"]);
});

test("unknown and foreign ids refuse all; both or neither of ids and endpoint is 422; owners only; nothing is changed", async () => {
  const [endpoint, foreign] = [await addTo(lab), await addTo(cafe)];
  const ids = [await deliveryAt(lab, endpoint), await deliveryAt(cafe, foreign)];
  for (const body of [{ ids }, { ids: [ids[0], 999_999_999] }, { webhook: foreign }, { webhook: 999_999_999 }])
    expect([body, (await retry(body)).status]).toEqual([body, 404]);
  for (const body of [{}, { ids: [ids[0]], webhook: endpoint }, { ids: [] }])
    expect([body, (await retry(body)).status]).toEqual([body, 422]);
  expect((await retry({ ids: [ids[0]] }, manager)).status).toBe(403);
  expect(await statesOf(ids)).toEqual(["waiting 1.3", "waiting 1.3"]);
});

test("retried while it is being sent, a delivery arrives once", async () => {
  const endpoint = await addTo(lab);
  await work();
  receiver.behave((_, response) => void setTimeout(() => response.writeHead(200).end(), 600));
  const { event_id } = await forVenue(app.deps, lab.slug, (ctx) => sendPing(ctx, endpoint));
  await until(() => receiver.received.length === 1);
  const [row] = await app.database.asOwner<{ id: string }>("select id from deliveries where event_id = $1", [event_id]);
  expect((await retry({ ids: [Number(row?.id)] })).body.data).toMatchObject({ count: 0, not_waiting: 1 });
  expect((await retry({ webhook: endpoint })).body.data).toMatchObject({ count: 0 });
  await until(async () => (await statesOf([Number(row?.id)]))[0] === "done 1.1");
  await sleep(400);
  expect(receiver.received).toHaveLength(1);
});

test("retried after an outage, waiting deliveries arrive at once, and a paused endpoint gets nothing", async () => {
  const [endpoint, paused] = [await addTo(lab), await addTo(lab)];
  const ids = [await deliveryAt(lab, endpoint), await deliveryAt(lab, endpoint), await deliveryAt(lab, paused)];
  await forVenue(app.deps, lab.slug, (ctx) => pauseEndpoint(ctx, paused));
  expect((await retry({ webhook: endpoint })).body.data.count).toBe(2);
  expect((await retry({ webhook: paused })).body.data.count).toBe(0);
  await work();
  await until(async () => (await statesOf(ids)).join() === "done 2.1,done 2.1,held 1.3");
  expect(receiver.received).toHaveLength(2);
});

test("planted fault: a retry that ignores the state restarts a delivery that is being sent", async () => {
  const id = await deliveryAt(lab, await addTo(lab), "ready");
  const pool = faultInjectingPool((statement) =>
    statement.text.includes("for update skip locked") && statement.text.includes("cycle = d.cycle + 1")
      ? { ...statement, text: statement.text.replace("w.state = 'waiting'", "true") }
      : null,
  )(app.deps.config);
  const planted = await forVenue({ ...app.deps, pool }, lab.slug, (ctx) => retryDeliveries(ctx, [id]));
  await pool.end();
  expect([planted.count, await statesOf([id])]).toEqual([1, ["ready 2.0"]]);
});
