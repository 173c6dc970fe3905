/**
 * A program follows the requests of its sandbox (decision 0074): each request once, with what refused it and no value of it, also while
 * the call waits. The calls that follow are not shown.
 *
 * @long
 */
import { setTimeout as sleep } from "node:timers/promises";
import { REQUEST_PAGE_MAX, type SandboxRequest } from "@comanda/contract/sandbox/sandbox-requests.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type App, buildApp } from "#compose/api.ts";
import { routes } from "#compose/handlers.ts";
import { openDb } from "#db/pool.ts";
import type { Handlers } from "#http/api/operations.ts";
import { decryptPosition } from "#lib/encrypted-position.ts";
import { createRequestLogBuffer, type RequestLogBuffer, type RequestLogEntry } from "#platform/activity/request-log/service.ts";
import { insertRequestLog, TAIL_LOOKED_MAX } from "#platform/activity/request-log/store.ts";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { listenFor } from "../support/event-feed.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

type TailedSandbox = { restaurant_id: number; token: string };
type TailAnswer = {
  status: number;
  text: string;
  body: { data: SandboxRequest[]; meta: { cursor: string; has_more: boolean }; error: { code: string } };
};
type Running = { at: string; server: App; log: RequestLogBuffer };

let app: TestApp;
let live: TestVenue;
let sandbox: TailedSandbox;
let other: TailedSandbox;
let running: Running;

const start = async (on: TestApp, handlers: Partial<Handlers> = {}): Promise<Running> => {
  const log = createRequestLogBuffer(openDb(on.deps.pool), on.deps.log);
  const server = await buildApp(on.deps, { requestLog: log, handlers: { ...routes, ...handlers } });
  return { at: (await listenFor(server)).replace("/events", ""), server, log };
};

const stop = async ({ server, log }: Running): Promise<void> => {
  await server.stop();
  await log.stop();
};

const newSandbox = async (slug: string): Promise<TailedSandbox> =>
  (await createSandbox(app.deps, slug, 1_000_000)) ?? expect.fail("no sandbox");

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}` } });
  live = await app.venue("trattoria");
  sandbox = await newSandbox(live.slug);
  other = await newSandbox((await app.venue("gulf-cafe")).slug);
  running = await start(app);
});
afterAll(async () => {
  await stop(running);
  await app.close();
});

const ask = async (token: string, path: string, init: RequestInit = {}, at = running.at): Promise<TailAnswer> => {
  const response = await fetch(`${at}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
};

const tail = (query = "", of = sandbox, at = running.at): Promise<TailAnswer> => ask(of.token, `/sandbox/requests${query}`, {}, at);
const latest = async (of = sandbox, at = running.at): Promise<string> => (await tail("?after=latest", of, at)).body.meta.cursor;

/** Until as many as expected are there: the log is written once a second. */
const readFrom = async (after: string, count: number, of = sandbox): Promise<SandboxRequest[]> => {
  await expect.poll(async () => (await tail(`?after=${after}`, of)).body.data.length, { timeout: 60_000 }).toBe(count);
  return (await tail(`?after=${after}`, of)).body.data;
};

const entryOf = ({ restaurant_id, token }: TailedSandbox, route: string): RequestLogEntry => ({
  restaurant_id,
  token_id: Number(token.split("|")[0]),
  at: app.deps.clock.now(),
  method: "GET",
  route,
  status: 200,
  code: null,
  fields: null,
  reasons: null,
  ms: 1,
  address: "127.0.0.1",
  client: null,
  request_id: crypto.randomUUID(),
});

const SECRET = "ada-lovelace-secret";

const refuseOrder = (of = sandbox) =>
  ask(of.token, "/orders?x=1", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "pickup", customer_name: SECRET, note: SECRET, lines: [], [SECRET]: 1 }),
  });

