/**
 * A refused caller finds the reason: each error leads to its part of the guide, and its request, found by its id, names what refused it,
 * the fields and the reasons, and no value of it.
 */
import { randomUUID } from "node:crypto";
import type { RequestGate, RequestRow } from "@comanda/contract/console/logs.ts";
import { CONSOLE_ERROR_CODES, ERRORS, type ErrorCode, PARSER_ERROR_CODES } from "@comanda/contract/errors.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, buildApp } from "#compose/api.ts";
import { routes } from "#compose/handlers.ts";
import { openDb } from "#db/pool.ts";
import type { Handlers } from "#http/api/operations.ts";
import { apiError } from "#lib/errors.ts";
import { createRequestLogBuffer, type RequestLogBuffer } from "#platform/activity/request-log/service.ts";
import { createUser, type TestUser } from "../support/console-client.ts";
import { plainDish } from "../support/operation-calls.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

/** Without those of requests that cannot be read: no token is known, so no log has them. */
const CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ![...CONSOLE_ERROR_CODES, ...PARSER_ERROR_CODES].includes(code));
const SECRET = "ada-lovelace-secret";

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let order: object;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner");
  const item_id = await plainDish(app.database, lab.id);
  order = { type: "pickup", customer_name: SECRET, customer_phone: "+44 1", lines: [{ item_id, quantity: 1 }] };
});
afterAll(() => app.close());

type Refused = { code: ErrorCode; link: string; id: string };
type Asking = { server: App; token: string };
type RefusedCall = { token?: string; body?: unknown; headers?: Record<string, string> };

