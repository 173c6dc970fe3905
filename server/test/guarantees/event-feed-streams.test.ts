/** A stream of the event feed: where it goes on, what it costs, and how it ends. */
import { get } from "node:http";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "#compose/api.ts";
import { routes } from "#compose/handlers.ts";
import type { Handlers } from "#http/api/operations.ts";
import { storedRows } from "#http/reply.ts";
import { askFeed, listenFor, openFeedStream } from "../support/event-feed.ts";
import { addToken } from "../support/many-tokens.ts";
import { plainDish } from "../support/operation-calls.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let url: string;
let itemId: number;
/** In a venue where nothing happens, open while the other tests run. */
let silent: Awaited<ReturnType<typeof openFeedStream>>;

beforeAll(async () => {
  app = await startApp({ environment: { RATE_PER_MINUTE: "1000000" } });
  lab = await app.venue("lab");
  url = await listenFor(app.app);
  itemId = await plainDish(app.database, lab.id);
  silent = await openFeedStream(url, (await app.venue("gulf-cafe")).token, { after: "latest" });
});
afterAll(() => app.close());

const latest = async (token = lab.token): Promise<string> => (await askFeed(url, token, { after: "latest" })).body.meta.cursor;

const place = async (): Promise<string> => {
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "+39 06 1", lines: [{ item_id: itemId, quantity: 1 }] };
  const answer = await app.call(lab.token, "POST", "/orders", { body });
  expect(answer.status).toBe(201);
  return answer.body.data.id;
};

test("has the bytes of each event with its position, and goes on from Last-Event-ID", async () => {
  const after = await latest();
  const stream = await openFeedStream(url, lab.token, { after, types: "order.created" });
  expect(stream.status).toBe(200);
  const placed = [await place(), await place(), await place()];
  await expect.poll(() => stream.events().length).toBe(3);
  const { text } = await askFeed(url, lab.token, { after, types: "order.created" });
  expect(text).toContain(
    stream
      .events()
      .map(({ data }) => data)
      .join(","),
  );
  // The address still has the position that the client began with.
  const headers = { "last-event-id": stream.events()[0]?.id };
  const again = await openFeedStream(url, lab.token, { after, types: "order.created" }, headers);
  await expect.poll(() => again.events().length).toBe(2);
  expect(again.events().map(({ data }) => (JSON.parse(data) as { data: { order: { id: string } } }).data.order.id)).toEqual(
    placed.slice(1),
  );
  for (const one of [stream, again]) one.close();
});

test("an error comes before it begins; Accept alone asks for it", async () => {
  expect((await openFeedStream(url, lab.token, { after: "x" })).status).toBe(422);
  expect((await openFeedStream(url, "1|x")).status).toBe(401);
  expect((await openFeedStream(url, lab.token, { after: "latest" }, { accept: "application/json" })).text()).not.toContain("retry:");
});

test("each further page of a backlog counts as a request: over the rate the stream ends, and the next request gets 429", async () => {
  const { token } = await forVenue(app.deps, lab.slug, (ctx) =>
    addToken(ctx, { kind: "api", name: "stream", ratePerMinute: 4, expiresAt: null, scopes: ["orders:read"] }),
  );
  const after = await latest(token);
  for (let turn = 0; turn < 8; turn++) await place();
  const stream = await openFeedStream(url, token, { after, types: "order.created", limit: 1 });
  await expect.poll(() => stream.isEnded()).toBe(true);
  expect(stream.events()).toHaveLength(3);
  expect((await openFeedStream(url, token, { after: stream.lastId() })).status).toBe(429);
});

test("a client that does not read is cut off when the service stops", async () => {
  const large = "x".repeat(32 * 1024 * 1024);
  const listEvents: Handlers["listEvents"] = async (ctx, input) => {
    const page = await routes.listEvents(ctx, input);
    return { ...page, data: storedRows([large]), meta: { ...(page.meta as object), cursors: ["1"] } };
  };
  const server = await buildApp(app.deps, { handlers: { ...routes, listEvents } });
  const at = await listenFor(server);
  const headers = { authorization: `Bearer ${lab.token}`, accept: "text/event-stream" };
  const socket = await new Promise<Readable>((resolve) => void get(`${at}?after=latest`, { headers, agent: false }, resolve));
  socket.on("error", () => undefined);
  const stopped = server.stop().then(() => "stopped");
  expect(await Promise.race([stopped, sleep(5000, "hangs")])).toBe("stopped");
  socket.destroy();
  await stopped;
}, 15_000);

test("streams and waiting calls end when the service stops", async () => {
  const stopping = await startApp({ database: app.database });
  const at = await listenFor(stopping.app);
  const stream = await openFeedStream(at, lab.token, { after: "latest" });
  const waiting = askFeed(at, lab.token, { after: "latest", wait: 20 });
  await sleep(300);
  const startedAt = performance.now();
  await stopping.close();
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect([(await waiting).status, stream.isEnded()]).toEqual([200, true]);
}, 15_000);

test("sends a heartbeat, so that a silent connection is not closed", async () => {
  await expect.poll(() => silent.text(), { timeout: 15_000, interval: 200 }).toMatch(/^: /m);
  expect(silent.isEnded()).toBe(false);
  silent.close();
}, 20_000);
