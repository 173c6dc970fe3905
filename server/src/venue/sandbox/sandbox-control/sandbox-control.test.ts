/** A program controls its sandbox: what it causes is real and has events, and no other token sees that there is anything to reach. */
import { EVENT_TYPES, type EventType } from "@comanda/contract/events/envelope.ts";
import { SANDBOX_DISH_ID } from "@comanda/contract/sandbox/sandbox-ids.ts";
import { SANDBOX_ACTS, sandboxOperations } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, buildApp } from "#compose/api.ts";
import { routes } from "#compose/handlers.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { plainDish } from "../../../../test/support/operation-calls.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { checksumsOf } from "../../../../test/support/venue-checksums.ts";
import { createSandbox, inSandbox } from "../../../admin/sandbox.ts";
import { recordPayment } from "../../orders/payments/service.ts";

let app: TestApp;
let live: TestVenue;
let sandbox: { restaurant_id: number; token: string };

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}` } });
  app.clock.set("2026-11-20T18:00:00Z");
  live = await app.venue("trattoria");
  sandbox = (await createSandbox(app.deps, live.slug, 1_000_000)) ?? expect.fail("no sandbox");
});
afterAll(() => app.close());

const act = (body: object, headers = {}) => app.call(sandbox.token, "POST", "/sandbox/act", { body, headers });

type FeedEvent = { id: string; type: EventType; data: Record<string, { id?: unknown }> };

describe("trigger", () => {
  test.each(EVENT_TYPES)("%s: the answer names what was made, and the feed has the event", async (event) => {
    const { cursor } = (await app.call(sandbox.token, "GET", "/events?after=latest")).body.meta;
    const { status, body } = await act({ act: "trigger", event });
    expect(status).toBe(200);
    const { data: told }: { data: FeedEvent[] } = (await app.call(sandbox.token, "GET", `/events?after=${cursor}`)).body;
    const ofThese = (events: readonly { id: string; type: string }[]) => events.map(({ id, type }) => ({ id, type }));
    expect(ofThese(body.data.events).toSorted((one, other) => one.id.localeCompare(other.id))).toEqual(
      ofThese(told).toSorted((one, other) => one.id.localeCompare(other.id)),
    );
    const found = told.find(({ type }) => type === event) ?? expect.fail(`${event} is not in the feed`);
    if (event === "ping") expect(body.data.subject).toBe(null);
    else if (event !== "shift.published") {
      const { type, id } = body.data.subject;
      expect((found.data.stock ?? found.data)[type as never]).toMatchObject({ id });
    }
  });

  test("a ping goes to every address, also to one that is subscribed to something else", async () => {
    const { encryptionKeys } = app.deps.config;
    const wish = { url: "https://hooks.example/act", events: ["order.paid" as const], description: null };
    await inSandbox(app.deps, live.slug, (ctx) => addEndpoint(ctx, wish, encryptionKeys));
    const { body } = await act({ act: "trigger", event: "ping" });
    const due = await app.database.asOwner("select event_type from deliveries where restaurant_id = $1 and event_id = $2", [
      sandbox.restaurant_id,
      body.data.events[0].id,
    ]);
    expect(due).toEqual([{ event_type: "ping" }]);
  });

  test("each type can be asked for in the feed; an app in the sandbox sees what its scopes read", async () => {
    for (const types of EVENT_TYPES)
      expect([types, (await app.call(sandbox.token, "GET", `/events?types=${types}`)).status]).toEqual([types, 200]);
    const asApp = { kind: "app", scopes: ["menu:read"], features: [] } as const;
    const listEvents: typeof routes.listEvents = (ctx, input) => routes.listEvents({ ...ctx, actor: { ...ctx.actor, ...asApp } }, input);
    const server = await buildApp(app.deps, { handlers: { ...routes, listEvents } });
    const typesSeen = async (query: string) => {
      const headers = { authorization: `Bearer ${sandbox.token}` };
      const { statusCode, body } = await server.http.inject({ url: `/api/v1/events${query}`, headers });
      return statusCode === 200 ? [...new Set((JSON.parse(body).data as FeedEvent[]).map(({ type }) => type))].sort() : statusCode;
    };
    expect([await typesSeen(""), await typesSeen("?types=giftcard.issued")]).toEqual([["menu.item_updated", "ping"], 422]);
    await server.stop();
  });

  test("422 with a reason for what is missing or unknown; the same key acts once", async () => {
    const reasons = { "service-reasons": "1" };
    for (const [body, field, reason] of [
      [{}, "act", "required"],
      [{ act: "dance" }, "act", "not_one_of"],
      [{ act: "trigger" }, "event", "required"],
      [{ act: "trigger", event: "order.eaten" }, "event", "not_one_of"],
    ] as const) {
      const refused = await act(body, reasons);
      expect([refused.status, refused.body.error.reasons]).toMatchObject([422, [{ field, reason }]]);
    }
    const key = { "idempotency-key": crypto.randomUUID() };
    const bodies = [];
    for (let times = 0; times < 3; times++) bodies.push((await act({ act: "trigger", event: "order.created" }, key)).text);
    expect(new Set(bodies).size).toBe(1);
  });
});

describe("acts", () => {
  const done = async (body: object) => {
    const { status, body: answer, text } = await act(body);
    expect([JSON.stringify(body), status, status === 200 ? "" : text]).toEqual([JSON.stringify(body), 200, ""]);
    return answer.data as { subject: { type: string; id: never }; gift_card_code: string | null; events: { type: string }[] };
  };
  const typesOf = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);
  const read = async (path: string) => (await app.call(sandbox.token, "GET", path)).body.data;
  const newOrder = async (): Promise<string> => (await done({ act: "trigger", event: "order.created" })).subject.id;
  const line = { item_id: SANDBOX_DISH_ID, quantity: 1 };

  test("an order is paid in parts, given back, moved and rated, as staff and guest do it", async () => {
    const order_id = await newOrder();
    const { total_minor } = await read(`/orders/${order_id}`);
    const first = await done({ act: "pay_order", order_id, amount_minor: 1 });
    expect([first.subject.type, typesOf(first)]).toEqual(["payment", []]);
    const rest = await done({ act: "pay_order", order_id });
    expect(typesOf(rest)).toEqual(["order.paid"]);
    expect((await read(`/orders/${order_id}`)).paid_at).not.toBe(null);
    expect(typesOf(await done({ act: "refund_payment", payment_id: rest.subject.id }))).toEqual(["payment.refunded"]);
    const [{ left }] = (await app.database.asOwner<{ left: number }>(
      "select (amount_minor - refunded_total_minor)::integer as left from payments where restaurant_id = $1 and id = $2",
      [sandbox.restaurant_id, rest.subject.id],
    )) as [{ left: number }];
    expect([left, total_minor > 1]).toEqual([0, true]);
    expect(typesOf(await done({ act: "move_order", order_id, status: "accepted" }))).toContain("order.status_changed");
    expect(typesOf(await done({ act: "rate_order", order_id, rating: 4, comment: "Good." }))).toEqual(["review.created"]);
    const reasons = { "service-reasons": "1" };
    for (const body of [
      { act: "rate_order", order_id, rating: 4 },
      { act: "refund_payment", payment_id: first.subject.id, amount_minor: 2 },
      { act: "pay_order", order_id, gift_card_code: "0000" },
    ])
      expect([body.act, (await act(body, reasons)).status]).toEqual([body.act, 422]);
    expect((await act({ act: "move_order", order_id, status: "accepted" }, reasons)).status).toBe(409);
  });

  test("a line is struck, and a gift card that was issued pays", async () => {
    const body = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [line, line] };
    const order = (await app.call(sandbox.token, "POST", "/orders", { body })).body.data;
    await done({ act: "strike_line", order_id: order.id, line_id: order.items[0].id });
    const after = await read(`/orders/${order.id}`);
    expect([after.items[0].voided, after.items[1].voided, after.total_minor]).toEqual([true, false, order.total_minor / 2]);
    const card = await done({ act: "issue_gift_card", amount_minor: 50_000, expires_on: "2026-12-24" });
    expect([card.subject.type, typesOf(card)]).toEqual(["gift_card", ["giftcard.issued"]]);
    const paid = await done({ act: "pay_order", order_id: order.id, gift_card_code: card.gift_card_code });
    expect(typesOf(paid).toSorted()).toEqual(["giftcard.redeemed", "order.paid"]);
    expect((await act({ act: "strike_line", order_id: order.id, line_id: order.items[0].id })).status).toBe(404);
  });

  test("a booking is confirmed, declined, and its party comes, sits, leaves or stays away", async () => {
    const book = async (time: string): Promise<string> => {
      const body = { name: "Bo", phone: "+1 555 0101", party_size: 2, date: "2026-11-20", time };
      return (await app.call(sandbox.token, "POST", "/reservations", { body })).body.data.id;
    };
    const statusOf = async (id: string): Promise<string> => (await read(`/reservations/${id}`)).status;
    const step = (reservation_id: string, name: string) => done({ act: "move_reservation", reservation_id, step: name });
    for (const [name, status] of [
      ["confirm", "confirmed"],
      ["decline", "declined"],
    ] as const) {
      const { id } = (await done({ act: "trigger", event: "reservation.created" })).subject;
      expect(typesOf(await step(id, name))).toContain("reservation.updated");
      expect(await statusOf(id)).toBe(status);
    }
    const coming = await book("21:00");
    for (const name of ["arrive", "seat", "leave"]) await step(coming, name);
    expect(await statusOf(coming)).toBe("seated");
    const away = await book("21:30");
    expect((await act({ act: "move_reservation", reservation_id: away, step: "no_show" })).status).toBe(409);
    app.clock.advance(4 * 60 * 60 * 1000);
    await step(away, "no_show");
    expect(await statusOf(away)).toBe("no_show");
    const off = (await done({ act: "trigger", event: "reservation.created" })).subject.id;
    expect(typesOf(await step(off, "cancel"))).toEqual(["reservation.cancelled"]);
  });

  test("a dish is sold out, and a guest changes", async () => {
    expect(typesOf(await done({ act: "sell_out_item", item_id: SANDBOX_DISH_ID }))).toEqual(["menu.item_updated"]);
    expect((await read(`/items/${SANDBOX_DISH_ID}`)).is_available).toBe(false);
    const [guest] = await read("/guests");
    const wish = { marketing_opted_in: guest.marketing_opted_in_at === null, name: "Robin Renamed" };
    expect(typesOf(await done({ act: "change_guest", guest_id: guest.id, ...wish }))).toEqual(["guest.updated"]);
    expect((await read(`/guests/${guest.id}`)).name).toBe("Robin Renamed");
    await app.call(sandbox.token, "PUT", `/items/${SANDBOX_DISH_ID}/availability`, { body: { is_available: true } });
  });

  test("404 for what the live restaurant has, as for an unknown id; 422 names the fields that the act needs", async () => {
    const dish = await plainDish(app.database, live.id);
    const body = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: dish, quantity: 1 }] };
    const { id: order_id, items } = (await app.call(live.token, "POST", "/orders", { body })).body.data;
    const [guest] = (await app.call(live.token, "GET", "/guests")).body.data;
    const { id: payment_id } = await forVenue(app.deps, live.slug, (ctx) =>
      recordPayment(ctx, order_id, { method: "cash", amount_minor: 1 }),
    );
    const booked = await app.call(live.token, "POST", "/reservations", {
      body: { name: "Bo", phone: "+1 555 0101", party_size: 2, date: "2026-11-25", time: "20:00" },
    });
    const before = await checksumsOf(app.database, [live.id]);
    const known: Record<string, object> = {
      pay_order: { order_id },
      refund_payment: { payment_id },
      move_order: { order_id, status: "accepted" },
      strike_line: { order_id, line_id: items[0].id },
      rate_order: { order_id, rating: 5 },
      move_reservation: { reservation_id: booked.body.data.id, step: "cancel" },
      sell_out_item: { item_id: dish },
      change_guest: { guest_id: guest.id, name: "Taken" },
    };
    for (const [name, needs] of Object.entries(SANDBOX_ACTS)) {
      const missing = await act({ act: name });
      expect([name, missing.status, Object.keys(missing.body.error.details)]).toEqual([name, 422, [...needs]]);
      const fields = known[name];
      if (fields) expect([name, (await act({ act: name, ...fields })).status]).toEqual([name, 404]);
    }
    expect(await checksumsOf(app.database, [live.id])).toEqual(before);
  });
});

describe("any other token", () => {
  /** Status, headers and bytes; what differs between any two answers is left out. */
  const answerOf = async (server: App, bearer: string, method: string, path: string): Promise<unknown> => {
    const { statusCode, headers, body } = await server.http.inject({
      method: method as "GET",
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${bearer}` },
      ...(method === "GET" || method === "HEAD" ? {} : { payload: {} }),
    });
    const { "x-request-id": _, date: __, "x-ratelimit-remaining": ___, ...others } = headers;
    // No body of a HEAD is sent; unknown-path.test.ts compares what is.
    return { statusCode, others, body: method === "HEAD" ? "" : body };
  };
  const paths = Object.values(sandboxOperations).map(({ path }) => path);
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

  const seen = async (server: App, bearer: string): Promise<string[]> => {
    const found: string[] = [];
    for (const path of paths)
      for (const method of methods) {
        const [got, unknown] = [await answerOf(server, bearer, method, path), await answerOf(server, bearer, method, "/nowhere/at")];
        if (JSON.stringify(got) !== JSON.stringify(unknown)) found.push(`${method} ${path}`);
      }
    return found;
  };

  test("sees an unknown path, to the byte, whatever it may do and in whatever state its restaurant is", async () => {
    const tokens = [live.token, await app.token(live.slug, { scopes: [] })];
    for (const bearer of [...tokens, "1024|svc_nothing"]) expect(await seen(app.app, bearer)).toEqual([]);
    for (const state of ["plan_until = '2026-01-01'", "suspended_at = '2026-01-01'"]) {
      const { id, token } = await app.venue(state.startsWith("plan") ? "lab" : "gulf-cafe");
      await app.database.asOwner(`update restaurants set ${state} where id = $1`, [id]);
      expect(await seen(app.app, token)).toEqual([]);
    }
  });

  test("planted: a gate that lets live tokens in is found", async () => {
    // The gate takes every restaurant for a sandbox.
    await app.database.asOwner("update restaurants set kind = 'sandbox' where id = $1", [live.id]);
    const server = await buildApp(app.deps);
    expect((await seen(server, live.token)).length).toBeGreaterThan(0);
    await server.stop();
    await app.database.asOwner("update restaurants set kind = 'live' where id = $1", [live.id]);
  });

  test("causes nothing in ten thousand tries", { timeout: 120_000 }, async () => {
    const tries = process.env.TEST_STRESS ? 10_000 : 200;
    const before = await app.database.asOwner("select count(*) from audit_entries");
    const statuses = new Map<number, number>();
    for (let count = 0; count < tries; count++) {
      const event = EVENT_TYPES[count % EVENT_TYPES.length];
      const wishes = [
        ["/sandbox/act", { act: "trigger", event }],
        ["/sandbox/clock", { forward_seconds: 60 }],
        ["/sandbox/faults", { fault: "503" }],
      ] as const;
      const [path, body] = wishes[count % wishes.length] ?? wishes[0];
      const { status } = await app.call(live.token, "POST", path, { body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([[404, tries]]);
    expect(await app.database.asOwner("select count(*) from audit_entries")).toEqual(before);
    expect(await app.database.asOwner("select id from restaurants where clock_offset_ms > 0")).toEqual([]);
    expect(await app.database.asOwner("select restaurant_id from sandbox_faults")).toEqual([]);
  });
});
