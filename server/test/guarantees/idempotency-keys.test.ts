/**
 * The rules of Idempotency-Key (open points D43–D50), with a moving clock and direct reads of the database.
 *
 * @every-postgres
 */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { purgeExpired } from "../../src/compose/retention.ts";
import { fingerprintOf } from "../../src/http/api/idempotency.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { exchange } from "../support/raw-http.ts";
import { startApp, type TestAnswer, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let categoryId: number;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  categoryId = (await app.call(lab.token, "GET", "/categories")).body.data[0].id;
});
afterAll(() => app.close());

const dish = (changes: object = {}) => ({ category_id: categoryId, name: `Once ${randomUUID()}`, price_minor: 700, ...changes });

type KeyedRequest = { token?: string; path?: string; raw?: string | Buffer; headers?: Record<string, string> };

const post = (key: string, body: object | undefined, { token = lab.token, path = "/items", raw, headers = {} }: KeyedRequest = {}) =>
  app.call(token, "POST", path, {
    ...(raw === undefined ? { body } : { raw }),
    headers: { "idempotency-key": key, "content-type": "application/json", ...headers },
  });

const isReplay = ({ headers }: TestAnswer): boolean => headers.get("idempotent-replayed") === "true";

const count = async (table: "items" | "audit_entries" | "idempotency_keys"): Promise<number> => {
  const [row] = await app.database.asOwner<{ count: number }>(`select count(*)::integer as count from ${table}`);
  return row?.count ?? -1;
};

/** The next request with this key is a first one: nothing of the earlier one was kept. */
const expectFresh = async (key: string, sending: KeyedRequest = {}): Promise<void> => {
  const answer = await post(key, dish(), sending);
  expect([answer.status, isReplay(answer)]).toEqual([201, false]);
};

test("D50 a repeated request gets the same bytes and Location back, marked, and leaves nothing more behind", async () => {
  const [key, body] = [randomUUID(), dish()];
  const first = await post(key, body);
  expect([first.status, isReplay(first)]).toEqual([201, false]);
  const before = [await count("items"), await count("audit_entries")];
  const second = await post(key, body);
  expect([second.status, isReplay(second)]).toEqual([201, true]);
  expect(second.text).toBe(first.text);
  expect(second.headers.get("location")).toBe(first.headers.get("location"));
  expect(second.headers.get("location")).toMatch(/\/api\/v1\/items\/\d+$/);
  expect([await count("items"), await count("audit_entries")]).toEqual(before);
});

test("D44 another body, or no body, under a used key is 422 idempotency_key_reused", async () => {
  const [key, body] = [randomUUID(), dish()];
  await post(key, body);
  for (const other of [{ ...body, price_minor: 701 }, { ...body, extra: 1 }, {}, undefined]) {
    const answer = await post(key, other);
    expect([answer.status, answer.body.error.code, isReplay(answer)]).toEqual([422, "idempotency_key_reused", false]);
  }
});

test("D44 the path belongs to the request; a last slash and a query do not", async () => {
  const [key, body] = [randomUUID(), dish()];
  const first = await post(key, body);
  for (const path of ["/items/", "/items?x=1"]) expect((await post(key, body, { path })).text).toBe(first.text);
  const [here, there] = ["/api/v1/orders/1/cancel", "/api/v1/orders/2/cancel"].map((path) => fingerprintOf("POST", path, {}));
  expect(here).not.toEqual(there);
});

test("D44 the order of members and white space do not make another request", async () => {
  const [key, body] = [randomUUID(), dish({ name: { en: "Broth", it: "Brodo" } })];
  const first = await post(key, body);
  const turned = { price_minor: 700, name: { it: "Brodo", en: "Broth" }, category_id: categoryId };
  const second = await post(key, undefined, { raw: `\r\n\t ${JSON.stringify(turned, null, 4)} ` });
  expect([isReplay(second), second.text]).toEqual([true, first.text]);
});

