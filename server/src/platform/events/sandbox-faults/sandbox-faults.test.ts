/** Faults of answers: each is taken exactly once, whichever of two processes takes it, and by the sandbox alone. */
import { setTimeout as sleep } from "node:timers/promises";
import { SANDBOX_DISH_ID } from "@comanda/contract/sandbox/sandbox-ids.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type App, buildApp } from "#compose/api.ts";
import { openDb } from "#db/pool.ts";
import { type Deps, openDeps, openLog } from "#deps.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createSandbox } from "../../../admin/sandbox.ts";
import { createRequestLogBuffer } from "../../activity/request-log/service.ts";

let app: TestApp;
let live: TestVenue;
let token: string;
let other: { deps: Deps; server: App };
const urls: string[] = [];
let plant: InjectedFault = () => null;

beforeAll(async () => {
  app = await startApp({ pool: faultInjectingPool((...sent) => plant(...sent)) });
  live = await app.venue("trattoria");
  ({ token } = (await createSandbox(app.deps, live.slug, 1_000_000)) ?? expect.fail("no sandbox"));
  // A process of its own: another pool and another cache of principals.
  const { config, clock } = app.deps;
  const deps = await openDeps(config, { clock, log: openLog("fatal"), pool: faultInjectingPool((...sent) => plant(...sent))(config) });
  other = { deps, server: await buildApp(deps) };
  for (const server of [app.app, other.server]) urls.push(await server.http.listen({ host: "127.0.0.1", port: 0 }));
});
afterEach(() => {
  plant = () => null;
});
afterAll(async () => {
  await other.server.stop();
  await other.deps.close();
  await app.close();
});

const order = async (body: object): Promise<{ fault: string; left: number }[]> => {
  const { status, body: answer, text } = await app.call(token, "POST", "/sandbox/faults", { body });
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return answer.data.faults;
};
/** The status with the mark of the answer; `lost` where the connection broke. */
const ask = async (process: number, path = "/menus", bearer = token, init: RequestInit = {}): Promise<string> => {
  const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
  const answer = await fetch(`${urls[process]}/api/v1${path}`, { headers, ...init }).catch(() => null);
  if (answer === null) return "lost";
  await answer.arrayBuffer();
  return `${answer.status} ${answer.headers.get("service-fault") ?? "-"}`;
};
const tally = (seen: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(seen, (one) => one)].map(([one, all]) => [one, all.length]));
const ROUNDS = 12;
const both = (): Promise<string[]> => Promise.all(Array.from({ length: ROUNDS }, (_, index) => ask(index % 2)));

test.each([
  ["503", { "503 503": 5, "200 -": ROUNDS - 5 }],
  ["429", { "429 429": 5, "200 -": ROUNDS - 5 }],
  ["slow", { "200 slow": 5, "200 -": ROUNDS - 5 }],
  ["timeout", { lost: 5, "200 -": ROUNDS - 5 }],
  ["lose_answer", { lost: 5, "200 -": ROUNDS - 5 }],
] as const)("%s: as often as ordered, by two processes that both know the token", async (fault, expected) => {
  expect(tally(await both())).toEqual({ "200 -": ROUNDS });
  expect(await order({ fault, count: 5, duration_ms: 300 })).toMatchObject([{ fault, left: 5 }]);
  expect(tally(await both())).toEqual(expected);
  expect(await order({})).toEqual([]);
  expect(tally(await both())).toEqual({ "200 -": ROUNDS });
});

test("planted: a fault that is not taken out is found", async () => {
  plant = ({ text }) =>
    /^\s*delete from sandbox_faults.*number = /s.test(text) ? { text: "select '503' as fault, 0 as duration_ms" } : null;
  await order({ fault: "503", count: 5 });
  expect(tally(await both())["503 503"]).toBeGreaterThan(5);
  plant = () => null;
  expect(tally(await both())["503 503"]).toBe(5);
});

test("slow takes its time and answers; timeout does nothing and ends late; a fault waits for its operation", async () => {
  await order({ fault: "slow", duration_ms: 400, operation: "listGuests" });
  expect(await ask(0)).toBe("200 -");
  const startedAt = performance.now();
  expect(await ask(1, "/guests")).toBe("200 slow");
  expect(performance.now() - startedAt).toBeGreaterThan(390);
  const count = async () => (await app.database.asOwner<{ count: number }>("select count(*)::integer as count from orders"))[0]?.count;
  const before = await count();
  const body = JSON.stringify({
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "+1 555 0100",
    lines: [{ item_id: SANDBOX_DISH_ID, quantity: 1 }],
  });
  for (const [fault, orders] of [
    ["timeout", 0],
    ["lose_answer", 1],
  ] as const) {
    await order({ fault, duration_ms: 50, operation: "createOrder" });
    expect(await ask(0, "/orders", token, { method: "POST", body })).toBe("lost");
    expect([fault, await count()]).toEqual([fault, (before ?? 0) + orders]);
  }
});

