/** Bearer tokens: what is not one never gets in, what was one stops at once, and no secret is ever written down. */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readConfig } from "#config.ts";
import { OUTSIDE_TRANSACTION, openPool } from "#db/pool.ts";
import type { Db } from "#db/query.ts";
import { openDeps, openLog } from "#deps.ts";
import { newTokenSecret, readToken } from "#lib/token-format.ts";
import { authenticateToken, revokeToken } from "#platform/programs/tokens/service.ts";
import { buildApp } from "../../src/compose/api.ts";
import { cachingPool } from "../support/caching-pool.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { addToken } from "../support/many-tokens.ts";
import { exchange } from "../support/raw-http.ts";
import { tenantTables } from "../support/schema-rules.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const REVOKES = process.env.TEST_STRESS ? 1000 : 40;

let app: TestApp;
let lab: TestVenue;
let neighbour: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  neighbour = await app.venue("gulf-cafe");
});
afterAll(() => app.close());

const partsOf = (token: string): [id: string, secret: string] => token.split("|") as [string, string];
const checked = (body: string): string => body + crc32(body).toString(16).padStart(8, "0");

describe("what is not a token of ours", () => {
  /** Each is the whole value of an Authorization header. */
  const notATokenOfOurs = (): string[] => {
    const token = lab.token;
    const [id, secret] = partsOf(token);
    const random = secret.slice(4, 44);
    const digitsFrom = (zero: number) => Array.from(id, (digit) => String.fromCharCode(zero + Number(digit))).join("");
    const values = [
      "",
      " ",
      "Bearer",
      "Bearer ",
      token,
      ...["Basic", "Token", "Digest", "Negotiate"].map((scheme) => `${scheme} ${token}`),
    ];
    const schemes = [
      "Bearer:",
      "Bearer\t",
      "BearerX ",
      "Bearer",
      "Bear er ",
      "Bearer\u00a0",
      "Bearer=",
      "Bearer, ",
      "Bearer Bearer ",
      "Basic Bearer ",
    ];
    const around = ["T T", "T, Bearer T", "T,", ",T", '"T"', "'T'", "<T>", "token=T", "T;", "T=", "%20T", "T%0a"].map((form) =>
      form.replaceAll("T", token),
    );
    const ids = ` 0 0${id} +${id} -${id} ${id}.0 ${id}e0 0x400 x 9007199254740993 9223372036854775808 ${"9".repeat(40)}`.split(" ");
    const otherIds = [digitsFrom(0x660), digitsFrom(0xff10), "\u00b2", partsOf(neighbour.token)[0], "1024000", String(Number(id) + 1)];
    const edited = ["S0", "S%00", "S\0", "\0S", "S\u007f", "S\u200b", "|S", "S|S"].map((form) => form.replaceAll("S", secret));
    const cut = ["", random, secret.slice(4), secret.slice(0, -8), secret.slice(0, -1), secret.toUpperCase(), secret.toLowerCase()];
    const prefixed = ["svc_sbx_", "svc_oat_", "svc-", "SVC_", "\u0441vc_"].map((prefix) => prefix + secret.slice(4));
    const resummed = ["svc_sbx_R", "svc_oat_R", "svc_Ra", "SVC_R", "R"].map((form) => checked(form.replace("R", random)));
    const borrowed = [newTokenSecret("api"), partsOf(neighbour.token)[1], `${secret.slice(0, -8)}00000000`];
    const endless = ["a", `${id}|svc_`, token].map((start) => start.padEnd(8192, "a"));
    const words = [
      "null",
      "undefined",
      "[object Object]",
      "{}",
      "1' or '1'='1",
      btoa(token),
      encodeURIComponent(token),
      secret,
      id,
      `${secret}|${id}`,
    ];
    const bearers = [
      ...around,
      ...[...ids, ...otherIds].map((text) => `${text}|${secret}`),
      ...[...edited, ...cut, ...prefixed, ...resummed, ...borrowed].map((text) => `${id}|${text}`),
      ...endless,
      ...words,
    ];
    return [...values, ...schemes.map((scheme) => scheme + token), ...bearers.map((text) => `Bearer ${text}`)];
  };

  test("R5.1-01 every malformed, misplaced or borrowed token is 401", async () => {
    const values = notATokenOfOurs();
    expect(new Set(values).size).toBe(values.length);
    const wrong: string[] = [];
    for (const authorization of values) {
      const { status } = await app.call(null, "GET", "/menus", { headers: { authorization } });
      if (status !== 401) wrong.push(`${status} for ${authorization.slice(0, 80)}`);
    }
    console.info(`tokens: ${values.length} malformed headers, ${wrong.length} not refused`);
    expect(values.length).toBeGreaterThanOrEqual(60);
    expect(wrong).toEqual([]);
  });

  test("R5.1-01 a good token counts in one Authorization header only, its scheme in any case", async () => {
    const places = {
      cookie: `token=${lab.token}`,
      "x-api-key": lab.token,
      "proxy-authorization": `Bearer ${lab.token}`,
      "x-authorization": `Bearer ${lab.token}`,
    };
    for (const [name, value] of Object.entries(places))
      expect((await app.call(null, "GET", "/menus", { headers: { [name]: value } })).status, name).toBe(401);
    for (const name of ["access_token", "token", "authorization"])
      expect((await app.call(null, "GET", `/menus?${new URLSearchParams({ [name]: lab.token })}`)).status, name).toBe(401);
    expect((await app.call(null, "POST", "/items", { body: { access_token: lab.token } })).status).toBe(401);
    for (const scheme of ["bearer", "BEARER", "BeArEr", "Bearer  "])
      expect((await app.call(null, "GET", "/menus", { headers: { authorization: `${scheme} ${lab.token}` } })).status, scheme).toBe(200);
  });

  test("bytes that no client library sends: two headers are 401, what is no HTTP is 400, nothing is authorized or breaks", async () => {
    await app.app.http.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.app.http.server.address() as AddressInfo;
    const good = `Authorization: Bearer ${lab.token}`;
    const statusOf = async (...lines: string[]): Promise<number | undefined> =>
      (await exchange(port, `${["GET /api/v1/menus HTTP/1.1", "Host: x", "Connection: close", ...lines].join("\r\n")}\r\n\r\n`))[0]?.status;
    expect(await statusOf(good)).toBe(200);
    for (const lines of [
      [good, good],
      [good, good.toLowerCase()],
      [good, "Authorization: Basic eDp5"],
      ["Authorization:", good],
      [good, "AUTHORIZATION: "],
    ])
      expect(await statusOf(...lines), lines.join(" + ")).toBe(401);
    for (const bytes of [
      "Authorization: Bearer \xb2\xb3|svc_",
      `${good}\xff`,
      "Authorization: Bearer \xd9\xa1|svc_",
      `Authorization:\tBearer\t${lab.token}`,
    ])
      expect(await statusOf(bytes), bytes).toBe(401);
    for (const bytes of [
      `${good}\0`,
      `Authorization: Bearer \0${lab.token}`,
      `Authorization : Bearer ${lab.token}`,
      `${good}\n\0: x`,
      "Authorization\0: x",
      `Authorization:\r\n Bearer ${lab.token}`,
    ])
      expect([400, 401], bytes).toContain(await statusOf(bytes));
  });
});