describe("the list", () => {
  test("has each request with its gate, fields and reasons, and no value of it", async () => {
    const after = await latest();
    await refuseOrder();
    await ask(sandbox.token, "/menus");
    await ask(sandbox.token, `/orders/${SECRET}`);
    await ask(sandbox.token, `/${SECRET}/x`);
    const rows = await readFrom(after, 4);
    expect(rows).toEqual([
      expect.objectContaining({ method: "POST", path: "/orders", status: 422, code: "validation_failed", gate: "fields" }),
      expect.objectContaining({ method: "GET", path: "/menus", status: 200, code: null, gate: null, fields: [], reasons: [] }),
      expect.objectContaining({ path: "/orders/{order}", status: 404, code: "not_found", gate: "lookup" }),
      expect.objectContaining({ path: null, status: 404, code: "not_found", gate: "path" }),
    ]);
    expect(rows[0]?.fields).toEqual(expect.arrayContaining(["customer_phone", "lines"]));
    expect(rows[0]?.reasons).toEqual(expect.arrayContaining(["required", "too_few_entries"]));
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  test("leaves out the calls that read it, also those that were refused", async () => {
    const after = await latest();
    for (const query of ["", "?after=nonsense", "?wait=99"]) await tail(query);
    await ask(sandbox.token, "/items");
    expect((await readFrom(after, 1)).map(({ path }) => path)).toEqual(["/items"]);
  });

  test("planted: one that does not leave them out is found", async () => {
    const everything: Handlers["listSandboxRequests"] = async (ctx, input) => {
      const after = input.query().after ?? "latest";
      if (after === "latest") return routes.listSandboxRequests(ctx, input);
      const rows = await app.database.asOwner<SandboxRequest & { path: string }>(
        "select request_id as id, route as path from request_log where restaurant_id = $1 and id > $2 order by id",
        [ctx.tenant.id, decryptPosition({ key: ctx.cursorKey, list: "requests", tenantId: ctx.tenant.id }, after)],
      );
      return { data: rows, meta: { count: rows.length, cursor: after, has_more: false }, links: {} };
    };
    const faulty = await start(app, { listSandboxRequests: everything });
    const after = await latest(sandbox, faulty.at);
    const paths = async () => (await tail(`?after=${after}`, sandbox, faulty.at)).body.data.map(({ path }) => path);
    await expect.poll(paths, { timeout: 60_000 }).toContain("/sandbox/requests");
    await stop(faulty);
  });

  test("pages through everything once, past any number of calls that it leaves out", async () => {
    const after = await latest();
    const entries = Array.from({ length: 2 * TAIL_LOOKED_MAX + 500 }, (_, index) =>
      entryOf(sandbox, index % 10 === 0 ? "/menus" : "/sandbox/requests"),
    );
    await insertRequestLog(openDb(app.deps.pool), { requests: entries, hours: [] });
    const [ids, sizes]: [string[], number[]] = [[], []];
    for (let [cursor, more] = [after, true]; more; ) {
      const { data, meta } = (await tail(`?after=${cursor}`)).body;
      ids.push(...data.map(({ id }) => id));
      sizes.push(data.length);
      [cursor, more] = [meta.cursor, meta.has_more];
    }
    expect(ids).toEqual(entries.filter(({ route }) => route === "/menus").map(({ request_id }) => request_id));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(REQUEST_PAGE_MAX);
    expect(sizes.length).toBeGreaterThan(2);
  });

  test("shows nothing of another sandbox, and the live restaurant has no such path", async () => {
    const after = await latest(other);
    await refuseOrder();
    await ask(other.token, "/items");
    expect((await readFrom(after, 1, other)).map(({ path }) => path)).toEqual(["/items"]);
    const unknown = await ask(live.token, "/nothing/there");
    for (const path of ["/sandbox/requests", "/sandbox/requests?after=latest&wait=20", "/sandbox/requests/1"])
      expect([path, await ask(live.token, path)]).toEqual([path, unknown]);
  });
});

describe("a position", () => {
  /** Gives the positions as numbers, as the log counts them. */
  const plainNumbers: Handlers["listSandboxRequests"] = async (ctx, { query }) => {
    const { after = "0" } = query();
    const [last] = await app.database.asOwner<{ id: string }>(
      "select coalesce(max(id), 0) as id from request_log where restaurant_id = $1",
      [ctx.tenant.id],
    );
    const cursor = after === "latest" ? (last?.id ?? "0") : after;
    return { data: [], meta: { count: 0, cursor, has_more: false }, links: {} };
  };

  /** Whether the position of the latest request contains a number of the log, as it stands there or in a text of base64. */
  const tellsNumber = async (at: string): Promise<boolean> => {
    await insertRequestLog(openDb(app.deps.pool), { requests: [entryOf(other, "/menus"), entryOf(sandbox, "/menus")], hours: [] });
    const text = await latest(sandbox, at);
    const newest = "select id::text from request_log where restaurant_id = $1 order by id desc limit 1000";
    const ids = (await app.database.asOwner<{ id: string }>(newest, [sandbox.restaurant_id])).map(({ id }) => id);
    const forms = [text, Buffer.from(text, "base64url").toString()];
    return ids.some((id) => forms.some((form) => form.includes(id)));
  };

  /** Positions that this sandbox was never given, with the answer to each. */
  const answersToInvented = async (at: string): Promise<number[]> => {
    const own = await latest(sandbox, at);
    const changed = `${own.startsWith("A") ? "B" : "A"}${own.slice(1)}`;
    const invented = ["0", "999999999999999", "1", changed, own.slice(1), `${own}A`, await latest(other, at), "x".repeat(64)];
    return Promise.all(invented.map(async (after) => (await tail(`?after=${after}`, sandbox, at)).status));
  };

  test("tells nothing of other venues, and one that the sandbox was not given is refused as in the event feed", async () => {
    expect(await tellsNumber(running.at)).toBe(false);
    expect(new Set(await answersToInvented(running.at))).toEqual(new Set([422]));
    expect((await tail(`?after=${await latest()}`)).status).toBe(200);
    const reasons = { headers: { "service-reasons": "1" } };
    const refusalOf = async (path: string) => (await ask(sandbox.token, `${path}?after=nonsense`, reasons)).body.error;
    const [ofRequests, ofEvents] = [await refusalOf("/sandbox/requests"), await refusalOf("/events")];
    const sentence = "Is not a position of this list.";
    expect(ofRequests).toEqual({ ...ofEvents, message: `after: ${sentence}`, details: { after: [sentence] } });
  });

  test("planted: positions that are numbers of the log are found", async () => {
    const faulty = await start(app, { listSandboxRequests: plainNumbers });
    expect(await tellsNumber(faulty.at)).toBe(true);
    expect(await answersToInvented(faulty.at)).toContain(200);
    await stop(faulty);
  });
});

describe("a call that waits", () => {
  // The log is written once a second, and at the end: calls of the tests before must be in it, or they would be the answer.
  beforeEach(async () => {
    await stop(running);
    running = await start(app);
  });

  test("is answered when a request is logged by this process or another, and with none when its time is over", async () => {
    const second = await startApp({ database: app.database });
    const elsewhere = await start(second);
    for (const { at } of [running, elsewhere]) {
      const waiting = tail(`?after=${await latest()}&wait=20`);
      await sleep(300);
      await ask(sandbox.token, "/guests", {}, at);
      const startedAt = performance.now();
      expect((await waiting).body.data).toEqual([expect.objectContaining({ path: "/guests" })]);
      // The read ended before its time was over.
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    }
    await stop(elsewhere);
    await second.close();
    const after = await latest();
    const reader = sleep(300).then(() => tail(`?after=${after}`));
    const { status, body } = await tail(`?after=${after}&wait=2`);
    await reader;
    expect([status, body.data, body.meta.has_more]).toEqual([200, [], false]);
  });

  test("two of a token at once, beside two that wait for events", async () => {
    const stopping = new AbortController();
    const init = { signal: stopping.signal };
    const [after, position] = [await latest(), (await ask(sandbox.token, "/events?after=latest")).body.meta.cursor];
    const paths = [`/sandbox/requests?after=${after}&wait=20`, `/events?after=${position}&wait=20`];
    const waiting = paths.flatMap((path) => [1, 2].map(() => ask(sandbox.token, path, init).catch(() => null)));
    await sleep(300);
    for (const path of paths) expect((await ask(sandbox.token, path)).body.error.code).toBe("rate_limited");
    stopping.abort();
    await Promise.all(waiting);
  });

  const ENVIRONMENT = { DATABASE_CONNECTIONS_MAX: "1", MAX_CONCURRENT_REQUESTS: "2" };

  /** Two calls wait on one connection and two places: whether others are answered. */
  const othersBeside = async (handlers: Partial<Handlers>): Promise<number[]> => {
    const small = await startApp({ database: app.database, environment: ENVIRONMENT });
    const narrow = await start(small, handlers);
    const after = await latest();
    const stopping = new AbortController();
    const waiting = [1, 2].map(() =>
      ask(sandbox.token, `/sandbox/requests?after=${after}&wait=10`, { signal: stopping.signal }, narrow.at).catch(() => null),
    );
    await sleep(1000);
    const statuses = await Promise.all([1, 2].map(async () => (await ask(live.token, "/menus", {}, narrow.at)).status));
    stopping.abort();
    await Promise.all(waiting);
    await stop(narrow);
    await small.close();
    return statuses;
  };

  test("holds no connection and no place of the concurrency limit", async () => {
    expect(await othersBeside({})).toEqual([200, 200]);
  });

  test("planted: one that waits inside of its handler holds the places", async () => {
    const listSandboxRequests: Handlers["listSandboxRequests"] = async (ctx, input) => {
      await sleep(3000);
      return routes.listSandboxRequests(ctx, input);
    };
    expect(await othersBeside({ listSandboxRequests })).toContain(503);
  });
});