test("the answer of a page of events is lost too, and the next request is not", async () => {
  for (const path of ["/events?after=latest", "/events?after=latest&wait=1"]) {
    await order({ fault: "lose_answer", operation: "listEvents" });
    expect([path, await ask(0, path), await ask(0, path.split("?")[0])]).toEqual([path, "lost", "200 -"]);
  }
});

test("a call that waits takes no fault that is ordered meanwhile, and gets the event", async () => {
  // A process that meets the token for the first time.
  const server = await buildApp(app.deps);
  urls.push(await server.http.listen({ host: "127.0.0.1", port: 0 }));
  const headers = { authorization: `Bearer ${token}` };
  const waiting = fetch(`${urls.at(-1)}/api/v1/events?after=latest&wait=3&types=ping`, { headers });
  await sleep(300);
  await order({ fault: "503", count: 1 });
  await app.call(token, "POST", "/sandbox/act", { body: { act: "trigger", event: "ping" } });
  const answer = await waiting;
  const { data } = (await answer.json()) as { data: { type: string }[] };
  expect([answer.status, answer.headers.get("service-fault"), data.map(({ type }) => type)]).toEqual([200, null, ["ping"]]);
  expect(await ask(1)).toBe("503 503");
  await server.stop();
});

test("requests without an answer are in the log, once each, with the status that was lost", async () => {
  const log = createRequestLogBuffer(openDb(app.deps.pool), app.deps.log);
  const server = await buildApp(app.deps, { requestLog: log });
  urls.push(await server.http.listen({ host: "127.0.0.1", port: 0 }));
  await order({ fault: "lose_answer" });
  await order({ fault: "timeout", duration_ms: 50 });
  const last = urls.length - 1;
  expect([await ask(last), await ask(last, "/categories"), await ask(last, "/items")]).toEqual(["lost", "lost", "200 -"]);
  await server.stop();
  await log.stop();
  expect(await app.database.asOwner("select route, status from request_log order by id")).toEqual([
    { route: "/menus", status: 200 },
    { route: "/categories", status: 503 },
    { route: "/items", status: 200 },
  ]);
});

test("a fault that was ordered is no failure of the service in its figures", async () => {
  await order({ fault: "503", operation: "listCategories" });
  expect([await ask(0, "/categories"), await ask(0, "/categories")]).toEqual(["503 503", "200 -"]);
  const { body } = await app.ops.inject("/metrics");
  const counted = body.split("\n").filter((line) => line.startsWith("comanda_request_seconds_count") && line.includes("/categories"));
  expect([counted.some((line) => line.includes('"200"')), counted.some((line) => line.includes('"503"'))]).toEqual([true, false]);
});

test("after ten minutes it is gone, and no request looks for it any more", async () => {
  await order({ fault: "503", count: 2 });
  app.clock.advance(9 * 60_000);
  expect(await ask(1)).toBe("503 503");
  app.clock.advance(61_000);
  expect([await ask(0), await order({})]).toEqual(["200 -", []]);
  expect(await app.database.asOwner("select number from sandbox_faults")).toEqual([]);
});

test("what cannot be ordered is refused with a reason; at most a thousand wait", async () => {
  for (const [body, field, reason] of [
    [{ fault: "fire" }, "fault", "not_one_of"],
    [{ fault: "503", operation: "runSandboxAct" }, "operation", "not_one_of"],
    [{ fault: "twice", operation: "createOrder" }, "operation", "not_valid"],
    [{ fault: "503", count: 1001 }, "count", "too_high"],
    [{ fault: "slow", duration_ms: 20_001 }, "duration_ms", "too_high"],
  ] as const) {
    const refused = await app.call(token, "POST", "/sandbox/faults", { body, headers: { "service-reasons": "1" } });
    expect([body, refused.status, refused.body.error.reasons]).toMatchObject([body, 422, [{ field, reason }]]);
  }
  const wish = () => app.call(token, "POST", "/sandbox/faults", { body: { fault: "503", operation: "getSalesSummary", count: 300 } });
  // Orders at the same moment may also be refused because the sandbox is locked.
  await Promise.allSettled(Array.from({ length: 6 }, wish));
  const left = async () => (await order({})).reduce((sum, one) => sum + one.left, 0);
  expect(await left()).toBeLessThanOrEqual(1000);
  for (let turn = 0; turn < 3; turn++) await wish();
  const refused = await wish();
  expect([await left(), refused.status, Object.keys(refused.body.error.details)]).toEqual([900, 422, ["count"]]);
});

test("no live restaurant takes one", async () => {
  await order({ fault: "503", count: 10, operation: "listMenus" });
  expect(tally(await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index % 2, "/menus", live.token))))).toEqual({ "200 -": 20 });
  await sleep(0);
  expect((await order({})).find(({ left }) => left === 10)).toMatchObject({ fault: "503", left: 10 });
});
