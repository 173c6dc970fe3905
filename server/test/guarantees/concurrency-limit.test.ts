/** The concurrency limit: a request frees its slot however it ends. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendMessage } from "../support/mcp-clients.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const CONCURRENT_MAX = 3;

let app: TestApp;
let venue: TestVenue;
let port: number;

beforeAll(async () => {
  app = await startApp({ environment: { MAX_CONCURRENT_REQUESTS: String(CONCURRENT_MAX) } });
  venue = await app.venue("lab");
  port = Number(new URL(await app.app.http.listen({ host: "127.0.0.1", port: 0 })).port);
});
afterAll(() => app.close());

/** Sends a request, or the beginning of one, and hangs up after a moment. */
const disconnectAfter = async (ms: number, text: string): Promise<void> => {
  const socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  socket.write(text);
  await sleep(ms);
  socket.destroy();
};

test.each([
  ["before the answer", "GET /api/v1/menus HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\n\r\n"],
  [
    "before the body was whole",
    "POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  ],
])("clients who hang up %s leave their places", async (_when, text) => {
  for (let n = 0; n < CONCURRENT_MAX * 15; n++) await disconnectAfter(n % 5, text.replace("TOKEN", venue.token));
  // What some of them have asked for may still be under way.
  const askAtOnce = () =>
    Promise.all(Array.from({ length: CONCURRENT_MAX }, async () => (await app.call(venue.token, "GET", "/menus")).status));
  await expect.poll(askAtOnce, { interval: 100, timeout: 60_000 }).toEqual(Array(CONCURRENT_MAX).fill(200));
});

test("a request whose body arrives slowly takes no slot", async () => {
  const slow = Array.from({ length: CONCURRENT_MAX * 2 }, () => connect({ port, host: "127.0.0.1" }));
  for (const socket of slow) {
    await once(socket, "connect");
    socket.write(
      `POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${venue.token}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
  }
  await sleep(200);
  expect((await app.call(venue.token, "GET", "/menus")).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test("more at once than there are places: the others are refused at once, and told when to come again", async () => {
  const answers = await Promise.all(Array.from({ length: CONCURRENT_MAX * 4 }, () => app.call(venue.token, "GET", "/menus")));
  const refused = answers.filter(({ status }) => status === 503);
  expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([CONCURRENT_MAX, CONCURRENT_MAX * 3]);
  for (const { headers, body } of refused) expect([headers.get("retry-after"), body.error.code]).toEqual(["1", "service_unavailable"]);
});

test("messages of agents need a place as well, and a call has that of its message", async () => {
  const call = { method: "tools/call", params: { name: "list_menus", arguments: {} } };
  const answers = await Promise.all(Array.from({ length: CONCURRENT_MAX * 4 }, () => sendMessage(app.app, venue.token, call)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(CONCURRENT_MAX);
  expect(statuses.filter((status) => status === 503)).toHaveLength(CONCURRENT_MAX * 3);
  expect(answers.filter(({ body }) => body?.result?.isError)).toEqual([]);
});
