/**
 * A token that was seen before is looked up again together with what it asks for. Whatever has changed meanwhile holds from the next answer
 * on, nothing is counted twice, and nothing that was read too early is sent.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { createPrincipalCache } from "../../src/http/api/principal-cache.ts";
import type { Principal } from "../../src/lib/principal.ts";
import { newTokenSecret } from "../../src/lib/token-format.ts";
import { findTokenRecord } from "../../src/platform/programs/tokens/store.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let token: string;
let dish: number;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  dish = (await app.call(lab.token, "GET", "/items?per_page=1")).body.data[0].id;
});
afterAll(() => app.close());

const asOwner = (statement: string, values: unknown[] = []) => app.database.asOwner(statement, values);

/** Known to the process before each test begins. */
beforeEach(async () => {
  token = await app.token(lab.slug, { ratePerMinute: 50 });
  for (let n = 0; n < 2; n++) expect((await app.call(token, "GET", `/items/${dish}`)).status).toBe(200);
});

const idOf = (text: string): number => Number(text.split("|")[0]);

describe("what has changed since the token was seen holds at once", () => {
  test("revoked, ended, gone", async () => {
    await asOwner("update tokens set revoked_at = now() where id = $1", [idOf(token)]);
    expect((await app.call(token, "GET", `/items/${dish}`)).status).toBe(401);
    await asOwner("update tokens set revoked_at = null, expires_at = $2 where id = $1", [idOf(token), app.clock.now()]);
    expect((await app.call(token, "GET", `/items/${dish}`)).status).toBe(401);
    await asOwner("update tokens set expires_at = null, hash = sha256('another') where id = $1", [idOf(token)]);
    expect((await app.call(token, "GET", `/items/${dish}`)).status).toBe(401);
  });

  test("a refusal before the dish is even looked for", async () => {
    await asOwner("update tokens set revoked_at = now() where id = $1", [idOf(token)]);
    for (const path of ["/items/999999", "/items?per_page=nonsense", "/items/nonsense"])
      expect((await app.call(token, "GET", path)).status, path).toBe(401);
  });

  test("scopes, plan, suspension: one way and back", async () => {
    const read = async () => (await app.call(token, "GET", "/reservations")).body.error?.code ?? "read";
    expect(await read()).toBe("read");
    const steps = [
      {
        change: "update tokens set scopes = '{menu:read}' where restaurant_id = $1 and revoked_at is null",
        back: "update tokens set scopes = '{menu:read,reservations:read}' where restaurant_id = $1",
      },
      {
        change: "update restaurants set plan_until = '2020-01-01' where id = $1",
        back: "update restaurants set plan_until = null where id = $1",
      },
    ];
    for (const { change, back } of steps) {
      await asOwner(change, [lab.id]);
      expect(await read(), change).not.toBe("read");
      await asOwner(back, [lab.id]);
      expect(await read(), back).toBe("read");
    }
  });

  test("the venue's own settings: an answer is never in yesterday's currency", async () => {
    const currencyOf = async () => (await app.call(token, "GET", `/items/${dish}`)).body.meta.currency;
    const before = await currencyOf();
    await asOwner("update restaurants set currency = 'EUR' where id = $1", [lab.id]);
    expect(await currencyOf()).toBe("EUR");
    await asOwner("update restaurants set currency = $2 where id = $1", [lab.id, before]);
    expect(await currencyOf()).toBe(before);
  });
});

