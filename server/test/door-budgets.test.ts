/** Every route of every door, taken from the application: counted before its body is read, and cheap to refuse whatever is sent. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request as requestHttp } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CONSOLE_PREFIX } from "@comanda/contract/console-operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../src/app.ts";
import { createRateLimiter, type RateLimiter } from "../src/http/rate-limit.ts";
import { startApp, type TestApp } from "./app.ts";
import { hire } from "./console.ts";
import {
  BODILESS,
  collectRoutes,
  type DoorRequest,
  type Named,
  type Route,
  requestTo,
  type Somebody,
  worstRequests,
} from "./door-routes.ts";
import type { FromServer } from "./watched-server.ts";
import { IS_LONG } from "./worst-requests.ts";

const REFUSAL_BYTES_MAX = 256 * 1024;
const BUSY_MS_MAX = 100;
const LIVEZ_MS_MAX = 250;

let app: TestApp;
let somebody: Somebody;
let routes: Route[];
let counted: string[];
let watched: Awaited<ReturnType<typeof buildApp>>;

const spied = (limiter: RateLimiter): RateLimiter => ({
  ...limiter,
  count: (who, ...rest) => {
    counted.push(who);
    return limiter.count(who, ...rest);
  },
});

const findSomebody = async (): Promise<Somebody> => {
  const lab = await app.venue("lab");
  const { cookie } = await hire(app, lab.slug, "owner");
  const read = async (path: string) => (await app.call(lab.token, "GET", path)).body.data;
  const make = async (path: string, body: object) => (await app.call(lab.token, "POST", path, { body })).body.data.id;
  const dishes = await read("/items?per_page=100");
  const dish = dishes.find((item: { name: { en: string } }) => item.name.en === "Plain Plate");
  const order = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: dish.id, quantity: 1 }] };
  const reservation = { name: "Ada", phone: "+1 555 0100", date: "2026-11-20", time: "19:00", party_size: 2 };
  const ids = {
    item: dish.id,
    category: dish.category_id,
    menu: (await read("/menus"))[0].id,
    guest: (await read("/guests"))[0].id,
    order: await make("/orders", order),
    reservation: await make("/reservations", reservation),
    file: "errors",
    name: "nothing.js",
  };
  return { token: lab.token, cookie, slug: lab.slug, ids: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])) };
};

beforeAll(async () => {
  app = await startApp();
  somebody = await findSomebody();
  const collected = collectRoutes();
  counted = [];
  watched = await buildApp(app.deps, { limiter: spied(createRateLimiter(null)), onRoute: collected.onRoute });
  // Says that the gate counts it, and has none: what the test below must find.
  watched.http.post("/planted", { config: { countedBy: "gate" } }, async () => ({}));
  await watched.http.listen({ host: "127.0.0.1", port: 0 });
  routes = collected.routes();
});
afterAll(async () => {
  await watched.stop();
  await app.close();
});

/** Who was counted while the body was still outstanding; empty when nobody was, though the server had time. */
const countedBeforeBody = async ({ method, path, headers }: DoorRequest): Promise<string[]> => {
  const { port } = watched.http.server.address() as AddressInfo;
  counted.length = 0;
  const socket = connect(port, "127.0.0.1");
  const lines = Object.entries({ host: "x", ...headers, "content-length": "100", connection: "close" });
  socket.on("error", () => undefined);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  const answered = once(socket, "data").catch(() => undefined);
  // Nothing holds this one up, so it goes on counting until it is answered.
  if (BODILESS.includes(method)) await answered;
  for (const deadline = performance.now() + 1500; performance.now() < deadline && counted.length === 0; )
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 2))]);
  socket.destroy();
  return [...counted];
};

test("every request is counted before a byte of its body is read; with a token by that token alone, else by address", async () => {
  const uncounted: string[] = [];
  const wrong: string[] = [];
  const [tokenId = ""] = somebody.token.split("|");
  for (const route of routes)
    for (const who of [null, somebody]) {
      const keys = await countedBeforeBody(requestTo(route, somebody, who));
      const isOfToken = who !== null && (route.door === "API" || route.door === "agents");
      if (keys.length === 0) uncounted.push(route.name);
      else if (isOfToken ? keys.join() !== `token:${tokenId}` : !/\baddress:|^oauth:/.test(keys[0] ?? ""))
        wrong.push(`${route.name} ${keys}`);
    }
  const doors = Object.entries(Object.groupBy(routes, ({ door }) => door)).map(([door, ones]) => `${door} ${ones?.length}`);
  console.info(`budgets: ${routes.length} routes (${doors.join(", ")}), as a stranger and as somebody: ${uncounted.length} uncounted`);
  expect([...new Set(uncounted)]).toEqual(["POST /planted"]);
  expect(wrong).toEqual([]);
  expect(routes.length).toBeGreaterThan(100);
});

type Server = { port: number; measured(): Promise<Extract<FromServer, { measured: unknown }>["measured"]>; stop(): Promise<void> };

