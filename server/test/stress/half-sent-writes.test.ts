/**
 * A request sends its headers and ten bytes of its body and is authorized; access ends; then the rest of the body follows. Every write of the
 * contract × every way to lose access, by REST and by MCP: none takes effect, and each gets the same answer as a new request.
 * The short form has one in four of the ways for each write, all in turn.
 *
 * @every-postgres
 */
import { request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { toolName } from "@comanda/contract/agent-tools.ts";
import { type Operation, pathParameters, writesNothing } from "@comanda/contract/operation.ts";
import { API_PREFIX, type OperationId, operationEntries } from "@comanda/contract/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, buildApp } from "../../src/compose/api.ts";
import { openDb } from "../../src/db/pool.ts";
import { createRateLimiter, type RateLimiter } from "../../src/http/rate-limit.ts";
import { findTokenRecord } from "../../src/platform/programs/tokens/store.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { callMessage } from "../support/mcp-clients.ts";
import { callFixtureOf, operationCalls, type SampleCall } from "../support/operation-calls.ts";
import { KINDS, openRevocationContext, type RevocationContext } from "../support/revocation-kinds.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const WAYS_ONE_IN = process.env.TEST_STRESS ? 1 : 4;
const TRIALS_MIN = process.env.TEST_STRESS ? 1000 : 0;
const LIMITS = { OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" };
const FIRST_BYTES = 10;
/** Reads that have a body are included. */
const WRITES = operationEntries.filter(([, { method }]) => method !== "GET");
const PROTOCOLS = ["REST", "MCP"] as const;
type Protocol = (typeof PROTOCOLS)[number];

let app: TestApp;
let other: TestApp;
let server: TestServer;
let tables: string[];

type TestServer = { app: App; port: number; counted(): Promise<void> };

/** A served application that reports when it has counted a request, which is the last step before authorization. */
const serve = async ({ deps }: TestApp): Promise<TestServer> => {
  const limiter = createRateLimiter(null);
  let seen: () => void = () => undefined;
  const noted: RateLimiter = {
    ...limiter,
    count: async (who, limit) => {
      const quota = await limiter.count(who, limit);
      seen();
      return quota;
    },
  };
  const served = await buildApp(deps, { limiter: noted });
  await served.http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = served.http.server.address() as AddressInfo;
  const counted = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      seen = resolve;
    });
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  };
  return { app: served, port, counted };
};

beforeAll(async () => {
  app = await startApp({ environment: LIMITS });
  other = await startApp({ database: app.database, environment: LIMITS });
  server = await serve(app);
  tables = await changingTables();
});
afterAll(async () => {
  await server.app.http.close();
  await other.close();
  await app.close();
});

type WholeRequest = { url: string; method: string; headers: Record<string, string>; body: string };
type Got = { status: number; text: string; headers: string };

/** What differs from one answer to the next. */
const VOLATILE = ["date", "x-request-id", "x-ratelimit-remaining", "connection", "keep-alive"];

const send = async (on: TestServer, { url, method, headers, body }: WholeRequest, halfway: (() => Promise<void>) | null): Promise<Got> => {
  const payload = Buffer.from(body);
  const request = requestHttp({
    host: "127.0.0.1",
    port: on.port,
    agent: false,
    method,
    path: url,
    headers: { ...headers, "content-length": payload.length },
  });
  const answer = new Promise<Got>((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const kept = Object.entries(response.headers).filter(([name]) => !VOLATILE.includes(name));
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(parts).toString(),
          headers: JSON.stringify(kept.toSorted(([a], [b]) => a.localeCompare(b))),
        });
      });
    });
  });
  if (halfway) {
    const counted = on.counted();
    request.write(payload.subarray(0, FIRST_BYTES));
    await counted;
    await halfway();
    request.end(payload.subarray(FIRST_BYTES));
  } else request.end(payload);
  return answer;
};

let keys = 0;