describe("a mistyped token", () => {
  const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-|. ";

  /** Every text one change away from the secret: a character replaced, left out or added. */
  const oneAway = (id: string, secret: string): string[] => {
    const texts = new Set<string>();
    for (let at = 0; at <= secret.length; at++) {
      const [before, after] = [secret.slice(0, at), secret.slice(at + 1)];
      texts.add(before + after);
      for (const letter of LETTERS) texts.add(before + letter + after).add(before + letter + secret.slice(at));
    }
    texts.delete(secret);
    return [...texts].map((text) => `${id}|${text}`);
  };

  test("every one-character edit of a secret is refused before any SQL", async () => {
    const edits = (["api", "sandbox", "oauth"] as const).flatMap((kind) => oneAway("1024", newTokenSecret(kind)));
    let queries = 0;
    const db: Db = {
      ...OUTSIDE_TRANSACTION,
      query: async () => {
        queries += 1;
        return [];
      },
    };
    const holders = await Promise.all(edits.map((bearer) => authenticateToken(db, bearer, app.clock.now())));
    console.info(`tokens: ${edits.length} one-character edits, ${queries} queries`);
    expect(edits.length).toBeGreaterThanOrEqual(10_000);
    expect(holders.every((holder) => holder === null)).toBe(true);
    expect(queries).toBe(0);
  });

  test("over HTTP too: 401, and the database is not asked; an edited id is asked for and refused", async () => {
    const [id, secret] = partsOf(lab.token);
    const asked = [vi.spyOn(app.deps.pool, "query"), vi.spyOn(app.deps.pool, "connect")];
    for (const bearer of oneAway(id, secret).filter((_, index) => index % 50 === 0))
      expect((await app.call(bearer, "GET", "/menus")).status, bearer).toBe(401);
    expect(asked.map((spy) => spy.mock.calls.length)).toEqual([0, 0]);
    const ids = Array.from(id, (_, at) => id.slice(0, at) + ((Number(id[at]) + 1) % 10) + id.slice(at + 1)).filter((other) =>
      readToken(`${other}|${secret}`),
    );
    for (const other of ids) expect((await app.call(`${other}|${secret}`, "GET", "/menus")).status, other).toBe(401);
    expect(asked.map((spy) => spy.mock.calls.length)).toEqual([0, ids.length]);
    for (const spy of asked) spy.mockRestore();
  });
});