const startServer = async (environment: Record<string, string> = {}): Promise<Server> => {
  const many = "1000000";
  const limits = {
    UNAUTHENTICATED_RATE_PER_MINUTE: many,
    OAUTH_RATE_PER_MINUTE: many,
    PAGE_RATE_PER_MINUTE: many,
    CONSOLE_RATE_PER_MINUTE: "200000",
  };
  const child: ChildProcess = fork(fileURLToPath(new URL("./watched-server.ts", import.meta.url)), {
    env: {
      PATH: process.env.PATH,
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

const send = (port: number, { method, path, headers, payload }: DoorRequest): Promise<{ status: number; bytes: number }> =>
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

type Figures = {
  requests: number;
  refusals: number;
  refusalBytes: number;
  busyMs: number;
  livezMs: number;
  livezOwnMs: number;
  livezCount: number;
};
type Judged = { figures: Figures; problems: string[]; costliest: string[] };

const judge = async (server: Server, asked: Named[]): Promise<Judged> => {
  const figures: Figures = { requests: 0, refusals: 0, refusalBytes: 0, busyMs: 0, livezMs: 0, livezOwnMs: 0, livezCount: 0 };
  const problems: string[] = [];
  const costs: { name: string; busyMs: number }[] = [];
  await server.measured();
  for (const { name, request } of asked) {
    const { status, bytes } = await send(server.port, request);
    const measured = await server.measured();
    const refusalBytes = status >= 400 ? bytes : 0;
    for (const [field, value] of Object.entries({ ...measured, refusalBytes }) as [keyof Figures, number][])
      figures[field] = Math.max(figures[field], value);
    figures.requests++;
    if (status >= 400) figures.refusals++;
    costs.push({ name: `${name}: ${measured.busyMs.toFixed(0)} ms, ${status}, ${bytes} bytes`, busyMs: measured.busyMs });
    // The console's pages say 503 where it was not built.
    if (status >= 500 && !(status === 503 && !request.path.startsWith(CONSOLE_PREFIX) && request.path.startsWith("/console")))
      problems.push(`${name}: ${status}`);
    if (refusalBytes > REFUSAL_BYTES_MAX) problems.push(`${name}: a refusal of ${refusalBytes} bytes`);
    if (measured.busyMs > BUSY_MS_MAX) problems.push(`${name}: busy for ${measured.busyMs.toFixed(0)} ms`);
    if (measured.livezOwnMs > LIVEZ_MS_MAX) problems.push(`${name}: /livez waited ${measured.livezOwnMs.toFixed(0)} ms`);
  }
  // Whoever asked /livez last may still be waiting.
  await sleep(100);
  const { livezOwnMs } = await server.measured();
  if (livezOwnMs > LIVEZ_MS_MAX) problems.push(`at the end: /livez waited ${livezOwnMs.toFixed(0)} ms`);
  const costliest = costs
    .sort((a, b) => b.busyMs - a.busyMs)
    .slice(0, 5)
    .map(({ name }) => name);
  return { figures, problems, costliest };
};

/** Whether it makes no difference who asks. */
const isOpen = ({ door }: Route): boolean => door === "pages" || door === "OAuth";

/** Last: they end the session that the others need. */
const isEnding = ({ method, url }: Route): boolean => method === "DELETE" && /\/sessions?$/.test(url);

test("the worst that fits: no refusal above 256 kB, no stretch above 100 ms, and /livez within 250 ms", { timeout: 300_000 }, async () => {
  const server = await startServer();
  const ordered = routes.filter(({ url }) => url !== "/planted").sort((a, b) => Number(isEnding(a)) - Number(isEnding(b)));
  const asked = ordered.flatMap((route) => [
    ...worstRequests(route, somebody, null).slice(0, isOpen(route) || IS_LONG ? undefined : 2),
    ...(isOpen(route) && !IS_LONG ? [] : worstRequests(route, somebody, somebody)),
  ]);
  const { figures, problems, costliest } = await judge(server, asked);
  await server.stop();
  console.info(`budgets: ${JSON.stringify(figures)}\n  ${costliest.join("\n  ")}`);
  expect(problems).toEqual([]);
});

test("planted: a handler that works for 400 ms, whoever waits meanwhile, and a refusal of 300 kB are found", async () => {
  const server = await startServer({ PLANTED: "true" });
  const post = { method: "POST", headers: {}, payload: null };
  const asked = ["busy", "long"].map((name) => ({ name, request: { ...post, path: `/planted/${name}` } }));
  const { problems } = await judge(server, asked);
  await server.stop();
  const kinds = problems.map((problem) => problem.replaceAll(/\d+/g, "N"));
  // When the wait of /livez is over, the next request may have begun.
  expect(new Set(kinds.map((kind) => kind.replace(/^.*: \/livez/, "/livez")))).toEqual(
    new Set(["busy: busy for N ms", "/livez waited N ms", "long: a refusal of N bytes"]),
  );
});
