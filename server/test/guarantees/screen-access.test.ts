/** Access of paired screens, generated from the table of calls: which cookie opens a call, and what an ended screen can still do. */
import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SCREEN_STREAM_PATH } from "@comanda/contract/console/change-areas.ts";
import { CONSOLE_PREFIX, type ConsoleOperation } from "@comanda/contract/console/operation.ts";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { strictCheck } from "../../../conformance/strict-schema.ts";
import { CONSOLE_BODIES, fillConsolePath, fingerprint, placeLabOrder } from "../support/console-bodies.ts";
import { type ConsoleAnswer, type ConsoleCallOptions, consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { pairScreen, type TestScreen } from "../support/paired-screen.ts";
import { createPausingPool, type PausingPool } from "../support/pausing-pool.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let held: TestApp;
let pool: PausingPool;
let port: number;
let lab: TestVenue;
let manager: TestUser;
let screen: TestScreen;
let foreign: TestScreen;
const ids = { ticket: 0, dish: 0, order: "" };

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  port = (app.app.http.server.address() as AddressInfo).port;
  lab = await app.venue("lab");
  const cafe = await app.venue("gulf-cafe");
  manager = await createUser(app, lab.slug, "manager");
  screen = await pairScreen(app, lab.slug, manager);
  foreign = await pairScreen(app, cafe.slug, await createUser(app, cafe.slug, "manager"));
  pool = createPausingPool();
  held = await startApp({ database: app.database, pool: pool.open });
  held.clock.set(new Date().toISOString());
  const order = await placeLabOrder(app, lab);
  await app.call(lab.token, "POST", `/orders/${order}/status`, { body: { status: "accepted" } });
  const [ticket] = (await screen.call("GET", "/kitchen")).body.data.tickets;
  Object.assign(ids, { order, ticket: ticket.id, dish: ticket.lines[0].item_id });
});
afterAll(async () => {
  await held.close();
  await app.close();
});

const screenCalls = consoleEntries.filter(([, { who }]) => who === "screen");
const writes = screenCalls.filter(([, { method }]) => method !== "GET");
const pathOf = ({ path }: ConsoleOperation): string =>
  fillConsolePath(path, { venue: lab.slug, id: path.includes("/dishes/") ? ids.dish : ids.ticket });
const send = (on: TestApp, id: string, operation: ConsoleOperation, options: ConsoleCallOptions): Promise<ConsoleAnswer> =>
  consoleCall(on, operation.method, pathOf(operation), {
    ...(operation.method === "GET" ? {} : { body: CONSOLE_BODIES[id] ?? {} }),
    ...options,
  });

test("every path of a screen is below /screen, and names the purposes that may use it", () => {
  expect(screenCalls.length).toBeGreaterThan(0);
  for (const [id, { path, purposes }] of screenCalls)
    expect([id, path.startsWith("/screen/"), (purposes ?? []).length > 0]).toEqual([id, true, true]);
});

describe.each(screenCalls)("%s", (id, operation) => {
  test("no cookie, a user's cookie and another venue's screen open nothing", async () => {
    const before = await fingerprint(app);
    const secrets: ConsoleCallOptions[] = [
      {},
      { cookie: manager.cookie },
      { screen: manager.cookie },
      { screen: "x" },
      { screen: `${screen.cookie}x` },
    ];
    for (const options of secrets) expect((await send(app, id, operation, options)).status, JSON.stringify(options)).toBe(401);
    const answer = await send(app, id, operation, { screen: foreign.cookie });
    if (operation.path.includes("{id}")) expect(answer.status, answer.text).toBe(404);
    else expect(answer.text).not.toContain(lab.slug);
    expect(await fingerprint(app)).toBe(before);
  });
});

test("every answer has exactly the shape that the contract names", async () => {
  for (const [id, operation] of screenCalls) {
    const answer = await send(app, id, operation, { screen: screen.cookie });
    expect([id, answer.status, answer.text]).toEqual([id, operation.success.status, expect.any(String)]);
    expect(strictCheck(operation.success.body)(answer.body), id).toEqual([]);
  }
  await send(app, "changeTicket", writes.find(([id]) => id === "changeTicket")?.[1] as ConsoleOperation, {
    screen: screen.cookie,
    body: { change: "recall", seen_state: "done" },
  });
});

test.each(writes)("%s: a screen that ends after it was recognised changes nothing", async (id, operation) => {
  const lost = await pairScreen(app, lab.slug, await createUser(app, lab.slug, "manager", `${id.toLowerCase()}@lab.example`));
  const hold = pool.holdAt("begin", 1);
  const answer = send(held, id, operation, { screen: lost.cookie });
  await hold.reached;
  expect((await manager.act("DELETE", `/venues/${lab.slug}/screens/${lost.id}`, { body: {} })).status).toBe(200);
  const before = await fingerprint(app);
  hold.release();
  const { status, body } = await answer;
  expect([status, body.error.code]).toEqual([401, "signed_out"]);
  expect(await fingerprint(app)).toBe(before);
});

test("a write is judged by the stations that the screen has when it is written", async () => {
  const moved = await pairScreen(app, lab.slug, await createUser(app, lab.slug, "manager", "moved@lab.example"));
  const hold = pool.holdAt("begin", 1);
  const wanted = { screen: moved.cookie, body: { change: "priority", seen_state: "fired" } };
  const answer = consoleCall(held, "POST", `/screen/kitchen/tickets/${ids.ticket}`, wanted);
  await hold.reached;
  await app.database.asOwner("update screens set stations = '{elsewhere}' where id = $1", [moved.id]);
  hold.release();
  expect((await answer).status).toBe(404);
});

/** What the stream sends, with the time of each piece. */
const listen = async (cookie: string) => {
  const pieces: { at: number; text: string }[] = [];
  let endedAt = 0;
  const sent = httpRequest({ port, path: CONSOLE_PREFIX + SCREEN_STREAM_PATH, headers: { cookie: `__Host-comanda-screen=${cookie}` } });
  const opened = new Promise<number>((resolve) => {
    sent.on("response", (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.on("data", (data: Buffer) => pieces.push({ at: Date.now(), text: data.toString() }));
      for (const name of ["end", "close", "error"])
        answer.on(name, () => {
          endedAt ||= Date.now();
        });
    });
  });
  sent.on("error", () => undefined);
  sent.end();
  const status = await opened;
  return { status, pieces, endedAt: () => endedAt, close: () => sent.destroy() };
};

test("the stream of an ended screen ends within a second and says nothing more; the others go on", async () => {
  const lost = await pairScreen(app, lab.slug, await createUser(app, lab.slug, "manager", "stream@lab.example"));
  const [ending, staying] = [await listen(lost.cookie), await listen(screen.cookie)];
  expect([ending.status, staying.status, (await listen("x".repeat(43))).status]).toEqual([200, 200, 401]);
  await manager.act("DELETE", `/venues/${lab.slug}/screens/${lost.id}`, { body: {} });
  const at = Date.now();
  await expect.poll(ending.endedAt, { timeout: 5000 }).toBeGreaterThan(0);
  expect(ending.endedAt() - at).toBeLessThan(1000);
  const heard = ending.pieces.length;
  await app.call(lab.token, "POST", `/orders/${ids.order}/status`, { body: { status: "ready" } });
  await expect.poll(() => staying.pieces.some(({ text }) => text.includes("orders")), { timeout: 5000 }).toBe(true);
  await sleep(300);
  expect(ending.pieces.length).toBe(heard);
  expect(staying.endedAt()).toBe(0);
  staying.close();
});
