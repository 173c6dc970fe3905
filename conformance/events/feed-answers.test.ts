/** The event feed, an addition to version 1: what a client needs to miss nothing, as far as answers show it. */
import type { EventBody } from "@comanda/contract/events/envelope.ts";
import { describe, expect, test } from "vitest";
import type { CheckedAnswer } from "../answer-check.ts";
import { addressOf, call, type Query } from "../client.ts";
import { errorOf, expectInvalid, expectRefused, expectStatus } from "../expectations.ts";
import { placeOrder } from "../orders/orders.ts";
import { lab, neighbour, type Venue } from "../target.ts";

type FeedPage = {
  data: (EventBody<"order.created"> | EventBody<"ping">)[];
  meta: { count: number; cursor: string; has_more: boolean; cursors: string[] };
};

const ask = (venue: Venue, query: Query, token = venue.tokens.full): Promise<CheckedAnswer> => call(token, "GET", "/events", { query });

const pageOf = async (answering: Promise<CheckedAnswer>): Promise<FeedPage> => {
  const answer = await answering;
  expectStatus(answer, 200);
  return answer.body as unknown as FeedPage;
};

const latest = async (venue: Venue): Promise<string> => (await pageOf(ask(venue, { after: "latest" }))).meta.cursor;

const ordersIn = ({ data }: FeedPage): string[] => data.flatMap((event) => (event.type === "order.created" ? [event.data.order.id] : []));

describe("the event feed", () => {
  test("R9-01 tells each order once, in the order in which they were placed, in pages of any size", async () => {
    const start = await latest(lab);
    const placed = [await placeOrder(lab), await placeOrder(lab), await placeOrder(lab)].map(({ id }) => id);
    for (const limit of [1, 2, 100]) {
      const seen: string[] = [];
      for (let after = start, hasMore = true; hasMore; ) {
        const page = await pageOf(ask(lab, { after, limit, types: "order.created" }));
        expect(page.data.length).toBeLessThanOrEqual(limit);
        expect(page.meta.cursors).toHaveLength(page.data.length);
        seen.push(...ordersIn(page));
        after = page.meta.cursor;
        hasMore = page.meta.has_more;
      }
      expect(seen.filter((id) => placed.includes(id))).toEqual(placed);
    }
  });

  test("R9-01 a position behind an event goes on with the next one", async () => {
    const start = await latest(lab);
    const [first, second] = [await placeOrder(lab), await placeOrder(lab)];
    const page = await pageOf(ask(lab, { after: start, types: "order.created" }));
    // Other files place orders at the same time.
    const after = page.meta.cursors[ordersIn(page).indexOf(first.id)] ?? "";
    const behind = ordersIn(await pageOf(ask(lab, { after, types: "order.created" })));
    expect(behind).toContain(second.id);
    expect(behind).not.toContain(first.id);
  });

  test("R9-01 a call that waits is answered when an order is placed", async () => {
    let after = await latest(lab);
    const waitForOrders = async (): Promise<string[]> => {
      const page = await pageOf(ask(lab, { after, wait: 20, types: "order.created" }));
      after = page.meta.cursor;
      return ordersIn(page);
    };
    const waiting = waitForOrders();
    const { id } = await placeOrder(lab);
    const seen = await waiting;
    // The first answer may be about an order that another file placed.
    while (!seen.includes(id)) seen.push(...(await waitForOrders()));
    expect(seen.filter((one) => one === id)).toEqual([id]);
  }, 30_000);

  test("R9-01 as a stream it has the same events", async () => {
    const after = await latest(lab);
    const { id } = await placeOrder(lab);
    const stop = new AbortController();
    const response = await fetch(addressOf("/events", { after, types: "order.created" }), {
      headers: { authorization: `Bearer ${lab.tokens.full}`, accept: "text/event-stream" },
      signal: stop.signal,
    });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    let text = "";
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    const told = (): EventBody<"order.created">[] => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = "{}"]) => JSON.parse(data));
    while (!new RegExp(`^data: .*${id}.*\\n\\n`, "m").test(text)) text += (await reader.read()).value ?? "";
    stop.abort();
    const whole = text.slice(0, text.lastIndexOf("\n\n") + 2);
    text = whole;
    expect(told().filter(({ data }) => data.order.id === id)).toHaveLength(1);
    expect(text).toMatch(/^id: \S+$/m);
  });

  test("R5.1-08 a token without the scope sees nothing of orders, and 403 when it asks for them", async () => {
    const after = await latest(lab);
    await placeOrder(lab);
    const page = await pageOf(ask(lab, { after }, lab.tokens["menu:read"]));
    expect(page.data.map(({ type }) => type)).not.toContain("order.created");
    const refused = await ask(lab, { after, types: "order.created" }, lab.tokens["menu:read"]);
    expectRefused(refused, "insufficient_scope");
    expect(errorOf(refused).details).toEqual({ required_scope: "orders:read" });
  });

  test("RX-14 another restaurant sees nothing of it, and its positions are no positions here", async () => {
    const [ours, theirs] = [await latest(lab), await latest(neighbour)];
    const { id } = await placeOrder(lab);
    expect(ordersIn(await pageOf(ask(neighbour, { after: theirs })))).not.toContain(id);
    expectInvalid(await ask(neighbour, { after: ours }), "after");
  });

  test("R7.1-06 422 for what is no position and no type", async () => {
    expectInvalid(await ask(lab, { after: "yesterday" }), "after");
    expectInvalid(await ask(lab, { types: "order.eaten" }), "types");
    expectInvalid(await ask(lab, { wait: 21 }), "wait");
    expectInvalid(await ask(lab, { limit: 101 }), "limit");
  });
});
