/** Access to the MCP endpoint: which callers it authorizes, which errors it sends, and that every request is counted and logged. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "#db/pool.ts";
import { createRequestLogBuffer, type RequestLogEntry } from "#platform/activity/request-log/service.ts";
import { buildApp } from "../../src/compose/api.ts";
import { routes } from "../../src/compose/handlers.ts";
import { callMessage, LIST, listen, type McpAnswer, type McpRequestOptions, refusalOf, sendMessage } from "../support/mcp-clients.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp({ environment: { PUBLIC_URL: "https://api.comanda.example" } });
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const METADATA = "https://api.comanda.example/.well-known/oauth-protected-resource/mcp";

test("without a valid token 401, naming where to learn about the authorization server, which is where it says", async () => {
  const none = await sendMessage(app.app, null, LIST);
  expect([none.status, none.body.error.code]).toEqual([401, "unauthenticated"]);
  expect(none.headers["www-authenticate"]).toBe(`Bearer resource_metadata="${METADATA}"`);
  const wrong = await sendMessage(app.app, "1|svc_nobody", callMessage("list_menus"));
  expect([wrong.status, wrong.headers["www-authenticate"]]).toEqual([401, `Bearer error="invalid_token", resource_metadata="${METADATA}"`]);
  const metadata = await app.app.http.inject({ url: new URL(METADATA).pathname });
  expect(metadata.json()).toMatchObject({ resource: "https://api.comanda.example/mcp", bearer_methods_supported: ["header"] });
  const [issuer] = metadata.json().authorization_servers;
  const server = await app.app.http.inject({ url: "/.well-known/oauth-authorization-server" });
  expect(server.json().issuer).toBe(issuer);
  expect(metadata.json().scopes_supported).toEqual(server.json().scopes_supported);
});

test("unauthenticated requests are counted by their address", async () => {
  const narrow = await startApp({ database: app.database, environment: { UNAUTHENTICATED_RATE_PER_MINUTE: "2" } });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++) statuses.push((await sendMessage(narrow.app, "1|svc_nobody", LIST)).status);
  expect(statuses).toEqual([401, 401, 429]);
  await narrow.close();
});

test("a page of another origin is refused, also one whose name was bound to our address", async () => {
  const from = async (origin: string, host = "api.comanda.example") =>
    (await sendMessage(app.app, lab.token, LIST, { headers: { origin, host } })).status;
  expect(await from("https://api.comanda.example")).toBe(200);
  expect(await from("https://evil.example")).toBe(403);
  expect(await from("http://evil.example:4000", "evil.example:4000")).toBe(403);
  expect(await from("null")).toBe(403);
});

test("there is no stream to open and no session to end", async () => {
  for (const method of ["GET", "DELETE", "PUT", "PATCH", "OPTIONS"] as const) {
    const headers = { authorization: `Bearer ${lab.token}`, accept: "text/event-stream" };
    const answer = await app.app.http.inject({ method, url: "/mcp", headers });
    expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, "POST"]);
    expect((await app.app.http.inject({ method, url: "/mcp" })).statusCode).toBe(401);
  }
  const listenTo = {
    method: "subscriptions/listen",
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  const { body } = await sendMessage(app.app, lab.token, listenTo, { headers });
  expect(body.error.message).toContain("Subscription limit reached");
});

/** Messages that are none, and how they end. */
const ODD: [string, McpRequestOptions, number][] = [
  ["no JSON", { raw: "{" }, 400],
  ["nothing", { raw: "" }, 400],
  ["a list of messages", { raw: JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "tools/list" }]) }, 400],
  ["a text", { raw: '"tools/list"' }, 400],
  ["no message", { raw: "{}" }, 400],
  ["depth", { raw: `{"a":${"[".repeat(100)}${"]".repeat(100)}}` }, 400],
  ["a form", { raw: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }, 415],
  ["an unreadable type", { headers: { "content-type": "nonsense" } }, 415],
  ["too much", { raw: `{"a":"${"x".repeat(1024 * 1024)}"}` }, 413],
  ["a version that never was", { headers: { "mcp-protocol-version": "1999-01-01" } }, 400],
  ["a client that wants no JSON", { headers: { accept: "text/html" } }, 406],
  ["a misspelt switch", { search: "?mode=readonly" }, 422],
  ["a switch with a misspelt name", { search: "?Mode=read" }, 422],
  ["a switch set twice", { search: "?mode=read&mode=all" }, 422],
];

test.each(ODD)("%s is refused in words, counted, and tells nothing of the inside", async (_name, options, status) => {
  const token = await app.token(lab.slug, { ratePerMinute: 10 });
  const answer = await sendMessage(app.app, token, LIST, options);
  expect(answer.status).toBe(status);
  expect(answer.headers["x-ratelimit-remaining"]).toBe("9");
  expect(typeof answer.body.error.message).toBe("string");
  expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts:|\.mjs|at \w+ \(/);
});

test("over the limit, what only looks like a call is refused as well", async () => {
  const token = await app.token(lab.slug, { ratePerMinute: 1 });
  expect((await sendMessage(app.app, token, LIST)).status).toBe(200);
  const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "list_menus", arguments: {} } };
  const looks = [
    call,
    { ...call, id: {} },
    { ...call, id: 1, jsonrpc: "1" },
    { ...call, id: 1, params: { ...call.params, arguments: [] } },
    { ...call, id: 1, params: { ...call.params, arguments: null } },
  ];
  for (const look of looks)
    expect((await sendMessage(app.app, token, {}, { raw: JSON.stringify(look) })).status, JSON.stringify(look)).toBe(429);
  expect((await sendMessage(app.app, token, { ...call, id: 1 }, { headers: { accept: "text/html" } })).status).toBe(429);
});