const ask = async (asking: Asking, method: string, path: string, { token, body, headers = {} }: RefusedCall = {}) => {
  const {
    statusCode,
    headers: got,
    payload,
  } = await asking.server.http.inject({
    method: method as "GET",
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${token ?? asking.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const { error } = JSON.parse(payload);
  return { status: statusCode, error, link: String(got.link), id: String(got["x-request-id"]) };
};

const inState = async <T>(state: string, work: () => Promise<T>): Promise<T> => {
  await app.database.asOwner(`update restaurants set ${state} where id = $1`, [lab.id]);
  try {
    return await work();
  } finally {
    await app.database.asOwner("update restaurants set plan = 'complete', plan_until = null, suspended_at = null where id = $1", [lab.id]);
  }
};

type Refusing = (asking: Asking) => Promise<{ error: { code: ErrorCode }; link: string; id: string }>;

const key = () => ({ "idempotency-key": randomUUID() });
const placed = async (asking: Asking): Promise<string> => {
  const { data } = (await app.call(asking.token, "POST", "/orders", { body: order })).body;
  return data.id;
};

/** What each code is met with, and the check that refuses. Without a token there is no log to stand in. */
const REFUSALS: Record<string, [Refusing, RequestGate | null]> = {
  unauthenticated: [(a) => ask(a, "GET", "/menus", { token: "1|svc_none" }), null],
  insufficient_scope: [async (a) => ask(a, "GET", "/orders", { token: await app.token(lab.slug, { scopes: [] }) }), "scope"],
  plan_feature_unavailable: [(a) => inState("plan = 'essential'", () => ask(a, "GET", "/reservations")), "plan"],
  restaurant_suspended: [(a) => inState("suspended_at = '2026-01-01'", () => ask(a, "POST", "/orders", { body: order })), "plan"],
  plan_lapsed: [(a) => inState("plan_until = '2026-01-01'", () => ask(a, "GET", "/menus")), "plan"],
  not_found: [(a) => ask(a, "GET", `/items/${SECRET}`), "lookup"],
  method_not_allowed: [(a) => ask(a, "DELETE", "/items"), "path"],
  invalid_transition: [async (a) => ask(a, "POST", `/orders/${await placed(a)}/status`, { body: { status: "completed" } }), "status"],
  idempotency_key_in_use: [
    async (a) => {
      const headers = key();
      const both = await Promise.all([1, 2].map(() => ask(a, "POST", "/orders", { body: order, headers })));
      return both.find(({ error }) => error?.code === "idempotency_key_in_use") ?? expect.fail("both were answered");
    },
    "key",
  ],
  cursor_expired: [
    async (a) => {
      const { meta } = (await app.call(a.token, "GET", "/events?after=latest")).body;
      const [venue, epoch, number, position, at] = (meta.cursor as string).split(".");
      return ask(a, "GET", `/events?after=${[venue, epoch, Number(number) + 1, position, at].join(".")}`);
    },
    "lookup",
  ],
  payload_too_large: [(a) => ask(a, "POST", "/orders", { body: `"${"x".repeat(1_100_000)}"` }), "size"],
  validation_failed: [(a) => ask(a, "POST", "/orders", { body: { ...order, lines: [], [SECRET]: SECRET } }), "fields"],
  idempotency_key_reused: [
    async (a) => {
      const headers = key();
      await ask(a, "POST", "/orders", { body: {}, headers });
      return ask(a, "POST", "/orders", { body: order, headers });
    },
    "key",
  ],
  rate_limited: [
    async (a) => {
      const token = await app.token(lab.slug, { ratePerMinute: 1 });
      await ask(a, "GET", "/menus", { token });
      return ask(a, "GET", "/menus", { token });
    },
    "rate",
  ],
  server_error: [(a) => ask(a, "GET", "/guests"), "service"],
  service_unavailable: [(a) => ask(a, "GET", "/reports/sales-summary?from=2026-01-01&to=2026-01-02"), "service"],
};

/** A handler that takes its time, so that a key is in use meanwhile; two that fail. */
const HANDLERS: Handlers = {
  ...routes,
  listGuests: () => Promise.reject(new Error(SECRET)),
  getSalesSummary: () => Promise.reject(apiError("service_unavailable", {}, { "Retry-After": "2" })),
  async createOrder(ctx, input) {
    const result = await routes.createOrder(ctx, input);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return result;
  },
};

const meetAll = async (log: RequestLogBuffer): Promise<Refused[]> => {
  const server = await buildApp(app.deps, { handlers: HANDLERS, requestLog: log });
  const asking = { server, token: lab.token };
  const met: Refused[] = [];
  for (const [code, [refuse]] of Object.entries(REFUSALS)) {
    const { error, link, id } = await refuse(asking);
    expect([code, error.code]).toEqual([code, code]);
    met.push({ code: error.code, link, id });
  }
  await server.stop();
  await log.stop();
  return met;
};

const requestOf = async ({ id }: Refused): Promise<RequestRow | null> =>
  (await owner.call("GET", `/venues/${lab.slug}/requests?request=${id}&rows=1`)).body.data[0] ?? null;

const leadsToItsPage = async ({ code, link }: Refused): Promise<boolean> => {
  const [, path = "", anchor = ""] = /^<([^#>]+)#([^>]+)>; rel="help"$/.exec(link) ?? [];
  const { statusCode, payload } = await app.app.http.inject({ url: path });
  return statusCode === 200 && new RegExp(`<h[2-4] id="${anchor}"[^>]*>.*\\b${code}\\b`).test(payload);
};

test("each code leads to its part of the guide, and its request is found by its id with the gate that refused", async () => {
  expect(Object.keys(REFUSALS).toSorted()).toEqual(CODES.toSorted());
  const met = await meetAll(createRequestLogBuffer(openDb(app.deps.pool), app.deps.log));
  const found = await Promise.all(
    met.map(async (one) => ({ code: one.code, leads: await leadsToItsPage(one), row: await requestOf(one) })),
  );
  expect(found.filter(({ leads }) => !leads)).toEqual([]);
  for (const { code, row } of found)
    expect([code, row?.code ?? null, row?.gate ?? null]).toEqual([code, row && code, REFUSALS[code]?.[1] ?? null]);
  const refused = found.find(({ code }) => code === "validation_failed")?.row;
  expect([refused?.fields, refused?.reasons]).toEqual([["lines"], [{ field: "lines", reason: "too_few_entries", params: { min: 1 } }]]);
  expect(JSON.stringify(found)).not.toContain(SECRET);
  console.info(`${found.filter(({ leads }) => leads).length} of ${CODES.length} codes lead to their page`);
}, 30_000);

test("planted: a code that leads to no page, and a log without codes, are found", async () => {
  const log = createRequestLogBuffer(openDb(app.deps.pool), app.deps.log);
  const met = await meetAll({ ...log, add: (request) => log.add({ ...request, code: null }) });
  expect(await leadsToItsPage({ ...(met[0] as Refused), link: '</docs/guide/errors#signed_out>; rel="help"' })).toBe(false);
  const rows = await Promise.all(met.map(requestOf));
  expect(rows.filter((row) => row?.gate).length).toBe(0);
}, 30_000);