const sentBy =
  (way: Protocol, id: OperationId, operation: Operation, { method, path, body = {} }: SampleCall) =>
  (token: string): WholeRequest => {
    const json = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    // A cancel ignores its body, so it may have one.
    const text = JSON.stringify(Object.keys(body).length === 0 ? { ignored: "altogether" } : body);
    const key: Record<string, string> = method === "POST" ? { "idempotency-key": `half-sent ${keys++}` } : {};
    if (way === "REST") return { url: API_PREFIX + path, method, headers: { ...json, ...key }, body: text };
    const [parameter = ""] = pathParameters(operation.path);
    const value = new RegExp(operation.path.replace(/\{\w+\}/, "([^/]+)")).exec(path)?.[1] ?? "";
    const given = { ...body, [parameter]: /^\d+$/.test(value) ? Number(value) : value };
    const message = { jsonrpc: "2.0", id: 1, ...callMessage(toolName(id), parameter === "" ? body : given) };
    return {
      url: "/mcp",
      method: "POST",
      headers: { ...json, accept: "application/json, text/event-stream" },
      body: JSON.stringify(message),
    };
  };

/** Every table of the venue that a write of the API may change; the sign that a token was used is in none of them. */
const changingTables = async (): Promise<string[]> => {
  const [row] = await app.database.asOwner<{ list: string[] }>("select sandbox_tables() || '{events,audit_entries}' as list");
  return row?.list ?? [];
};

/** All that a write of the API could change in the venue of a token. */
const contentsOf = async (restaurantId: number): Promise<string> => {
  const sums = tables.map(
    (table) => `select '${table}', md5(string_agg(t::text, '|' order by t::text)) from ${table} t where restaurant_id = ${restaurantId}`,
  );
  return JSON.stringify(await app.database.asOwner(sums.join(" union all ")));
};

const venueOf = async (token: string): Promise<number> => {
  const [row] = await app.database.asOwner<{ id: string }>("select restaurant_id as id from tokens where id = $1", [
    Number(token.split("|")[0]),
  ]);
  return Number(row?.id);
};

const callOf = async (id: OperationId, token: string): Promise<SampleCall> => {
  const calls = operationCalls(callFixtureOf(app, { id: await venueOf(token), token }));
  const [call] = await calls[id]();
  if (!call) throw new Error(`${id} has no call`);
  return call;
};

const codeOf = ({ status, text }: Got): string => `${status} ${/"code": ?"(\w+)"/.exec(text.replaceAll("\\", ""))?.[1] ?? ""}`;

/** The digest of each token before its revocation. */
const digests = new Map<number, string>();

const remember = async (token: string): Promise<void> => {
  const id = Number(token.split("|")[0]);
  digests.set(id, (await findTokenRecord(openDb(app.deps.pool), id))?.access_digest ?? "");
};

/** The locks are taken, and the check inside a write's transaction always says that nothing has changed. */
const withoutCheck = faultInjectingPool((statement) =>
  statement.text.includes("authenticate(") && !("callback" in statement)
    ? { text: "select $1::text as access_digest", values: [digests.get(Number(statement.values?.[0]))] }
    : null,
);

type HalfSentFindings = { trials: number; late: string[]; odd: string[] };

type HalfSentTrial = { way: Protocol; kind: string; id: OperationId; operation: Operation };

const tryOne = async (
  on: TestServer,
  place: RevocationContext,
  { way, kind, id, operation }: HalfSentTrial,
  found: HalfSentFindings,
): Promise<void> => {
  const { refusal, caller } = KINDS[kind] as (typeof KINDS)[string];
  const { token, revoke, restore } = await caller(place);
  await remember(token);
  const [sent, restaurantId] = [sentBy(way, id, operation, await callOf(id, token)), await venueOf(token)];
  let before = "";
  const halfSent = await send(on, sent(token), async () => {
    await revoke();
    before = await contentsOf(restaurantId);
  });
  const name = `${id} by ${way}, ${kind}`;
  found.trials++;
  if ((await contentsOf(restaurantId)) !== before) found.late.push(name);
  const gate = await send(on, sent(token), null);
  if (way === "REST" && codeOf(gate) !== refusal) found.odd.push(`${name}: the gate says ${codeOf(gate)}`);
  // A tool beyond the token does not exist at all for an agent that asks again.
  const isHidden = way === "MCP" && gate.text.includes("not found") && codeOf(halfSent).endsWith(refusal.slice(4));
  if (!isHidden && JSON.stringify(halfSent) !== JSON.stringify(gate))
    found.odd.push(`${name}: ${JSON.stringify(halfSent)} instead of ${JSON.stringify(gate)}`);
  await restore?.();
  // Tables are free again for the next one who books.
  await app.database.asOwner("delete from reservation_tables where restaurant_id = $1", [restaurantId]);
};

