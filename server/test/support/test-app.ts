/** The whole application on a database of its own, with a clock that tests can move and every answer checked. */
import { readFileSync } from "node:fs";
import { helpPathOf } from "@comanda/contract/errors.ts";
import { REASONS_HEADER, REASONS_WANTED } from "@comanda/contract/reasons.ts";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { expect } from "vitest";
import { answerProblems, type CheckedAnswer, type JsonValue } from "../../../conformance/answer-check.ts";
import { forVenue } from "../../src/admin/command-context.ts";
import { type App, buildApp } from "../../src/compose/api.ts";
import { importVenue } from "../../src/compose/import-venue.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { type Deps, openDeps, openLog } from "../../src/deps.ts";
import { buildOpsServer } from "../../src/http/ops/health.ts";
import { createToken, type TokenToCreate } from "../../src/platform/programs/tokens/service.ts";
import { parseVenueFile } from "../../src/venue/setup/venue-file/service.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { reasonProblems } from "./reason-check.ts";

export { forVenue };

export type TestClock = { now(): Date; ofChange(): Date; ofDatabase(): Date; set(instant: string): void; advance(ms: number): void };

/** Stands still until it is moved. */
export const createClock = (start = "2026-11-14T12:00:00Z"): TestClock => {
  let current = new Date(start).getTime();
  return {
    now: () => new Date(current),
    ofChange: () => new Date(current),
    ofDatabase: () => new Date(current),
    set: (instant) => {
      current = new Date(instant).getTime();
    },
    advance: (ms) => {
      current += ms;
    },
  };
};

export type TestCallOptions = { body?: unknown; raw?: string | Buffer; headers?: Record<string, string> };

export type TestApp = {
  app: App;
  /** The operator's listener: `ops.inject("/readyz")`. */
  ops: FastifyInstance;
  /** Where that listener answers over HTTP; it begins to listen when it is first asked for. */
  opsUrl(): Promise<string>;
  deps: Deps;
  database: TestDatabase;
  clock: TestClock;
  /** A path below /api/v1; the answer has passed every check that holds for all answers. With a header `service-reasons` it is passed on as it is. */
  call(token: string | null, method: string, path: string, options?: TestCallOptions): Promise<TestAnswer>;
  venue(sample: SampleName, changes?: (file: VenueFile) => void): Promise<TestVenue>;
  token(slug: string, wanted?: Partial<TokenToCreate>): Promise<string>;
  close(): Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: bodies were checked against the contract; tests read them freely.
export type TestAnswer = Omit<CheckedAnswer, "body"> & { body: any };
export type TestVenue = { slug: string; id: number; token: string };
export type SampleName = "trattoria" | "gulf-cafe" | "lab" | "sandbox";

export const readSample = (name: SampleName): VenueFile =>
  parseVenueFile(readFileSync(new URL(`../../samples/${name}.json`, import.meta.url), "utf8"));

const UNLIMITED = 100_000_000;

export type TestAppOptions = {
  environment?: Record<string, string>;
  pool?: (config: Config) => pg.Pool;
  database?: TestDatabase;
  log?: Deps["log"];
};

const CONNECT_MS_MAX = 15_000;

export const startApp = async ({ environment = {}, pool, database: given, log }: TestAppOptions = {}): Promise<TestApp> => {
  const database = given ?? (await cloneDatabase());
  const clock = createClock();
  const config = readConfig({
    DATABASE_URL: database.appUrl,
    LOG_LEVEL: "fatal",
    SHUTDOWN_GRACE_MS: "0",
    UNAUTHENTICATED_RATE_PER_MINUTE: "1000000",
    PAGE_RATE_PER_MINUTE: "1000000",
    CONSOLE_RATE_PER_MINUTE: "200000",
    ...environment,
  });
  const deps = await openDeps(config, { clock, log: log ?? openLog(config.logLevel), ...(pool ? { pool: pool(config) } : {}) });
  // A shared machine can stand still for longer than a request would wait for a connection.
  deps.pool.options.connectionTimeoutMillis = CONNECT_MS_MAX;
  const app = await buildApp(deps);
  const ops = buildOpsServer(deps, () => !app.isShuttingDown());
  let opsUrl: Promise<string> | null = null;
  const token = (slug: string, wanted: Partial<TokenToCreate> = {}) =>
    forVenue(deps, slug, async (ctx) => {
      const all: TokenToCreate = { kind: "api", name: "test", scopes: ALL_SCOPES as Scope[], ratePerMinute: UNLIMITED, expiresAt: null };
      return (await createToken(ctx, { ...all, ...wanted })).token;
    });
  return {
    app,
    ops,
    opsUrl: () => (opsUrl ??= ops.listen({ host: "127.0.0.1", port: 0 })),
    deps,
    database,
    clock,
    call: (bearer, method, path, options) => call(app, bearer, method, path, options),
    token,
    async venue(name, changes) {
      const file = readSample(name);
      changes?.(file);
      const { slug, restaurant_id } = await importVenue(deps, file);
      return { slug, id: restaurant_id, token: await token(slug) };
    },
    async close() {
      await app.stop();
      await ops.close();
      await deps.close();
      if (!given) await database.drop();
    },
  };
};

const ASK_FOR_REASONS = REASONS_HEADER.toLowerCase();

/** Every call asks for reasons, so that a refusal without one fails the test that meets it. The test gets the contract's bytes. */
const withoutReasons = (sent: string, status: number, text: string): string => {
  if (status < 400 || text === "") return text;
  const { error } = JSON.parse(text);
  expect(reasonProblems(status, error), `${sent} → ${status} ${text.slice(0, 600)}`).toEqual([]);
  return error.reasons === undefined ? text : text.replace(`,"reasons":${JSON.stringify(error.reasons)}`, "");
};

const call = async (app: App, token: string | null, method: string, path: string, options: TestCallOptions = {}): Promise<TestAnswer> => {
  const { body, raw, headers = {} } = options;
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const isOwnChoice = Object.keys(headers).some((name) => name.toLowerCase() === ASK_FOR_REASONS);
  const response = await app.http.inject({
    method: method as "GET",
    url: `/api/v1${path}`,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      [ASK_FOR_REASONS]: REASONS_WANTED,
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  if (response.statusCode >= 400 && response.payload !== "")
    expect(response.headers.link, `${method} ${path}`).toBe(`<${helpPathOf(JSON.parse(response.payload).error.code)}>; rel="help"`);
  const text = isOwnChoice ? response.payload : withoutReasons(`${method} ${path}`, response.statusCode, response.payload);
  const answer: CheckedAnswer = {
    status: response.statusCode,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    text,
    body: (text === "" ? null : JSON.parse(text)) as JsonValue,
  };
  if (isOwnChoice) return answer;
  expect(answerProblems({ token, method, path }, answer), `${method} ${path} → ${answer.status} ${answer.text.slice(0, 300)}`).toEqual([]);
  return answer;
};
