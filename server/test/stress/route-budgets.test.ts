/**
 * Every route of the application: the request is counted before its body is read, and refusing it is cheap whatever it sends. In the short
 * form each route gets some of the shapes in turn.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request as requestHttp } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../src/compose/api.ts";
import { createRateLimiter, type RateLimiter } from "../../src/http/rate-limit.ts";
import {
  BODILESS,
  collectRoutes,
  type NamedRequest,
  type Route,
  type RouteCaller,
  type RouteRequest,
  requestTo,
  worstRequests,
} from "../support/all-routes.ts";
import { createUser } from "../support/console-client.ts";
import { callFixtureOf, idsForPaths } from "../support/operation-calls.ts";
import { pairScreen } from "../support/paired-screen.ts";
import { CHILD_ENVIRONMENT } from "../support/processes.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { bundled } from "../support/shared-by-files.ts";
import { startApp, type TestApp } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";
import type { FromServer } from "../support/watched-server.ts";
import { IS_LONG } from "../support/worst-requests.ts";

const REFUSAL_BYTES_MAX = 256 * 1024;
const BUSY_MS_MAX = 100;
const LIVEZ_MS_MAX = 250;
/** A request that took too long is sent again: other guests of the machine slow it once, a fault slows it each time. */
const TRIES = 3;

let app: TestApp;
let caller: RouteCaller;
let routes: Route[];
let counted: string[];
/** Its requests are not examined. */
let laterToken: string;
let watched: Awaited<ReturnType<typeof buildApp>>;

const spied = (limiter: RateLimiter): RateLimiter => ({
  ...limiter,
  count: (who, ...rest) => {
    counted.push(who);
    return limiter.count(who, ...rest);
  },
});

const createRouteCaller = async (): Promise<RouteCaller> => {
  const lab = await app.venue("lab");
  const owner = await createUser(app, lab.slug, "owner");
  const screen = await pairScreen(app, lab.slug, owner);
  const [dish] = (await app.call(lab.token, "GET", "/items?per_page=100")).body.data;
  const rows = await idsForPaths(callFixtureOf(app, lab));
  const ids = { ...rows, category: dish.category_id, file: "errors", name: "nothing.js" };
  const cookies = { cookie: owner.cookie, screen: screen.cookie };
  return {
    token: lab.token,
    ...cookies,
    slug: lab.slug,
    ids: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])),
  };
};

beforeAll(async () => {
  app = await startApp();
  caller = await createRouteCaller();
  laterToken = await app.token(caller.slug);
  const collected = collectRoutes();
  counted = [];
  watched = await buildApp(app.deps, { limiter: spied(createRateLimiter(null)), onRoute: collected.onRoute });
  // Says that the gate counts it, and has none: what the test below must find.
  watched.http.post("/planted", { config: { countedBy: "token" } }, async () => ({}));
  await watched.http.listen({ host: "127.0.0.1", port: 0 });
  routes = collected.routes();
});
afterAll(async () => {
  await watched.stop();
  await app.close();
});

const WAIT_MS = 200;
const LATER_REQUESTS = 3;

/** Answers to requests of another caller, who came later: the server had time for the earlier one. */
const answeredLater = async (port: number): Promise<void> => {
  const headers = { authorization: `Bearer ${laterToken}` };
  for (let count = 0; count < LATER_REQUESTS; count++) await (await fetch(`http://127.0.0.1:${port}/api/v1/items`, { headers })).text();
};

const tokenKey = (token: string): string => `token:${token.split("|")[0]}`;

/** The rate-limit keys counted before the body was sent; empty when none was counted though the server had time. */
const countedBeforeBody = async ({ method, path, headers }: RouteRequest): Promise<string[]> => {
  const { port } = watched.http.server.address() as AddressInfo;
  counted.length = 0;
  const socket = connect(port, "127.0.0.1");
  const lines = Object.entries({ host: "x", ...headers, "content-length": "100", connection: "close" });
  socket.on("error", () => undefined);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  const answered = once(socket, "data").catch(() => undefined);
  // Nothing holds this one up, so it goes on counting until it is answered.
  if (BODILESS.includes(method)) await answered;
  for (const end = performance.now() + WAIT_MS; performance.now() < end && counted.length === 0; )
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 2))]);
  if (counted.length === 0) await answeredLater(port);
  socket.destroy();
  return counted.filter((key) => key !== tokenKey(laterToken));
};

