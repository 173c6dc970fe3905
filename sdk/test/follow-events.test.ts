/** The client follows the event feed of a running service, over lost answers and from a stored position. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError, type ClientOptions, ConnectionError, createClient, type FollowedEvent, type FollowOptions } from "../src/index.ts";
import { waitMs } from "../src/retries.ts";
import { errorResponse, interceptFetch, type RunningService, startService } from "./running-service.ts";

let service: RunningService;
let dishId: number;
beforeAll(async () => {
  service = await startService();
  const { data } = (await service.app.call(service.venue.token, "GET", "/items?available=true&per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(() => service.close());

const open = (fetchWith = fetch, options: Partial<ClientOptions> = {}) =>
  createClient({ rootUrl: service.rootUrl, token: service.venue.token, fetch: fetchWith, ...options });

const place = async (): Promise<string> => {
  const body = { type: "pickup" as const, customer_name: "Ada", customer_phone: "+44 1", lines: [{ item_id: dishId, quantity: 1 }] };
  return (await open().orders.create(body)).data.id;
};

const orderOf = ({ event }: FollowedEvent): string => (event.type === "order.created" ? event.data.order.id : event.type);

test("follow tells each order once and in order, though every second answer is lost, and goes on from a stored position", async () => {
  const { fetch: lossy } = interceptFetch(async (call, index) => {
    if (index % 2 === 1) return undefined;
    await fetch(call.url, { headers: call.headers });
    throw new TypeError("the answer is lost");
  });
  const start = (await open().events.list({ after: "latest" })).meta.cursor;
  const placed = [await place(), await place(), await place()];
  const seen: FollowedEvent[] = [];
  for await (const one of open(lossy).events.follow({ after: start, types: ["order.created"] })) {
    seen.push(one);
    if (seen.length === 3) placed.push(await place());
    if (seen.length === 4) break;
  }
  expect(seen.map(orderOf)).toEqual(placed);
  for await (const one of open().events.follow({ after: seen[1]?.cursor ?? "", types: ["order.created"] })) {
    expect(orderOf(one)).toBe(placed[2]);
    break;
  }
}, 30_000);

test("a signal ends it while it waits, and a position tells how far it has read", async () => {
  const stop = new AbortController();
  const { fetch: watched, calls } = interceptFetch(() => undefined);
  const following = (async () => {
    for await (const _ of open(watched).events.follow({ after: "latest", signal: stop.signal }));
  })();
  await expect.poll(() => calls.length).toBe(1);
  stop.abort(new Error("closing time"));
  await expect(following).rejects.toThrow("closing time");
});

test("410 ends it with a position to start over from", async () => {
  const { meta } = await open().events.list({ after: "latest" });
  // The position is of this venue, but of a database that is no longer there.
  const gone = meta.cursor.replace(/\.[\s\S]*$/, ".another-database");
  const error = await open()
    .events.follow({ after: gone })
    .next()
    .catch((thrown: unknown) => thrown as ApiError);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 410, code: "cursor_expired", details: { latest: expect.any(String) } });
});

const latest = async (): Promise<string> => (await open().events.list({ after: "latest" })).meta.cursor;

/** The next orders, as many as are asked for. */
const take = async (following: AsyncGenerator<FollowedEvent, void, undefined>, count: number): Promise<string[]> => {
  const seen: string[] = [];
  for await (const one of following) {
    seen.push(orderOf(one));
    if (seen.length === count) break;
  }
  return seen;
};

const following = (client: ReturnType<typeof open>, options: FollowOptions) =>
  client.events.follow({ types: ["order.created"], ...options });