describe("counting", () => {
  const remaining = async (bearer: string, path: string): Promise<number> =>
    Number((await app.call(bearer, "GET", path)).headers.get("x-ratelimit-remaining"));

  test("each request once, whatever becomes of it", async () => {
    let before = await remaining(token, `/items/${dish}`);
    for (const path of [`/items/${dish}`, "/items/999999", "/items?per_page=nonsense", "/nowhere"]) {
      expect(await remaining(token, path), path).toBe(before - 1);
      before -= 1;
    }
    for (const change of ["name = 'renamed'", "scopes = '{}'"]) {
      await asOwner(`update tokens set ${change} where id = $1`, [idOf(token)]);
      expect(await remaining(token, `/items/${dish}`), change).toBe(before - 1);
      before -= 1;
    }
  });

  test("over the limit it is 429, and 401 once it is revoked", async () => {
    const few = await app.token(lab.slug, { ratePerMinute: 3 });
    for (let n = 0; n < 3; n++) expect((await app.call(few, "GET", `/items/${dish}`)).status).toBe(200);
    expect((await app.call(few, "GET", `/items/${dish}`)).status).toBe(429);
    await asOwner("update tokens set revoked_at = now() where id = $1", [idOf(few)]);
    const refused = await app.call(few, "GET", `/items/${dish}`);
    expect([refused.status, refused.headers.get("x-ratelimit-limit")]).toEqual([401, "1000000"]);
    expect([refused.headers.get("retry-after"), refused.headers.get("x-ratelimit-reset")]).toEqual([null, null]);
  });

  test("once its limit is raised, requests succeed at once", async () => {
    const few = await app.token(lab.slug, { ratePerMinute: 2 });
    for (let n = 0; n < 3; n++) await app.call(few, "GET", `/items/${dish}`);
    await asOwner("update tokens set rate_per_minute = 100 where id = $1", [idOf(few)]);
    const { status, headers } = await app.call(few, "GET", `/items/${dish}`);
    expect([status, headers.get("x-ratelimit-limit"), headers.get("retry-after"), headers.get("x-ratelimit-reset")]).toEqual([
      200,
      "100",
      null,
      null,
    ]);
  });

  test("requests with a token's id and a wrong secret use up nothing of its limit", async () => {
    const before = await remaining(token, `/items/${dish}`);
    for (let n = 0; n < 5; n++)
      expect((await app.call(`${idOf(token)}|${newTokenSecret("api")}`, "GET", `/items/${dish}`)).status).toBe(401);
    expect(await remaining(token, `/items/${dish}`)).toBe(before - 1);
  });

  test("nothing is read for a token over its limit", async () => {
    const few = await app.token(lab.slug, { ratePerMinute: 2 });
    for (let n = 0; n < 3; n++) await app.call(few, "GET", `/items/${dish}`);
    const line = vi.spyOn(app.deps.readBatcher, "tenant");
    expect((await app.call(few, "GET", `/items/${dish}`)).status).toBe(429);
    expect(line).not.toHaveBeenCalled();
    line.mockRestore();
  });
});

test("a sandbox's mark goes with the sandbox's token: a refusal does not carry it", async () => {
  const sandbox = (await createSandbox(app.deps, lab.slug, 1000))?.token ?? "";
  for (let n = 0; n < 2; n++) expect((await app.call(sandbox, "GET", "/items")).headers.get("service-sandbox")).toBe("true");
  await asOwner("update tokens set revoked_at = now() where id = $1", [idOf(sandbox)]);
  const refused = await app.call(sandbox, "GET", "/items");
  expect([refused.status, refused.headers.get("service-sandbox")]).toEqual([401, null]);
});

test("the cache: the same principal while nothing has changed, another one after any change, and no more than it may hold", () => {
  type Fields = { id: number; scopes: string[]; until: Date | null; hash: Buffer };
  const FIELDS: Fields = { id: 1, scopes: ["a", "b"], until: new Date(5), hash: Buffer.from("x") };
  // As PostgreSQL makes the digest: of everything but the last use.
  const record = (change: Partial<Fields> = {}) => ({ digest: JSON.stringify({ ...FIELDS, ...change }), used: new Date() });
  const cache = createPrincipalCache(({ digest }: ReturnType<typeof record>) => ({ digest }) as Principal);
  const { principal } = cache.set("bearer", record());
  expect(cache.set("bearer", record()).principal).toBe(principal);
  expect(cache.get("bearer")?.principal).toBe(principal);
  for (const change of [
    { id: 2 },
    { scopes: ["a"] },
    { scopes: ["a", "c"] },
    { until: null },
    { until: new Date(6) },
    { hash: Buffer.from("y") },
  ])
    expect(cache.set("bearer", record(change)).principal, JSON.stringify(change)).not.toBe(principal);
  cache.delete("bearer");
  expect([cache.get("bearer"), cache.get(null), cache.get("beareR")]).toEqual([null, null, null]);
  for (let n = 0; n < 10_001; n++) cache.set(String(n), record());
  expect([cache.get("0"), cache.get("1") === null]).toEqual([null, false]);
});

test("the digest changes with every column that decides what a token may do", async () => {
  const digest = async () => (await findTokenRecord(app.deps.readBatcher.global, idOf(token)))?.digest;
  const changes = [
    "update tokens set name = 'another' where id = $1",
    "update tokens set hash = sha256('another') where id = $1",
    "update tokens set scopes = '{menu:read}' where id = $1",
    "update tokens set rate_per_minute = 7 where id = $1",
    "update tokens set expires_at = '2050-01-01' where id = $1",
    "update tokens set revoked_at = now() where id = $1",
    "update restaurants set zone = 'Asia/Amman' where id = (select restaurant_id from tokens where id = $1)",
    "update restaurants set suspended_at = now() where id = (select restaurant_id from tokens where id = $1)",
    "update restaurants set suspended_at = null, zone = 'Asia/Dubai' where id = (select restaurant_id from tokens where id = $1)",
  ];
  for (const change of changes) {
    const before = await digest();
    await asOwner(change, [idOf(token)]);
    expect(await digest(), change).not.toBe(before);
  }
  const before = await digest();
  await asOwner("update tokens set last_used_at = '2050-01-01' where id = $1", [idOf(token)]);
  expect(await digest()).toBe(before);
});
