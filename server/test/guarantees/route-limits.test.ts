/** Requests are counted by address without a token, by person and venue at the console, and how much may be sent there. */
import { randomBytes } from "node:crypto";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { consoleCall, createUser } from "../support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;

let app: TestApp;
let lab: TestVenue;
beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS } });
  lab = await app.venue("lab");
});
afterAll(() => app.close());

/** Starts the service with other limits on the same database. */
const withLimits = async (environment: Record<string, string>, work: (narrow: TestApp) => Promise<void>): Promise<void> => {
  const narrow = await startApp({ database: app.database, environment: { ENCRYPTION_KEYS, ...environment } });
  try {
    await work(narrow);
  } finally {
    await narrow.close();
  }
};

const PAGES = [
  "/",
  "/docs",
  "/docs/start.js",
  "/openapi.json",
  "/llms.txt",
  "/docs/guide",
  "/docs/guide/errors.md",
  "/console",
  "/console/mark.svg",
];
const ELSEWHERE = [
  "/nothing",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource/mcp",
  "/%",
  "/docs/guide/nothing",
];

test("pages, documents and what is not there are counted together, by address", async () => {
  const urls = [...PAGES, ...ELSEWHERE];
  await withLimits({ PAGE_RATE_PER_MINUTE: String(urls.length) }, async ({ app: { http } }) => {
    const statuses = async (remoteAddress: string): Promise<number[]> => {
      const answers: number[] = [];
      for (const url of urls) answers.push((await http.inject({ url, remoteAddress })).statusCode);
      return answers;
    };
    expect(await statuses("192.0.2.1")).not.toContain(429);
    expect(new Set(await statuses("192.0.2.1"))).toEqual(new Set([429]));
    expect(await statuses("192.0.2.2")).not.toContain(429);
    const refused = await http.inject({ url: "/openapi.json", remoteAddress: "192.0.2.1" });
    expect(refused.json()).toMatchObject({ error: { code: "rate_limited" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    // A token is not held to it.
    const call = { url: "/api/v1/menus", remoteAddress: "192.0.2.1", headers: { authorization: `Bearer ${lab.token}` } };
    expect((await http.inject(call)).statusCode).toBe(200);
  });
});

const V6_REQUESTS: [string, InjectOptions][] = [
  ["API", { url: "/api/v1/menus" }],
  ["agents", { method: "POST", url: "/mcp" }],
  ["OAuth", { method: "POST", url: "/oauth/token" }],
  ["pages", { url: "/openapi.json" }],
  ["console", { url: "/console/api/session" }],
  [
    "sign-in",
    {
      method: "POST",
      url: "/console/api/session",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      payload: "{}",
    },
  ],
];

test.each(V6_REQUESTS)("D40 for %s a /64 counts as one address, and a /48 has eight times its limit", async (_group, request) => {
  const limit = "5";
  const environment = {
    UNAUTHENTICATED_RATE_PER_MINUTE: limit,
    OAUTH_RATE_PER_MINUTE: limit,
    PAGE_RATE_PER_MINUTE: limit,
    CONSOLE_RATE_PER_MINUTE: "1",
  };
  await withLimits(environment, async ({ app: { http } }) => {
    const passed = async (prefix: string): Promise<number> => {
      let count = 0;
      for (let n = 1; n <= 7; n++) if ((await http.inject({ ...request, remoteAddress: `${prefix}::${n}` })).statusCode !== 429) count++;
      return count;
    };
    for (let host = 1; host <= 8; host++) expect(await passed(`2001:db8:1:${host}`)).toBe(5);
    expect(await passed("2001:db8:1:9")).toBe(0);
    expect(await passed("2001:db8:2:1")).toBe(5);
  });
});

test("D37 a 429 of a token never depends on the address, on another token, or on the console", async () => {
  const environment = {
    UNAUTHENTICATED_RATE_PER_MINUTE: "1",
    PAGE_RATE_PER_MINUTE: "1",
    CONSOLE_RATE_PER_MINUTE: "1",
    OAUTH_RATE_PER_MINUTE: "1",
  };
  await withLimits(environment, async (narrow) => {
    const spent = await app.token(lab.slug, { ratePerMinute: 1 });
    const statuses = async (token: string | null, times: number): Promise<number[]> => {
      const answers: number[] = [];
      for (let n = 0; n < times; n++) answers.push((await narrow.call(token, "GET", "/menus")).status);
      return answers;
    };
    expect(await statuses(null, 3)).toEqual([401, 429, 429]);
    expect(await statuses(spent, 2)).toEqual([200, 429]);
    for (let n = 0; n < 10; n++) await narrow.app.http.inject({ url: n % 2 ? "/openapi.json" : "/console/api/session" });
    expect(new Set(await statuses(lab.token, 30))).toEqual(new Set([200]));
  });
});

test("the console counts a person, whatever the call, and a venue five times as often", async () => {
  const [owner, manager] = [await createUser(app, lab.slug, "owner"), await createUser(app, lab.slug, "manager")];
  await withLimits({ CONSOLE_RATE_PER_MINUTE: "4" }, async (narrow) => {
    const call = (cookie: string, path: string, remoteAddress: string) =>
      narrow.app.http.inject({ url: `/console/api${path}`, remoteAddress, headers: { cookie: `__Host-comanda=${cookie}` } });
    const asked: number[] = [];
    for (const path of ["/session", "/sessions", "/apps", `/venues/${lab.slug}/tokens`, `/venues/${lab.slug}/live`, "/session"])
      asked.push((await call(owner.cookie, path, `192.0.2.${asked.length}`)).statusCode);
    expect(asked).toEqual([200, 200, 200, 200, 429, 429]);
    expect((await call(manager.cookie, "/session", "192.0.2.1")).statusCode).toBe(200);
  });
});

test("a venue may make five times as many calls as a person, by all its people together", async () => {
  const cafe = await app.venue("gulf-cafe");
  const people = await Promise.all(Array.from({ length: 6 }, (_, n) => createUser(app, cafe.slug, "manager", `m${n}@cafe.example`)));
  await withLimits({ CONSOLE_RATE_PER_MINUTE: "4" }, async (narrow) => {
    const statuses: number[] = [];
    for (const { cookie } of people)
      for (let n = 0; n < 4; n++) {
        const request = { url: `/console/api/venues/${cafe.slug}/tokens`, remoteAddress: `192.0.2.${statuses.length}` };
        statuses.push((await narrow.app.http.inject({ ...request, headers: { cookie: `__Host-comanda=${cookie}` } })).statusCode);
      }
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429, 429, 429, 429]);
  });
});

test("looking at a webhook address opens connections, so it has a limit of its own: ten a minute", async () => {
  const owner = await createUser(app, lab.slug, "owner", "prober@lab.example");
  const statuses: number[] = [];
  for (let port = 1; port <= 12; port++)
    statuses.push((await owner.call("POST", `/venues/${lab.slug}/webhooks/check`, { body: { url: `http://192.0.2.1:${port}/` } })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
  expect((await owner.call("GET", `/venues/${lab.slug}/webhooks`)).status).toBe(200);
});

test("bodies: 16 kB at the console and at OAuth, more where the call says so, and 1 MiB for the API and agents", async () => {
  const owner = await createUser(app, lab.slug, "owner", "sender@lab.example");
  const wide = (bytes: number) => ({ name: "x".repeat(bytes) });
  const sizes = async (path: string, bytes: number) => (await owner.call("POST", path, { body: wide(bytes) })).status;
  expect([await sizes("/session", 15_000), await sizes("/session", 17_000)]).toEqual([422, 413]);
  expect([await sizes("/apps", 100_000), await sizes("/apps", 140_000)]).toEqual([422, 413]);
  const oauth = (bytes: number) =>
    app.app.http.inject({
      method: "POST",
      url: "/oauth/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `grant_type=${"x".repeat(bytes)}`,
    });
  expect([(await oauth(15_000)).statusCode, (await oauth(17_000)).json().error]).toEqual([401, "invalid_request"]);
  expect((await app.call(lab.token, "POST", "/items", { body: wide(1_000_000) })).status).toBe(422);
  expect((await consoleCall(app, "POST", "/nothing", { body: wide(1_000_000) })).status).toBe(404);
});

test("every answer says that its type is meant, and over TLS that it stays there", async () => {
  const urls = [
    "/livez",
    "/openapi.json",
    "/docs",
    "/console",
    "/api/v1/menus",
    "/mcp",
    "/oauth/token",
    "/nothing",
    "/console/api/session",
  ];
  await withLimits({ PUBLIC_URL: "https://api.comanda.example" }, async (narrow) => {
    for (const url of urls) {
      const [plain, secure] = [await app.app.http.inject({ url }), await narrow.app.http.inject({ url })];
      expect([url, plain.headers["x-content-type-options"], plain.headers["strict-transport-security"]]).toEqual([
        url,
        "nosniff",
        undefined,
      ]);
      expect([url, secure.headers["strict-transport-security"]]).toEqual([url, "max-age=31536000"]);
    }
  });
});