describe("a token that has ended", () => {
  /** Successes of requests that began after the revocation was answered, over two servers that share the database. */
  const lateSuccesses = async (first: TestApp, second: TestApp, count: number): Promise<number> => {
    const wanted = { kind: "api" as const, name: "short-lived", scopes: ["menu:read" as const], ratePerMinute: 1_000_000, expiresAt: null };
    const tokens = await forVenue(app.deps, lab.slug, async (ctx) => {
      const made: { id: number; token: string }[] = [];
      for (let number = 0; number < count; number++) made.push(await addToken(ctx, wanted));
      return made;
    });
    let late = 0;
    for (const { id, token } of tokens) {
      const use = () => [first, second, first, second].map((server) => server.call(token, "GET", "/categories"));
      const before = await Promise.all(use());
      expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const during = use();
      expect(await forVenue(app.deps, lab.slug, (ctx) => revokeToken(ctx, id))).toBe(true);
      const after = await Promise.all(use());
      late += after.filter(({ status }) => status !== 401).length;
      await Promise.all(during);
    }
    return late;
  };

  test("R5.1-04 is refused by every server from the next request on", async () => {
    const second = await startApp({ database: app.database });
    try {
      const late = await lateSuccesses(app, second, REVOKES);
      console.info(`tokens: ${REVOKES} revocations over 2 servers, ${late} later successes`);
      expect(late).toBe(0);
    } finally {
      await second.close();
    }
  }, 120_000);

  test("planted: a server that remembers tokens for a while is found", async () => {
    const cachingApp = await startApp({
      database: app.database,
      pool: ({ databaseUrl }) => cachingPool(openPool({ url: databaseUrl, connectionsMax: 5, log: openLog("fatal") })),
    });
    try {
      expect(await lateSuccesses(app, cachingApp, 3)).toBe(6);
    } finally {
      await cachingApp.close();
    }
  });

  test("D33 works until the moment it expires and not at that moment", async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 10_000);
    const token = await app.token(lab.slug, { expiresAt });
    app.clock.set(new Date(expiresAt.getTime() - 1).toISOString());
    expect((await app.call(token, "GET", "/menus")).status).toBe(200);
    app.clock.advance(1);
    expect((await app.call(token, "GET", "/menus")).status).toBe(401);
    app.clock.advance(1);
    expect((await app.call(token, "GET", "/menus")).status).toBe(401);
  });
});