describe("requests", () => {
  test("a busy venue costs twenty a minute: what comes within three seconds comes together", async () => {
    const after = await latest();
    const startedAt: number[] = [];
    const { fetch: watched } = interceptFetch(() => void startedAt.push(performance.now()));
    const placed = [await place()];
    const seen: string[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      for await (const one of following(open(watched), { after, signal: stop.signal })) seen.push(orderOf(one));
    })().catch(() => undefined);
    for (const until = performance.now() + 5000; performance.now() < until; await sleep(50)) placed.push(await place());
    await expect.poll(() => seen).toEqual(placed);
    stop.abort();
    await reading;
    expect(placed.length).toBeGreaterThan(10);
    const gaps = startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(0);
    expect(Math.min(...gaps)).toBeGreaterThan(2900);
  });

  test("the first event after a pause comes at once, and what is there already is read without a pause", async () => {
    const after = await latest();
    const { fetch: small, calls } = interceptFetch(({ url, headers }) => fetch(`${url}&limit=2`, { headers }));
    const placed = [await place(), await place(), await place(), await place()];
    expect(await take(following(open(small), { after, gatherMs: 600_000 }), 4)).toEqual(placed);
    expect(calls).toHaveLength(2);
  });

  test("a client whose attempts are shorter than the wait is quiet on a quiet venue", async () => {
    const after = await latest();
    const retries: unknown[] = [];
    const client = open(fetch, { timeoutMs: 200, onRetry: (retry) => retries.push(retry) });
    const next = take(following(client, { after }), 1);
    await sleep(1500);
    expect([await place()]).toEqual(await next);
    expect(retries).toEqual([]);
  });
});

describe("failures", () => {
  const FAILURES: (() => Response)[] = [408, 429, 500, 502, 503, 504, 429, 503].map(
    (status) => () => errorResponse(status, "busy", { "retry-after": "0" }),
  );

  test("what can pass is tried again for as long as it lasts, and is told", async () => {
    const after = await latest();
    const { fetch: failing, calls } = interceptFetch((_call, index) => {
      if (index === 0) throw new TypeError("no network");
      return FAILURES[index - 1]?.();
    });
    const placed = await place();
    const told: [number, string][] = [];
    const onRetry: FollowOptions["onRetry"] = ({ attempt, error }) =>
      told.push([attempt, error instanceof ApiError ? String(error.status) : error.name]);
    const client = open(failing, { retries: 0 });
    expect(await take(following(client, { after, onRetry }), 1)).toEqual([placed]);
    expect(told.map(([, what]) => what)).toEqual(["ConnectionError", "408", "429", "500", "502", "503", "504", "429", "503"]);
    expect(told.map(([attempt]) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(calls).toHaveLength(10);
  });

  test("a wait of hours that the service asks for does not end it; the signal does", async () => {
    const stop = new AbortController();
    const { fetch: away } = interceptFetch(() => errorResponse(503, "service_unavailable", { "retry-after": "7200" }));
    const waits: number[] = [];
    const onRetry: FollowOptions["onRetry"] = ({ waitMs: ms }) => {
      waits.push(ms);
      setTimeout(() => stop.abort(new Error("closing time")), 20);
    };
    await expect(following(open(away), { after: await latest(), signal: stop.signal, onRetry }).next()).rejects.toThrow("closing time");
    expect(waits).toEqual([expect.closeTo(7_200_000, -4)]);
  });

  test("without a word from the service the waits grow to some ten seconds, and no further", () => {
    const error = new ConnectionError("away", null, false);
    const waits = [0, 3, 10, 100, 5000].map((attempt) => waitMs(attempt, error, Number.POSITIVE_INFINITY) ?? 0);
    expect(waits[0]).toBeLessThan(1000);
    for (const ms of waits.slice(2)) expect([ms >= 7500, ms <= 12_500]).toEqual([true, true]);
  });

  test.each([401, 403, 404, 410, 422])("%i ends it at once", async (status) => {
    const { fetch: refusing, calls } = interceptFetch(() => errorResponse(status, "no"));
    await expect(following(open(refusing), { after: "1.1-1.1.1.1" }).next()).rejects.toMatchObject({ status });
    expect(calls).toHaveLength(1);
  });
});