test("every request is counted before a byte of its body is read; with a token by that token alone, else by address", async () => {
  const uncounted: string[] = [];
  const wrong: string[] = [];
  for (const route of routes)
    for (const who of [null, caller]) {
      const keys = await countedBeforeBody(requestTo(route, caller, who));
      const isOfToken = who !== null && (route.group === "API" || route.group === "agents");
      if (keys.length === 0) uncounted.push(route.name);
      else if (isOfToken ? keys.join() !== tokenKey(caller.token) : !/\baddress:|^oauth:/.test(keys[0] ?? ""))
        wrong.push(`${route.name} ${keys}`);
    }
  const groups = Object.entries(Object.groupBy(routes, ({ group }) => group)).map(([group, ones]) => `${group} ${ones?.length}`);
  console.info(`budgets: ${routes.length} routes (${groups.join(", ")}), unauthenticated and authenticated: ${uncounted.length} uncounted`);
  expect([...new Set(uncounted)]).toEqual(["POST /planted"]);
  expect(wrong).toEqual([]);
  expect(routes.length).toBeGreaterThan(100);
});

type MeasuredServer = { port: number; measured(): Promise<Extract<FromServer, { measured: unknown }>["measured"]>; stop(): Promise<void> };

const startServer = async (environment: Record<string, string> = {}): Promise<MeasuredServer> => {
  const many = "1000000";
  const limits = {
    UNAUTHENTICATED_RATE_PER_MINUTE: many,
    OAUTH_RATE_PER_MINUTE: many,
    PAGE_RATE_PER_MINUTE: many,
    CONSOLE_RATE_PER_MINUTE: "200000",
  };
  const child: ChildProcess = fork(await bundled(fileURLToPath(new URL("../support/watched-server.ts", import.meta.url))), {
    env: {
      ...CHILD_ENVIRONMENT,
      DATABASE_URL: app.database.appUrl,
      LOG_LEVEL: "fatal",
      NOW: app.clock.now().toISOString(),
      ...limits,
      ...environment,
    },
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const next = async (): Promise<FromServer> => (await once(child, "message"))[0] as FromServer;
  const { port } = (await next()) as { port: number };
  return {
    port,
    measured: async () => {
      const answer = next();
      child.send({});
      return ((await answer) as Extract<FromServer, { measured: unknown }>).measured;
    },
    stop: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const send = (port: number, { method, path, headers, payload }: RouteRequest): Promise<{ status: number; bytes: number }> =>
  new Promise((resolve, reject) => {
    const length = payload ? { "content-length": payload.length } : {};
    const request = requestHttp({ host: "127.0.0.1", port, agent, method, path, headers: { ...headers, ...length } }, (response) => {
      let bytes = 0;
      const status = response.statusCode ?? 0;
      const done = (): void => resolve({ status, bytes });
      response.on("data", (part: Buffer) => (bytes += part.length)).once("end", done);
      // A line that stays open says nothing more.
      if (response.headers["content-type"] === "text/event-stream" && status === 200 && method === "GET") {
        response.destroy();
        done();
      }
    });
    request.once("error", reject).end(payload ?? undefined);
  });

type RouteFigures = {
  requests: number;
  refusals: number;
  refusalBytes: number;
  busyMs: number;
  livezMs: number;
  livezOwnMs: number;
  livezCount: number;
};
type RouteVerdict = { figures: RouteFigures; problems: string[]; slow: string[]; costliest: string[] };

type MeasuredRequest = Awaited<ReturnType<typeof send>> & { measured: Awaited<ReturnType<MeasuredServer["measured"]>> };

const measureRequest = async (server: MeasuredServer, request: RouteRequest): Promise<MeasuredRequest> => {
  for (let tries = 1; ; tries++) {
    const answer = await send(server.port, request);
    const measured = await server.measured();
    if ((measured.busyMs <= BUSY_MS_MAX && measured.livezOwnMs <= LIVEZ_MS_MAX) || tries === TRIES) return { ...answer, measured };
  }
};

const measureRoutes = async (server: MeasuredServer, asked: NamedRequest[]): Promise<RouteVerdict> => {
  const figures: RouteFigures = { requests: 0, refusals: 0, refusalBytes: 0, busyMs: 0, livezMs: 0, livezOwnMs: 0, livezCount: 0 };
  const [problems, slow]: [string[], string[]] = [[], []];
  const costs: { name: string; busyMs: number }[] = [];
  await server.measured();
  for (const { name, request } of asked) {
    const { status, bytes, measured } = await measureRequest(server, request);
    const refusalBytes = status >= 400 ? bytes : 0;
    for (const [field, value] of Object.entries({ ...measured, refusalBytes }) as [keyof RouteFigures, number][])
      figures[field] = Math.max(figures[field], value);
    figures.requests++;
    if (status >= 400) figures.refusals++;
    costs.push({ name: `${name}: ${measured.busyMs.toFixed(0)} ms, ${status}, ${bytes} bytes`, busyMs: measured.busyMs });
    // The console's pages say 503 where it was not built.
    if (status >= 500 && !(status === 503 && !request.path.startsWith(CONSOLE_PREFIX) && request.path.startsWith("/console")))
      problems.push(`${name}: ${status}`);
    if (refusalBytes > REFUSAL_BYTES_MAX) problems.push(`${name}: a refusal of ${refusalBytes} bytes`);
    if (measured.busyMs > BUSY_MS_MAX) slow.push(`${name}: busy for ${measured.busyMs.toFixed(0)} ms`);
    if (measured.livezOwnMs > LIVEZ_MS_MAX) slow.push(`${name}: /livez waited ${measured.livezOwnMs.toFixed(0)} ms`);
  }
  // The last request to /livez may still be waiting.
  await sleep(100);
  const { livezOwnMs } = await server.measured();
  if (livezOwnMs > LIVEZ_MS_MAX) slow.push(`at the end: /livez waited ${livezOwnMs.toFixed(0)} ms`);
  const costliest = costs
    .sort((a, b) => b.busyMs - a.busyMs)
    .slice(0, 5)
    .map(({ name }) => name);
  return { figures, problems, slow, costliest };
};

/** Whether it makes no difference who asks. */
const isOpen = ({ group }: Route): boolean => group === "pages" || group === "OAuth";

/** Last: they end the session that the others need. */
const isEnding = ({ method, url }: Route): boolean => method === "DELETE" && /\/sessions?$/.test(url);

test("the worst that fits: no refusal above 256 kB, no stretch above 100 ms, and /livez within 250 ms", async (context) => {
  const timing = beginTiming(context);
  const server = await startServer();
  const ordered = routes.filter(({ url }) => url !== "/planted").sort((a, b) => Number(isEnding(a)) - Number(isEnding(b)));
  const asked = ordered.flatMap((route, turn) => [
    ...worstRequests(route, caller, null, turn).slice(0, isOpen(route) || IS_LONG ? undefined : 1),
    ...(isOpen(route) && !IS_LONG ? [] : worstRequests(route, caller, caller, turn)),
  ]);
  const { figures, problems, slow, costliest } = await measureRoutes(server, asked);
  await server.stop();
  console.info(`budgets: ${JSON.stringify(figures)}\n  ${costliest.join("\n  ")}`);
  expect(problems).toEqual([]);
  timing.judge(() => expect(slow).toEqual([]));
});

/** When the wait of /livez is over, the next request may have begun. */
const kindsOf = ({ problems, slow }: RouteVerdict): Set<string> =>
  new Set([...problems, ...slow].map((problem) => problem.replaceAll(/\d+/g, "N").replace(/^.*: \/livez/, "/livez")));

test("planted: a handler that is busy for 400 ms, the requests that wait for it, and a refusal of 300 kB are found", async () => {
  const server = await startServer({ PLANTED: "true" });
  const post = { method: "POST", headers: {}, payload: null };
  const asked = ["busy", "long"].map((name) => ({ name, request: { ...post, path: `/planted/${name}` } }));
  const expected = new Set(["busy: busy for N ms", "/livez waited N ms", "long: a refusal of N bytes"]);
  // The thread that asks /livez may have had no core while the handler was busy.
  const found = await repeatUntilDetected(
    async () => kindsOf(await measureRoutes(server, asked)),
    (kinds) => kinds.isSupersetOf(expected),
  );
  await server.stop();
  expect(found).toEqual(expected);
});