describe("secrets at rest", () => {
  /** Everything the database holds, as text. */
  const dump = async (): Promise<string> => {
    const tables = [...(await tenantTables(app.database)), "cell", "plans", "migrations"];
    const parts = tables.map((table) => `select string_agg(t::text, '\n') as text from ${table} t`);
    return (await app.database.asOwner<{ text: string | null }>(parts.join(" union all "))).map(({ text }) => text).join("\n");
  };

  /** The secret, its random part, and both the ways bytes are commonly written. */
  const formsOf = (token: string): string[] => {
    const [, secret] = partsOf(token);
    const bytes = Buffer.from(secret);
    return [secret, secret.slice(4, 44), bytes.toString("hex"), bytes.toString("base64").slice(0, 60)];
  };

  const findsIn = (text: string, tokens: string[]): string[] => tokens.flatMap(formsOf).filter((form) => text.includes(form));

  test("R5.1-03 no token stands in the database or in the log, whatever was asked and whatever failed", async () => {
    const lines: string[] = [];
    // The server's own log hides members by name; without that, a secret that only the hiding keeps out would show.
    const log = pino({ level: "trace" }, { write: (line: string) => lines.push(line) });
    let fails = false;
    const pool = faultInjectingPool(({ text }) =>
      fails && /authenticate|insert into "items"/.test(text) ? { text: "select 1 / 0" } : null,
    );
    const config = readConfig({ DATABASE_URL: app.database.appUrl, SHUTDOWN_GRACE_MS: "0", UNAUTHENTICATED_RATE_PER_MINUTE: "1000000" });
    const deps = await openDeps(config, { log, pool: pool(config), clock: app.clock });
    const server = await buildApp(deps);
    const [id, secret] = partsOf(lab.token);
    const tokens = [lab.token, neighbour.token, `${id}|${newTokenSecret("api")}`, checkedToken(id, secret)];
    const statuses = new Set<number>();
    for (const shouldFail of [false, true])
      for (const token of tokens)
        for (const [method, url] of [
          ["GET", `/menus?access_token=${token}`],
          ["GET", `/items/1?token=${token}`],
          ["GET", `/nothing/${token}`],
          ["DELETE", "/items"],
          ["POST", "/items"],
        ] as const) {
          fails = shouldFail;
          const headers = { authorization: `Bearer ${token}`, cookie: `token=${token}`, "idempotency-key": randomUUID() };
          const payload = method === "POST" ? `{"name":"${token}"}` : undefined;
          statuses.add((await server.http.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) })).statusCode);
        }
    await server.stop();
    await deps.close();
    expect([...statuses].sort((a, b) => a - b)).toEqual([200, 401, 404, 405, 422, 500]);
    expect(lines.length).toBeGreaterThan(40);
    expect(findsIn(lines.join(""), tokens)).toEqual([]);
    expect(findsIn(await dump(), tokens)).toEqual([]);
    log.info({ headers: { authorization: `Bearer ${lab.token}` } });
    expect(findsIn(lines.join(""), tokens), "planted: a header in the log").toHaveLength(2);
    await app.database.asOwner("update tokens set name = $1 where id = $2", [lab.token, id]);
    expect(findsIn(await dump(), tokens), "planted: a token in a row").toHaveLength(2);
    await app.database.asOwner("update tokens set name = 'test' where id = $1", [id]);
  });

  const checkedToken = (id: string, secret: string): string => `${id}|${checked(`svc_sbx_${secret.slice(4, 44)}`)}`;
});

describe("D33 the last use of a token", () => {
  const countTouches = async (): Promise<number> => {
    // No request waits for the last-used update; it is done when every connection is idle.
    while (app.deps.pool.waitingCount > 0 || app.deps.pool.idleCount < app.deps.pool.totalCount) await nextTurn();
    const [row] = await app.database.asOwner<{ count: string }>("select count(*) from touches");
    return Number(row?.count);
  };
  let token: string;

  beforeAll(async () => {
    token = await app.token(lab.slug);
    await app.database.asOwner(`create table touches (at timestamptz(3) default now());
      create function note_touch() returns trigger language plpgsql security definer set search_path = app, pg_temp
        as $$ begin insert into touches default values; return null; end $$;
      create trigger note_touch after update of last_used_at on tokens for each row execute function note_touch()`);
  });

  test("D33 is written on the first use, and then at most once a minute", async () => {
    const use = () => app.call(token, "GET", "/menus");
    await use();
    expect(await countTouches()).toBe(1);
    for (const advanceMs of [0, 1, 59_998]) {
      app.clock.advance(advanceMs);
      await use();
      expect(await countTouches()).toBe(1);
    }
    app.clock.advance(1);
    await use();
    expect(await countTouches()).toBe(2);
    const [row] = await app.database.asOwner<{ last_used_at: Date }>("select last_used_at from tokens where id = $1", [partsOf(token)[0]]);
    expect(row?.last_used_at).toEqual(app.clock.now());
  });

  test("D33 is written once by many requests at the same moment", async () => {
    const before = await countTouches();
    app.clock.advance(60_000);
    await Promise.all(Array.from({ length: 40 }, () => app.call(token, "GET", "/menus")));
    expect(await countTouches()).toBe(before + 1);
  });
});