const writesFor = (kind: string) => WRITES.filter(([, operation]) => KINDS[kind]?.appliesTo?.(operation) ?? true);

const byRest = (oneIn: number): HalfSentTrial[] =>
  Object.keys(KINDS).flatMap((kind, turn) =>
    writesFor(kind)
      .filter(([id]) => (WRITES.findIndex(([other]) => other === id) + turn) % oneIn === 0)
      .map(([id, operation]) => ({ way: "REST" as const, kind, id, operation })),
  );

/** Every way to lose access once, with the writes in turn; all of them in the long form. */
const byMcp = (): HalfSentTrial[] =>
  Object.keys(KINDS).flatMap((kind, turn) => {
    const writes = writesFor(kind);
    return writes
      .filter((_, index) => process.env.TEST_STRESS || index === turn % writes.length)
      .map(([id, operation]) => ({ way: "MCP" as const, kind, id, operation }));
  });

let places = 0;

const tryAll = async (on: TestServer, trials: readonly HalfSentTrial[], atLeast = 0): Promise<HalfSentFindings> => {
  const found: HalfSentFindings = { trials: 0, late: [], odd: [] };
  do {
    const place = await openRevocationContext(app, other, `half-sent-${places++}`);
    for (const trial of trials) await tryOne(on, place, trial, found);
  } while (found.trials < atLeast);
  return found;
};

test("every write × every way to lose access, by REST and MCP: half-sent, none takes effect after the revocation was answered", {
  timeout: 600_000,
}, async () => {
  const trials = [...byRest(WAYS_ONE_IN), ...byMcp()];
  expect(new Set(trials.map(({ id }) => id))).toEqual(new Set(WRITES.map(([id]) => id)));
  expect(new Set(trials.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)));
  const begin = performance.now();
  const found = await tryAll(server, trials, TRIALS_MIN);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.info(
    `half-sent: ${WRITES.length} writes × ${Object.keys(KINDS).length} ways to lose access: ${found.trials} trials, ${found.late.length} took effect, ${found.odd.length} odd answers, ${seconds} s`,
  );
  expect(found).toEqual({ trials: found.trials, late: [], odd: [] });
  expect(found.trials).toBeGreaterThanOrEqual(Math.max(TRIALS_MIN, trials.length));
});

test("a read that an agent sends in halves shows nothing after the revocation", async () => {
  const place = await openRevocationContext(app, other, "agents-read");
  const { token, revoke } = await (KINDS["revoked in the console"] as (typeof KINDS)[string]).caller(place);
  const sent: WholeRequest = {
    url: "/mcp",
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...callMessage("list_guests", {}) }),
  };
  expect((await send(server, sent, async () => undefined)).text).toContain("phone");
  const { status, text } = await send(server, sent, revoke);
  expect([status, text.includes("phone")]).toEqual([401, false]);
});

test("without a revocation every one of them takes effect", async () => {
  const place = await openRevocationContext(app, other, "undisturbed");
  for (const [id, operation] of WRITES)
    for (const way of PROTOCOLS) {
      const sent = sentBy(way, id, operation, await callOf(id, place.venue.token))(place.venue.token);
      const before = await contentsOf(place.venue.id);
      const got = await send(server, sent, async () => undefined);
      expect([id, way, got.status < 300, got.text.includes('"isError":true')]).toEqual([id, way, true, false]);
      expect([id, way, (await contentsOf(place.venue.id)) === before]).toEqual([id, way, writesNothing(operation)]);
    }
});

test("planted: with the locks and without the check, half-sent writes take effect and are found", async () => {
  const careless = await startApp({ database: app.database, pool: withoutCheck, environment: LIMITS });
  const on = await serve(careless);
  // What only the clock ends is seen without asking.
  const kinds = Object.entries(KINDS).filter(([kind]) => !kind.endsWith("by time") && !kind.endsWith("expired"));
  const trials = byRest(1).filter(({ id, kind }) => id === "setItemAvailability" && kinds.some(([name]) => name === kind));
  const { trials: tried, late } = await tryAll(on, trials);
  console.info(`half-sent, planted without the check: ${late.length} of ${tried} took effect`);
  expect(tried).toBeGreaterThan(5);
  expect(late).toHaveLength(tried);
  await on.app.http.close();
  await careless.close();
});