test("over the limit, a short call is told so in its result and a long one is not read", async () => {
  const token = await app.token(lab.slug, { ratePerMinute: 1 });
  const call = (note: string) => ({ method: "tools/call", params: { name: "create_order", arguments: { note } } });
  await sendMessage(app.app, token, call(""));
  const short = await sendMessage(app.app, token, call(""));
  expect([short.status, short.body.result.isError, JSON.stringify(short.body).includes("rate_limited")]).toEqual([200, true, true]);
  const long = await sendMessage(app.app, token, call("x".repeat(100_000)));
  expect([long.status, long.body.error.code]).toEqual([429, "rate_limited"]);
});

test("a fault inside reaches the agent as server_error or service_unavailable, without a word about it", async () => {
  const broken = await buildApp(app.deps, {
    agents: {
      addressOf: () => {
        throw new Error("secret of the service");
      },
    },
  });
  const { body } = await sendMessage(broken, lab.token, callMessage("list_menus"));
  expect(refusalOf(body.result).code).toBe("server_error");
  expect(JSON.stringify(body)).not.toContain("secret");
  await broken.stop();
  const failing = await buildApp(app.deps, {
    handlers: { ...routes, createOrder: () => Promise.reject(new Error("secret of the service")) },
  });
  const key = "agent-1";
  const answer = await sendMessage(failing, lab.token, callMessage("create_order", { idempotency_key: key }));
  expect(refusalOf(answer.body.result).code).toBe("server_error");
  expect(answer.body.result.content[1].text).toContain(`idempotency_key ${key}`);
  expect(JSON.stringify(answer.body)).not.toContain("secret");
  await failing.stop();
});

const codeOf = ({ status, body }: McpAnswer): string =>
  status === 200 ? (refusalOf(body.result)?.code ?? "open") : `${status} ${body.error.code}`;

test("a suspended venue can be read and not changed, a lapsed one neither, as over HTTP", async () => {
  const standing = async (change: string) => {
    await app.database.asOwner(`update restaurants set ${change} where id = $1`, [lab.id]);
    const asked = [LIST, callMessage("list_menus"), callMessage("create_item", {})];
    const codes: string[] = [];
    for (const message of asked) codes.push(codeOf(await sendMessage(app.app, lab.token, message)));
    return codes;
  };
  expect(await standing("suspended_at = now()")).toEqual(["open", "open", "restaurant_suspended"]);
  expect(await standing("plan_until = '2026-01-01'")).toEqual(["403 plan_lapsed", "plan_lapsed", "plan_lapsed"]);
  expect(await standing("plan_until = null, suspended_at = null")).toEqual(["open", "open", "validation_failed"]);
});

test("the log of requests keeps a call as the operation it was, with the agent's own name", async () => {
  const notes: RequestLogEntry[] = [];
  const book = createRequestLogBuffer(openDb(app.deps.pool), app.deps.log);
  const server = await buildApp(app.deps, { requestLog: { ...book, add: (note) => void notes.push(note) } });
  await sendMessage(server, lab.token, callMessage("get_item", { item: 1 }), {
    headers: { "user-agent": "Helper/2" },
    remoteAddress: "203.0.113.9",
  });
  await server.stop();
  await book.stop();
  expect(notes).toMatchObject([
    {
      method: "GET",
      route: "/items/{item}",
      status: 404,
      code: "not_found",
      address: "203.0.113.9",
      client: "Helper/2",
      restaurant_id: lab.id,
    },
  ]);
});

const headOf = (length: number): string[] => [
  "POST /mcp HTTP/1.1",
  "Host: x",
  `Authorization: Bearer ${lab.token}`,
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
  `Content-Length: ${length}`,
];

const BODY = JSON.stringify({ jsonrpc: "2.0", id: 1, ...callMessage("list_menus") });

/** A client that has sent half of its call when the process gets a signal to stop, and sends the rest or hangs up. */
const stoppedMidway = async (ending: (socket: Socket) => void, stop = ({ app: { stop: drain } }: TestApp) => drain()) => {
  const server = await startApp({ database: app.database });
  const { port } = new URL(await listen(server.app));
  const socket = connect(Number(port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await once(socket, "connect");
  socket.write(`${headOf(Buffer.byteLength(BODY)).join("\r\n")}\r\n\r\n${BODY.slice(0, 10)}`);
  await sleep(100);
  const began = performance.now();
  const stopped = stop(server).then(() => performance.now() - began);
  await sleep(200);
  ending(socket);
  if (!socket.destroyed) await once(socket, "close");
  const stopMs = await stopped;
  await server.deps.close();
  return { text: Buffer.concat(chunks).toString(), stopMs };
};

test("a call that is under way at shutdown is answered; an abandoned one does not delay it", async () => {
  const { text } = await stoppedMidway((socket) => socket.write(BODY.slice(10)));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toContain('"structuredContent":{"data"');
  const givenUp = await stoppedMidway((socket) => socket.destroy());
  expect(givenUp.stopMs).toBeLessThan(3000);
});

test("planted: a process that does not wait for it refuses it", async () => {
  const insist = (socket: Socket) => {
    socket.once("data", () => socket.destroy());
    socket.write(BODY.slice(10));
  };
  const { text } = await stoppedMidway(insist, async ({ app: { http } }) => http.close());
  expect(text).toContain("service_unavailable");
});
