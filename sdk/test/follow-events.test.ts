/** The client follows the event feed of a running service, over lost answers and from a stored position. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError, createClient, type FollowedEvent } from "../src/index.ts";
import { interceptFetch, type RunningService, startService } from "./running-service.ts";

let service: RunningService;
let dishId: number;
beforeAll(async () => {
  service = await startService();
  const { data } = (await service.app.call(service.venue.token, "GET", "/items?available=true&per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(() => service.close());

const open = (fetchWith = fetch) => createClient({ rootUrl: service.rootUrl, token: service.venue.token, fetch: fetchWith });

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
  const gone = meta.cursor.replace(/\d+$/, "1000000000000");
  const error = await open()
    .events.follow({ after: gone })
    .next()
    .catch((thrown: unknown) => thrown as ApiError);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 410, code: "cursor_expired", details: { latest: expect.any(String) } });
});