test("D47 a key has at most 255 characters, and any of them count", async () => {
  const [longest, body] = [randomUUID().padEnd(255, "é"), dish()];
  await post(longest, body);
  expect(isReplay(await post(longest, body))).toBe(true);
  const tooLong = await post(`${longest}x`, body);
  expect([tooLong.status, Object.keys(tooLong.body.error.details)]).toEqual([422, ["Idempotency-Key"]]);
});

test("D47 a blank key is no key", async () => {
  const before = await count("idempotency_keys");
  for (const key of ["", "  "]) await expectFresh(key);
  expect(await count("idempotency_keys")).toBe(before);
});

test("D47 two keys in one request are 422, whatever Node makes of them", async () => {
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.app.http.server.address() as AddressInfo;
  const body = JSON.stringify(dish());
  const before = await count("items");
  for (const keys of [
    ["a", "b"],
    ["a", "a"],
    ["a", ""],
  ]) {
    const head = [
      "POST /api/v1/items HTTP/1.1",
      "Host: x",
      `Authorization: Bearer ${lab.token}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      ...keys.map((key) => `Idempotency-Key: ${key}`),
    ];
    const [answer] = await exchange(port, `${head.join("\r\n")}\r\n\r\n${body}`);
    expect([answer?.status, answer?.text.includes("Idempotency-Key")]).toEqual([422, true]);
  }
  expect(await count("items")).toBe(before);
});

test("D43 the same key of another token, or of another venue, is another key", async () => {
  const other = await app.venue("gulf-cafe");
  const [key, body] = [randomUUID(), dish()];
  const first = await post(key, body);
  const second = await post(key, body, { token: await app.token(lab.slug) });
  expect([second.status, isReplay(second)]).toEqual([201, false]);
  expect(second.body.data.id).not.toBe(first.body.data.id);
  const foreign = await post(key, body, { token: other.token });
  expect([foreign.status, isReplay(foreign)]).toEqual([422, false]);
});

test("D45 a 422 of the operation is kept like any answer, with nothing but the key's row", async () => {
  const [key, wrong] = [randomUUID(), dish({ category_id: 9_000_000 })];
  const before = [await count("items"), await count("audit_entries"), await count("idempotency_keys")];
  const first = await post(key, wrong);
  expect([first.status, first.body.error.code, isReplay(first)]).toEqual([422, "validation_failed", false]);
  const second = await post(key, wrong);
  expect([second.status, isReplay(second), second.text]).toEqual([422, true, first.text]);
  expect(second.body.error.message).toMatch(/^category_id: .* stored under its Idempotency-Key .* send a new key/);
  const reused = await post(key, dish());
  expect([reused.body.error.code, reused.body.error.message]).toEqual(["idempotency_key_reused", expect.stringMatching(/send a new key/)]);
  const [items, entries, keys] = before as [number, number, number];
  expect([await count("items"), await count("audit_entries"), await count("idempotency_keys")]).toEqual([items, entries, keys + 1]);
});

test("D45 401, 403, 404, 413 and unreadable bodies are not kept: the next request with the key is a first one", async () => {
  const key = randomUUID();
  const reader = await app.token(lab.slug, { scopes: ["menu:read"] });
  const refusals: [number, TestAnswer][] = [
    [401, await post(key, dish(), { token: `${lab.token}x` })],
    [403, await post(key, dish(), { token: reader })],
    [404, await post(key, dish(), { path: "/nothing" })],
    [405, await post(key, dish(), { path: "/menus" })],
    [413, await post(key, undefined, { raw: Buffer.alloc(1024 * 1024 + 1, 0x20) })],
    [422, await post(key, undefined, { raw: '{"name":' })],
    [422, await post(key, undefined, { raw: Buffer.from([0x7b, 0xff, 0x7d]) })],
    [422, await post(key, dish(), { headers: { "content-type": "text/plain" } })],
  ];
  for (const [status, answer] of refusals) expect([answer.status, isReplay(answer)]).toEqual([status, false]);
  await expectFresh(key);
});

test("D45 a 429 is not kept", async () => {
  const key = randomUUID();
  const token = await app.token(lab.slug, { ratePerMinute: 1 });
  await app.call(token, "GET", "/menus");
  expect((await post(key, dish(), { token })).status).toBe(429);
  await app.database.asOwner("update tokens set rate_per_minute = 1000 where id = $1", [token.split("|")[0]]);
  await expectFresh(key, { token });
});

test("D45 a failure at any statement leaves no key stuck and nothing half done: the retry is a first request", async () => {
  let [statement, failAt] = [0, 0];
  const faulty = await startApp({
    database: app.database,
    pool: faultInjectingPool(({ text }) => {
      if (text.startsWith("begin;")) statement = 0;
      statement++;
      return statement === failAt && text !== "rollback" ? { text: "select 1 / 0" } : null;
    }),
  });
  const before = await count("items");
  let failures = 0;
  for (let at = 1; ; at++) {
    const [key, body] = [`fault-${at}`, dish()];
    failAt = at;
    const headers = { "idempotency-key": key };
    const first = await faulty.call(lab.token, "POST", "/items", { body, headers });
    failAt = 0;
    const second = await faulty.call(lab.token, "POST", "/items", { body, headers });
    if (first.status === 201) break;
    expect([first.status, first.body.error.code]).toEqual([500, "server_error"]);
    expect([at, second.status, isReplay(second)]).toEqual([at, 201, false]);
    failures++;
  }
  expect(failures).toBeGreaterThanOrEqual(8);
  expect(await count("items")).toBe(before + failures + 1);
  await faulty.close();
});

test("D49 the window is 24 hours from the first request: 23:59:59 replays, 24:00:01 is new and opens another", async () => {
  const [key, body] = [randomUUID(), dish()];
  app.clock.set("2026-11-14T12:00:00Z");
  const first = await post(key, body);
  app.clock.set("2026-11-15T11:59:59Z");
  expect((await post(key, body)).text).toBe(first.text);
  app.clock.set("2026-11-15T12:00:01Z");
  const second = await post(key, body);
  expect([second.status, isReplay(second)]).toEqual([201, false]);
  expect(second.body.data.id).not.toBe(first.body.data.id);
  app.clock.set("2026-11-16T12:00:00Z");
  expect((await post(key, body)).text).toBe(second.text);
});

test("D49 an expired key may carry another request", async () => {
  const key = randomUUID();
  app.clock.set("2026-11-17T00:00:00Z");
  await post(key, dish());
  app.clock.set("2026-11-18T00:00:01Z");
  await expectFresh(key);
});

test("D48 a key means nothing on GET, PATCH and PUT", async () => {
  const { body } = await post(randomUUID(), dish());
  const [path, before] = [`/items/${body.data.id}`, await count("idempotency_keys")];
  const headers = { "idempotency-key": "k".repeat(300) };
  for (const price_minor of [1, 2, 1])
    expect((await app.call(lab.token, "PATCH", path, { body: { price_minor }, headers })).body.data.price_minor).toBe(price_minor);
  for (const is_available of [false, true]) await app.call(lab.token, "PUT", `${path}/availability`, { body: { is_available }, headers });
  const read = await app.call(lab.token, "GET", path, { headers });
  expect([read.body.data.price_minor, read.body.data.is_available, isReplay(read)]).toEqual([1, true, false]);
  expect(await count("idempotency_keys")).toBe(before);
});

test("D49 keys are purged once their window is over, and not a second sooner", async () => {
  await app.database.asOwner("delete from idempotency_keys");
  app.clock.set("2026-12-01T00:00:00Z");
  await post("old", dish());
  app.clock.set("2026-12-01T00:00:02Z");
  await post("young", dish());
  app.clock.set("2026-12-02T00:00:01Z");
  await purgeExpired(app.deps);
  expect(await app.database.asOwner("select key from idempotency_keys")).toEqual([{ key: "young" }]);
  await expectFresh("old");
});
