/** D190 A sandbox names what a request carries and the operation does not know; a live restaurant does so for the query. */

import { exampleOn } from "@comanda/contract/openapi/example-dates.ts";
import { EXAMPLES, type OperationExample } from "@comanda/contract/openapi/operation-examples.ts";
import { apiOperationEntries } from "@comanda/contract/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IGNORED_HEADER, ignoredIn } from "#http/api/undeclared-fields.ts";
import { revokeToken } from "#platform/programs/tokens/service.ts";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let live: TestVenue;
let token: string;

beforeAll(async () => {
  app = await startApp();
  live = await app.venue("trattoria");
  token = (await createSandbox(app.deps, live.slug, 1_000_000))?.token ?? expect.fail("no sandbox");
});
afterAll(() => app.close());

const ignoredBy = async (bearer: string, method: string, path: string, body?: unknown): Promise<string | null> =>
  (await app.call(bearer, method, path, body === undefined ? {} : { body })).headers.get(IGNORED_HEADER);

const ORDER = EXAMPLES.createOrder.body;

const SLIPS: [string, string, object | undefined, string][] = [
  ["GET", "/orders?stauts=placed", undefined, "query.stauts"],
  ["GET", "/items?page=2&per_page=3", undefined, "query.page"],
  ["GET", "/menus?per_page=3", undefined, "query.per_page"],
  ["PATCH", "/items/108", { price: 650 }, "body.price"],
  [
    "POST",
    "/orders",
    { ...ORDER, tip: 1, lines: [{ ...ORDER.lines[0], price_minor: 1 }, ORDER.lines[1]] },
    "body.lines.0.price_minor, body.tip",
  ],
  ["PUT", "/items/108/availability?at=now", { is_available: true, reason: "x" }, "query.at, body.reason"],
  ["POST", "/orders?dry_run=1", { type: "pigeon" }, "query.dry_run"],
  ["GET", "/items/999?expand=all", undefined, "query.expand"],
];

test.each(SLIPS)(
  "%s %s: what is not known is named in a sandbox, and in a live restaurant as far as it is in the query",
  async (...slip) => {
    const [method, path, body, named] = slip;
    expect(await ignoredBy(token, method, path, body)).toBe(named);
    const ofQuery = named.split(", ").filter((name) => name.startsWith("query."));
    expect(await ignoredBy(live.token, method, path, body)).toBe(ofQuery.join(", ") || null);
  },
);

/** Each operation's own example, with what it offers in the query. */
const requestOf = ({ path: id, query = {}, body }: OperationExample, template: string) => ({
  path: `${template.replace(/\{\w+\}/, String(id))}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
  body,
});

test("what an operation knows is never named, and what is added to it always is", async () => {
  const found: unknown[] = [];
  const { slug } = await app.venue("lab");
  const bearer = (await createSandbox(app.deps, slug, 1_000_000))?.token ?? expect.fail("no sandbox");
  for (const [id, { method, path: template, body: schema }] of apiOperationEntries) {
    const { path, body } = requestOf(exampleOn(EXAMPLES[id], app.clock.now().toISOString().slice(0, 10)), template);
    found.push([id, await ignoredBy(bearer, method, path, body)]);
    const more = schema ? { ...(body as object), unknown: { deep: [1] } } : body;
    found.push([id, await ignoredBy(bearer, method, `${path}&unknown=1`, more)]);
  }
  expect(found).toEqual(
    apiOperationEntries.flatMap(([id, { body }]) => [
      [id, null],
      [id, body ? "query.unknown, body.unknown" : "query.unknown"],
    ]),
  );
}, 60_000);

test("the header is short and plain whatever was sent: names of every kind, thousands of them, a body that is no object", async () => {
  const odd = { "a\r\nSet-Cookie: x": 1, "a, b": 2, "\ud800": 3, дом: 4, ["x".repeat(500)]: 5 };
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown_${index}`, index]));
  for (const body of [odd, many, { lines: Array.from({ length: 5 }, () => odd) }]) {
    const value = (await ignoredBy(token, "POST", "/orders", body)) ?? expect.fail(`nothing is named: ${Object.keys(body).slice(0, 3)}`);
    expect(value).toMatch(/^[\x21-\x7e ]+$/);
    expect(value.length).toBeLessThan(1000);
  }
  expect((await ignoredBy(token, "POST", "/orders", many))?.split(", ")).toEqual([
    ...Array.from({ length: 10 }, (_, index) => `body.unknown_${index}`),
    "...",
  ]);
  const search = `?${Array.from({ length: 900 }, (_, index) => `u${index}=1`).join("&")}`;
  expect((await ignoredBy(token, "GET", `/menus${search}`))?.split(", ")).toHaveLength(11);
  for (const raw of ["[1]", '"x"', "{", ""])
    expect((await app.call(token, "POST", "/orders", { raw })).headers.get(IGNORED_HEADER)).toBe(null);
});

test("a language is no unknown field, and neither is anything below a field that is unknown itself", () => {
  const search = "";
  expect(ignoredIn(operationOf("createItem"), { search, body: { name: { en: "x", xx: "y" }, variants: [{ name: { en: "x" } }] } })).toBe(
    null,
  );
  expect(ignoredIn(operationOf("createItem"), { search, body: { cost: { en: { deep: 1 } } } })).toBe("body.cost");
});

const operationOf = (wanted: string) => apiOperationEntries.find(([id]) => id === wanted)?.[1] ?? expect.fail(wanted);

test("a token that has ended is told nothing", async () => {
  const other = await app.venue("gulf-cafe");
  const { token: ended, restaurant_id } = (await createSandbox(app.deps, other.slug, null)) ?? expect.fail("no sandbox");
  expect(await ignoredBy(ended, "GET", "/menus?page=2")).toBe("query.page");
  await forVenue(app.deps, `${other.slug}.sandbox`, (ctx) => revokeToken(ctx, Number(ended.split("|")[0])));
  expect(restaurant_id).toBeGreaterThan(0);
  const refused = await app.call(ended, "GET", "/menus?page=2");
  expect([refused.status, refused.headers.get(IGNORED_HEADER)]).toEqual([401, null]);
});
