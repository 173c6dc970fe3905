/** Faults of webhooks, at a real receiver: what came, how often, in which order, and whether its signature holds. */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startWorker, type Worker } from "#compose/worker.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createLocalSender, type ReceivedRequest, type Receiver, startReceiver } from "../../../../test/support/webhook-receiver.ts";
import { createSandbox, inSandbox } from "../../../admin/sandbox.ts";

const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

let app: TestApp;
let live: TestVenue;
let token: string;
let receiver: Receiver;
let worker: Worker;
let secret: string;
let plant: InjectedFault = () => null;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS }, pool: faultInjectingPool((...sent) => plant(...sent)) });
  live = await app.venue("trattoria");
  ({ token } = (await createSandbox(app.deps, live.slug, 1_000_000)) ?? expect.fail("no sandbox"));
  // On the clock of these tests it is due in the past, so it would clear the faults as soon as a worker runs.
  await app.database.asOwner("delete from jobs.job where name = 'reset-sandbox'");
  receiver = await startReceiver();
  const wish = { url: receiver.url, events: ["order.created" as const], description: null };
  ({ secret } = await inSandbox(app.deps, live.slug, (ctx) => addEndpoint(ctx, wish, app.deps.config.encryptionKeys)));
});
beforeEach(async () => {
  receiver.received.length = 0;
  worker = await startWorker(app.deps, { sender: createLocalSender(receiver.authority.cert) });
});
afterEach(async () => {
  plant = () => null;
  await worker.stop();
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const post = async (path: string, body: object) => {
  const { status, body: answer, text } = await app.call(token, "POST", path, { body });
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return answer.data;
};
const order = (fault: string, more = {}) => post("/sandbox/faults", { fault, ...more });
/** The id of its event. */
const cause = async (): Promise<string> =>
  (await post("/sandbox/act", { act: "trigger", event: "order.created" })).events.find(
    ({ type }: { type: string }) => type === "order.created",
  ).id;
const until = async (isSo: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> => {
  for (const deadline = Date.now() + ms; !(await isSo()); await sleep(20))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};
const ids = () => receiver.received.map(({ headers }) => headers["service-delivery"]);
const marks = () => receiver.received.map(({ headers }) => headers["service-fault"]);
const isGenuine = ({ headers, body }: ReceivedRequest): boolean => {
  const [, t = "", v1 = ""] = /^t=(\d+),v1=(\w+)$/.exec(String(headers["service-signature"])) ?? [];
  return createHmac("sha256", secret).update(`${t}.${body}`).digest("hex") === v1;
};
/** Until then the time of the next attempt is not decided. */
const untilRefused = (): Promise<void> =>
  until(async () => (await app.database.asOwner("select from deliveries where state = 'waiting' and attempts = 1")).length === 1);
const nothingMore = async (): Promise<void> => {
  const { length } = receiver.received;
  await sleep(700);
  expect(receiver.received).toHaveLength(length);
};

test("without one a message comes once, unmarked and well signed", async () => {
  const id = await cause();
  await until(() => receiver.received.length === 1);
  await nothingMore();
  expect([ids(), marks(), receiver.received.map(isGenuine)]).toEqual([[id], [undefined], [true]]);
});

test("twice: the same message comes twice, and the next one once", async () => {
  await order("twice");
  const first = await cause();
  await until(() => receiver.received.length === 2);
  const next = await cause();
  await until(() => receiver.received.length === 3);
  await nothingMore();
  expect([ids(), marks(), receiver.received.every(isGenuine)]).toEqual([[first, first, next], ["twice", "twice", undefined], true]);
});

test("bad_signature: the signature does not hold, and that of the next message does", async () => {
  await order("bad_signature");
  const first = await cause();
  await until(() => receiver.received.length === 1);
  const next = await cause();
  await until(() => receiver.received.length === 2);
  expect([ids(), marks(), receiver.received.map(isGenuine)]).toEqual([
    [first, next],
    ["bad_signature", undefined],
    [false, true],
  ]);
});

test("late: the message comes after its time, once", async () => {
  await order("late", { duration_ms: 5000 });
  const late = await cause();
  const next = await cause();
  await until(() => receiver.received.length === 1);
  await nothingMore();
  app.clock.advance(5000);
  await until(() => receiver.received.length === 2);
  await nothingMore();
  expect([ids(), marks()]).toEqual([
    [next, late],
    [undefined, "late"],
  ]);
});

test("swapped: the message comes directly after the next one, and alone when none comes", async () => {
  await order("swapped", { count: 2 });
  const first = await cause();
  await nothingMore();
  expect(receiver.received).toEqual([]);
  const alone = await cause();
  await nothingMore();
  const next = await cause();
  await until(() => receiver.received.length === 3);
  expect([ids()[0], ids().slice(1).map(String).toSorted(), marks()]).toEqual([
    next,
    [first, alone].toSorted(),
    [undefined, "swapped", "swapped"],
  ]);
  receiver.received.length = 0;
  await order("swapped", { duration_ms: 5000 });
  const lonely = await cause();
  await nothingMore();
  app.clock.advance(5000);
  await until(() => receiver.received.length === 1);
  expect([ids(), marks()]).toEqual([[lonely], ["swapped"]]);
});

test("each is taken once: ten of them for fifteen messages; the retry of a message takes none", async () => {
  await order("bad_signature", { count: 10 });
  for (let count = 0; count < 15; count++) await cause();
  await until(() => receiver.received.length === 15);
  await nothingMore();
  expect([receiver.received.filter((one) => !isGenuine(one)).length, marks().filter((mark) => mark === "bad_signature").length]).toEqual([
    10, 10,
  ]);
  receiver.received.length = 0;
  receiver.behave((_request, response) => void response.writeHead(500).end());
  await cause();
  await until(() => receiver.received.length === 1);
  await order("bad_signature");
  receiver.behave((_request, response) => void response.writeHead(200).end());
  await untilRefused();
  app.clock.advance(70_000);
  await until(() => receiver.received.length === 2);
  expect(receiver.received.map(isGenuine)).toEqual([true, true]);
});

test("a refused message is sent again without its fault", async () => {
  receiver.behave((_request, response) => void response.writeHead(401).end());
  await order("bad_signature");
  const id = await cause();
  await until(() => receiver.received.length === 1);
  receiver.behave((_request, response) => void response.writeHead(200).end());
  await untilRefused();
  app.clock.advance(70_000);
  await until(() => receiver.received.length === 2);
  expect([ids(), marks(), receiver.received.map(isGenuine)]).toEqual([
    [id, id],
    ["bad_signature", undefined],
    [false, true],
  ]);
});

test("planted: a fault that a message takes without keeping it from the next one is found", async () => {
  plant = ({ text, values = [] }) => {
    const [, taken, rest] = /update sandbox_faults f set delivery_id = w\.id from (.*?)\s+where (.*?)\s+returning/s.exec(text) ?? [];
    if (taken === undefined || rest === undefined) return null;
    const before = text.slice(0, text.indexOf("update sandbox_faults f"));
    return { values, text: `${before} select w.id as delivery_id, f.fault, f.duration_ms from sandbox_faults f, ${taken} where ${rest}` };
  };
  await order("bad_signature");
  for (let count = 0; count < 3; count++) await cause();
  await until(() => receiver.received.length === 3);
  expect(receiver.received.filter((one) => !isGenuine(one)).length).toBeGreaterThan(1);
});
