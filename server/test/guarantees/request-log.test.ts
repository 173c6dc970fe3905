/** The request log names the operation of the contract and never contains the path that the client sent. */
import type { RequestRow } from "@comanda/contract/console/logs.ts";
import { apiOperationEntries } from "@comanda/contract/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "#db/pool.ts";
import { createRequestLogBuffer, type RequestLogEntry } from "#platform/activity/request-log/service.ts";
import { type App, buildApp } from "../../src/compose/api.ts";
import { createUser, type TestUser } from "../support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner");
});
afterAll(() => app.close());

const WRITTEN = "ada-lovelace";
const LONG_ID = "9".repeat(300);

/** Method, path, the route that is kept, the status. */
const CASES: [string, string, string | null, number][] = [
  ["GET", "/menus", "/menus", 200],
  ["GET", `/menus?name=${WRITTEN}`, "/menus", 200],
  ["GET", "/menus/1", "/menus/{menu}", 404],
  ["GET", `/menus/${WRITTEN}`, "/menus/{menu}", 404],
  ["GET", `/items/${LONG_ID}`, "/items/{item}", 404],
  ["DELETE", "/items/1", "/items/{item}", 405],
  ["PUT", `/orders/${WRITTEN}/status`, "/orders/{order}/status", 405],
  ["GET", `/menus/1/${WRITTEN}`, "/menus/{menu}/…", 404],
  ["GET", `/orders/${WRITTEN}/lines/4`, "/orders/{order}/…", 404],
  ["GET", `/reports/${WRITTEN}`, "/reports/…", 404],
  ["GET", `/${WRITTEN}`, null, 404],
  ["POST", `/${WRITTEN}/orders`, null, 404],
  ["GET", "/", null, 404],
];

/** Each case once, through a requestLog of its own; as the console shows them, in the order of the cases. */
const logOf = async (noted: (note: RequestLogEntry, url: string) => RequestLogEntry = (note) => note) => {
  let url = "";
  const book = createRequestLogBuffer(openDb(app.deps.pool), app.deps.log);
  const server: App = await buildApp(app.deps, { requestLog: { ...book, add: (note) => book.add(noted(note, url)) } });
  const token = await app.token(lab.slug);
  for (const [method, path, , status] of CASES) {
    url = path;
    const answer = await server.http.inject({
      method: method as "GET",
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}`, "idempotency-key": crypto.randomUUID() },
    });
    expect([path, answer.statusCode]).toEqual([path, status]);
  }
  await server.stop();
  await book.stop();
  const { body } = await owner.call("GET", `/venues/${lab.slug}/requests?rows=100&token=${token.split("|")[0]}`);
  return (body.data as { method: string; route: string | null }[]).toReversed();
};

/** What stands in a route that the contract does not say. */
const strayWords = (log: { route: string | null }[]): string[] => {
  const words = new Set(["", "…", ...apiOperationEntries.flatMap(([, { path }]) => path.split("/"))]);
  return log.flatMap(({ route }) => (route ?? "").split("/").filter((word) => !words.has(word)));
};

test("a known path is kept as the contract writes it, of an unknown one what is known, and nothing that was written", async () => {
  const log = await logOf();
  expect(log.map(({ method, route }) => [method, route])).toEqual(CASES.map(([method, , route]) => [method, route]));
  expect(strayWords(log)).toEqual([]);
});

test("planted: a log that keeps the path as it was written is found", async () => {
  const log = await logOf((note, url) => ({ ...note, route: url }));
  expect(strayWords(log)).toContain(WRITTEN);
});

/** Requests that are refused for fields, with and without a key; as the console shows them, in this order. */
const refusalsOf = async () => {
  const book = createRequestLogBuffer(openDb(app.deps.pool), app.deps.log);
  const server = await buildApp(app.deps, { requestLog: book });
  const token = await app.token(lab.slug);
  const post = (path: string, body: object, key?: string) =>
    server.http.inject({
      method: "POST",
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}`, ...(key ? { "idempotency-key": key } : {}) },
      payload: body,
    });
  const order = { type: "pickup", customer_name: "Ada", customer_phone: "+44 1", lines: [{ item_id: 1, quantity: 100 }] };
  const dish = { category_id: 1, name: { "Ada Lovelace": "x" }, price_minor: 1, [WRITTEN]: true };
  const missing = `/orders/${crypto.randomUUID()}/status`;
  for (const key of [undefined, "first"]) {
    await post("/orders", order, key);
    await post("/orders", order, key);
  }
  await post("/orders", {}, "k".repeat(256));
  await post("/items", dish, "second");
  await post(missing, { status: "accepted" }, "third");
  await post("/orders", { ...order, lines: [{ item_id: 1, quantity: 1 }] }, "fourth");
  await server.stop();
  await book.stop();
  const { body } = await owner.call("GET", `/venues/${lab.slug}/requests?rows=100&token=${token.split("|")[0]}`);
  return (body.data as RequestRow[])
    .toReversed()
    .map(({ status, code, fields, gate, reasons }) => [status, code, fields, gate, reasons?.map((one) => JSON.stringify(one)) ?? null]);
};

const QUANTITY = [
  422,
  "validation_failed",
  ["lines.0.quantity"],
  "fields",
  ['{"field":"lines.0.quantity","params":{"max":99},"reason":"too_high"}'],
];

test("a refusal has its code, gate and reasons and the contract's names of the faulty fields, with an Idempotency-Key and when it is given again", async () => {
  expect(await refusalsOf()).toEqual([
    QUANTITY,
    QUANTITY,
    QUANTITY,
    QUANTITY,
    [422, "validation_failed", ["Idempotency-Key"], "fields", ['{"field":"Idempotency-Key","params":{"max":255},"reason":"too_long"}']],
    [422, "validation_failed", ["name.…"], "fields", ['{"field":"name.…","params":{},"reason":"not_a_language"}']],
    [404, "not_found", null, "lookup", null],
    [422, "validation_failed", ["lines.0.item_id"], "rules", ['{"field":"lines.0.item_id","params":{},"reason":"unknown_dish"}']],
  ]);
});
