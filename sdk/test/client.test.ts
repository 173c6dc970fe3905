/** The client against a running service: lists, keys, retries, errors, time limits. */
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  ApiError,
  type Comanda,
  ConnectionError,
  createClient,
  type ErrorCode,
  idempotencyKey,
  type NewOrder,
  type OperationId,
  type Scope,
} from "../src/index.ts";
import { METHODS, type Methods } from "../src/methods.generated.ts";
import { OPERATIONS } from "../src/types.generated.ts";
import { errorResponse, interceptFetch, type RunningService, startService } from "./running-service.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const open = (options: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ rootUrl: service.rootUrl, token: service.venue.token, ...options });

const newOrder = async () => {
  const { data } = await open().items.list({ available: true, per_page: 100 });
  const dish = data.find(
    ({ price_minor, variants, modifier_groups }) => price_minor === 1000 && variants.length === 0 && modifier_groups.length === 0,
  );
  return {
    type: "pickup" as const,
    channel: "web" as const,
    customer_name: "Ada",
    customer_phone: "+44 1",
    lines: [{ item_id: dish?.id ?? 0, quantity: 2 }],
  };
};

test("every operation is a method: one that has none does not compile", () => {
  type MethodsOf<R> = { [M in keyof R]: R[M] extends readonly [infer Id, ...unknown[]] ? Id : never }[keyof R];
  type InMethods = { [R in keyof typeof METHODS]: MethodsOf<(typeof METHODS)[R]> }[keyof typeof METHODS];
  expectTypeOf<InMethods>().toEqualTypeOf<OperationId>();
  expectTypeOf<{ [R in keyof Methods]: keyof Methods[R] }>().toEqualTypeOf<{ [R in keyof typeof METHODS]: keyof (typeof METHODS)[R] }>();
  const operations = Object.values(METHODS).flatMap((methods) => Object.values(methods).map(([operation]) => operation));
  expect(operations).toHaveLength(Object.keys(OPERATIONS).length);
  expect(new Set<string>(operations)).toEqual(new Set(Object.keys(OPERATIONS)));
});

test("codes, scopes, statuses and filters are unions and booleans, not any text", () => {
  expectTypeOf<ApiError["code"]>().toEqualTypeOf<ErrorCode | `http_${number}`>();
  expectTypeOf<ApiError["requiredScope"]>().toEqualTypeOf<Scope | null>();
  type Filter = NonNullable<Parameters<Comanda["items"]["list"]>[0]>;
  expectTypeOf<Filter["available"]>().toEqualTypeOf<boolean | undefined>();
  const client = open();
  // @ts-expect-error: no such status
  void (() => client.orders.list({ status: "eaten" }));
  // @ts-expect-error: no such method
  void (() => client.orders.eat);
});

test.each([
  ["127.0.0.1:4000", "http://127.0.0.1:4000"],
  ["localhost:4000/api/v1", "http://localhost:4000"],
  ["127.0.0.1.example.com", "https://127.0.0.1.example.com"],
  ["localhost.example.com", "https://localhost.example.com"],
  ["api.example.com", "https://api.example.com"],
  ["//api.example.com", "https://api.example.com"],
  ["ftp://api.example.com", "https://api.example.com"],
  ["https://api.example.com/", "https://api.example.com"],
  ["https://api.example.com/api/v1/", "https://api.example.com"],
  ["https://api.example.com/eat/api/v1/menus?a=1", "https://api.example.com/eat"],
  [" https://api.example.com ", "https://api.example.com"],
  ["", "https://api.example.com"],
  ["https://", "https://api.example.com"],
  ["https://ada:secret@api.example.com", "https://api.example.com"],
])("the address %j is refused, with what to write", (rootUrl, right) => {
  expect(() => open({ rootUrl })).toThrow(right);
  expect(() => open({ rootUrl: right })).not.toThrow();
});

describe("lists", () => {
  test("awaited, a list is its first page; walked, it is every row once", async () => {
    const list = open().items.list({ per_page: 7 });
    const page = await list;
    expect([page.data.length, page.meta.per_page]).toEqual([7, 7]);
    const walked: number[] = [];
    for await (const item of list) walked.push(item.id);
    const all = await service.app.call(service.venue.token, "GET", "/items?per_page=100");
    expect(walked).toEqual(all.body.data.map(({ id }: { id: number }) => id));
    const sizes: number[] = [];
    for await (const { data } of open().items.list({ per_page: 7 }).pages()) sizes.push(data.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(walked.length);
  });
  test("awaited twice, it is asked for once", async () => {
    const { fetch, calls } = interceptFetch(() => undefined);
    const list = open({ fetch }).orders.list();
    await Promise.all([list, list]);
    expect(calls).toHaveLength(1);
  });
  test("a boolean and several statuses are sent as the API reads them", async () => {
    const { fetch, calls } = interceptFetch(() => undefined);
    const { data } = await open({ fetch }).items.list({ available: false });
    expect(data.filter((item) => item.is_available)).toEqual([]);
    await open({ fetch }).orders.list({ status: ["placed", "accepted"] });
    expect(calls.map(({ url }) => new URL(url).searchParams.toString())).toEqual(["available=false", "status=placed%2Caccepted"]);
  });
  test("a page that points at itself ends the walk instead of making it endless", async () => {
    const page = { data: [{ id: 1 }], meta: { per_page: 1, next_cursor: "same", prev_cursor: null } };
    const list = open({ fetch: async () => Response.json(page) }).items.list();
    const walk = async () => {
      for await (const _ of list);
    };
    await expect(walk()).rejects.toThrow("does not go on");
  });
});

describe("a token function", () => {
  test("is told of a refusal once, with the token that was refused; a later fault of the service says nothing about the new one", async () => {
    const asked: unknown[] = [];
    const answers = [401, 503, 200];
    const fetch = async () => Response.json({ data: [], meta: {} }, { status: answers.shift() ?? 200, headers: { "retry-after": "0" } });
    const token = (how: unknown) => {
      asked.push(how);
      return `token ${asked.length}`;
    };
    await open({ fetch, token }).menus.list();
    expect(asked).toEqual([{ isRejected: false }, { isRejected: true, rejected: "token 1" }, { isRejected: false }]);
  });
});

test("an id that an address would lose is refused here: it would lead to a list", async () => {
  const { fetch, calls } = interceptFetch(() => undefined);
  const ids = ["", ".", "..", undefined, null, Number.NaN, {}] as string[];
  for (const id of ids) await expect(open({ fetch }).orders.get(id)).rejects.toThrow("getOrder needs an id. This is no id");
  await expect(open({ fetch }).orders.create(undefined as unknown as NewOrder)).rejects.toThrow("createOrder needs a body");
  await expect(open({ fetch }).orders.get("../menus")).rejects.toMatchObject({ status: 404 });
  expect(calls).toHaveLength(1);
});

test("who has given up while an answer came does not wait for the next attempt", async () => {
  const leaving = new AbortController();
  const fetch = async () => {
    leaving.abort(new Error("left"));
    return Response.json({}, { status: 503, headers: { "retry-after": "60" } });
  };
  const begin = performance.now();
  await expect(open({ fetch }).menus.list({ signal: leaving.signal })).rejects.toThrow("left");
  expect(performance.now() - begin).toBeLessThan(10_000);
});

describe("writes", () => {
  test("an order whose answer got lost is placed once: the key is kept over the attempts", async () => {
    const order = await newOrder();
    const { fetch: lossy, calls } = interceptFetch(() => undefined);
    let isLost = false;
    const losing: typeof fetch = async (input, init) => {
      const answer = await lossy(input, init);
      if (isLost) return answer;
      isLost = true;
      throw new TypeError("the connection was closed");
    };
    const before = await open().orders.list({ per_page: 100 });
    const placed = await open({ fetch: losing }).orders.create(order);
    const after = await open().orders.list({ per_page: 100 });
    expect([placed.isReplay, placed.data.total_minor > 0]).toEqual([true, true]);
    expect(after.data.length - before.data.length).toBe(1);
    expect(new Set(calls.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });
  test("a key of name and content: the same content is one order, corrected content is a new request", async () => {
    const order = await newOrder();
    const place = async (body: NewOrder) => open().orders.create(body, { idempotencyKey: await idempotencyKey("cart-4711", body) });
    const refused = (await place({ ...order, customer_name: "" }).catch((error: unknown) => error)) as ApiError;
    expect([refused.code, refused.isReplay]).toEqual(["validation_failed", false]);
    const again = (await place({ ...order, customer_name: "" }).catch((error: unknown) => error)) as ApiError;
    expect([again.code, again.isReplay]).toEqual(["validation_failed", true]);
    const placed = await place(order);
    const { lines, ...rest } = order;
    const repeated = await place({ lines, ...rest });
    expect([placed.isReplay, repeated.isReplay, repeated.data.id]).toEqual([false, true, placed.data.id]);
  });
  test("planted: with the name alone the corrected content is refused", async () => {
    const order = await newOrder();
    const place = (body: NewOrder) => open().orders.create(body, { idempotencyKey: "cart-4712" });
    await expect(place({ ...order, customer_name: "" })).rejects.toMatchObject({ code: "validation_failed" });
    await expect(place(order)).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });
  test("a client that was refused under a key sends corrected content under a key of its own, and never a second order", async () => {
    const order = await newOrder();
    const { fetch, calls } = interceptFetch(() => undefined);
    const client = open({ fetch });
    const place = (body: NewOrder) => client.orders.create(body, { idempotencyKey: "cart-4714" });
    const wrong = { ...order, customer_name: "" };
    for (const isReplay of [false, true]) await expect(place(wrong)).rejects.toMatchObject({ code: "validation_failed", isReplay });
    const placed = await place(order);
    const repeated = await place(order);
    expect([placed.isReplay, repeated.isReplay, repeated.data.id]).toEqual([false, true, placed.data.id]);
    // It was placed, so other content is no correction any more.
    await expect(place({ ...order, customer_name: "Grace" })).rejects.toMatchObject({ code: "idempotency_key_reused" });
    expect((await place(order)).data.id).toBe(placed.data.id);
    const keys = calls.filter(({ method }) => method === "POST").map(({ headers }) => headers.get("idempotency-key"));
    expect(keys.slice(0, 2)).toEqual(["cart-4714", "cart-4714"]);
    expect(keys[2]).toMatch(/^cart-4714-[0-9a-f]{32}$/);
    expect(new Set(keys.slice(2)).size).toBe(1);
  });
  test("a key stays while no answer says that it was refused: 404, a lost answer", async () => {
    let isLost = false;
    const { fetch, calls } = interceptFetch(() => (isLost ? Promise.reject(new TypeError("lost")) : undefined));
    const client = open({ fetch, retries: 0 });
    const place = (customer_name: string) =>
      newOrder().then((order) => client.orders.create({ ...order, customer_name }, { idempotencyKey: "cart-4715" }));
    isLost = true;
    await expect(place("Ada")).rejects.toBeInstanceOf(ConnectionError);
    isLost = false;
    await place("Grace").catch(() => undefined);
    const keys = calls.filter(({ method }) => method === "POST").map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys)).toEqual(new Set(["cart-4715"]));
  });
  test("a key fits into the header's limit and differs with every value", async () => {
    const contents = [{}, { a: 1 }, { a: "1" }, { a: null }, { a: [1, 2] }, { a: [2, 1] }, { a: { b: 1 } }, [], "", null];
    const keys = await Promise.all(contents.map((content) => idempotencyKey("cart", content)));
    expect(new Set(keys).size).toBe(contents.length);
    for (const key of keys) expect(key).toMatch(/^cart-[0-9a-f]{32}$/);
    expect(await idempotencyKey("cart", { b: 1, a: undefined, c: [undefined] })).toBe(await idempotencyKey("cart", { c: [null], b: 1 }));
  });
  test("a key of one's own is used; without one each call has another", async () => {
    const { fetch, calls } = interceptFetch(() => undefined);
    const order = await newOrder();
    await open({ fetch }).orders.create(order, { idempotencyKey: "mine" });
    await open({ fetch }).orders.create(order);
    await open({ fetch }).orders.create(order);
    const keys = calls.map(({ headers }) => headers.get("idempotency-key"));
    expect([keys[0], new Set(keys).size]).toEqual(["mine", 3]);
  });
  test("an order is moved, a dish is marked as sold out, a booking made and cancelled", async () => {
    const client = open();
    const { data: placed } = await client.orders.create(await newOrder());
    expect((await client.orders.move(placed.id, { status: "accepted" })).data.status).toBe("accepted");
    const { data: item } = await client.items.create({
      category_id: (await client.categories.list()).data[0]?.id ?? 0,
      name: "Soup",
      price_minor: 500,
    });
    expect((await client.items.setAvailability(item.id, { is_available: false })).data.is_available).toBe(false);
    expect((await client.items.update(item.id, { price_minor: 600 })).data.price_minor).toBe(600);
    const { data: free } = await client.availability.get({ date: "2026-12-01", party_size: 2 });
    expect(free).toBeDefined();
    expect((await client.menus.list()).meta.currency).toBe("USD");
    expect((await client.reports.salesSummary()).data).toBeDefined();
    const [guest] = (await client.guests.list()).data;
    expect((await client.guests.get(guest?.id ?? 0)).data.id).toBe(guest?.id);
  });
});

describe("trying again", () => {
  const RETRIED: [string, Response][] = [
    ["429 with Retry-After", errorResponse(429, "rate_limited", { "retry-after": "1" })],
    ["503", errorResponse(503, "service_unavailable")],
    ["500", errorResponse(500, "server_error")],
    ["408", errorResponse(408, "timeout")],
    ["409 while the first is running", errorResponse(409, "idempotency_key_in_use", { "retry-after": "1" })],
  ];
  test.each(RETRIED)("%s is tried again", async (_name, answer) => {
    const { fetch, calls } = interceptFetch((_call, index) => (index === 0 ? answer.clone() : undefined));
    const startedAt = performance.now();
    await open({ fetch }).menus.list();
    expect(calls).toHaveLength(2);
    expect(performance.now() - startedAt).toBeGreaterThan(answer.headers.has("retry-after") ? 990 : 370);
  });
  test("a wait is told before it begins, with its attempt and error", async () => {
    const told: unknown[] = [];
    const { fetch } = interceptFetch((_call, index) => (index === 0 ? errorResponse(503, "service_unavailable") : undefined));
    await open({
      fetch,
      maxWaitMs: 30,
      onRetry: ({ error, ...retry }) => told.push({ ...retry, code: (error as ApiError).code }),
    }).menus.list();
    expect(told).toEqual([{ method: "GET", path: "/menus", attempt: 1, waitMs: 30, code: "service_unavailable" }]);
  });
  test.each([
    ["of the client", { maxWaitMs: 5000 }, {}, 6],
    ["of the call", {}, { maxWaitMs: 5000 }, 6],
    ["by default, a minute", {}, {}, 61],
  ])("a longer wait than the cap %s is not begun: the error says how long it would be", async (_name, options, call, seconds) => {
    const { fetch, calls } = interceptFetch(() => errorResponse(429, "rate_limited", { "retry-after": String(seconds) }));
    const error = (await open({ fetch, ...options })
      .menus.list(call)
      .then(undefined, (reason: unknown) => reason)) as ApiError;
    expect([error.code, error.rateLimit.retryAfterSeconds, calls.length]).toEqual(["rate_limited", seconds, 1]);
  });
  test.each([400, 401, 403, 404, 405, 413, 422])("%i is not", async (status) => {
    const { fetch, calls } = interceptFetch(() => errorResponse(status, "no"));
    await expect(open({ fetch }).menus.list()).rejects.toMatchObject({ status });
    expect(calls).toHaveLength(1);
  });
  test("after the last attempt the error is the service's", async () => {
    const { fetch, calls } = interceptFetch(() => errorResponse(503, "service_unavailable"));
    await expect(open({ fetch, retries: 1 }).menus.list()).rejects.toMatchObject({ status: 503, code: "service_unavailable" });
    expect(calls).toHaveLength(2);
  });
});

describe("errors", () => {
  test("say what is wrong with which field", async () => {
    const error = await open()
      .orders.create({ ...(await newOrder()), lines: [] })
      .catch((reason: unknown) => reason as ApiError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "validation_failed",
      status: 422,
      fields: { lines: [expect.any(String)] },
      reasons: [{ field: "lines", reason: "too_few_entries", params: { min: 1 } }],
      requestId: expect.any(String),
    });
    expect((error as ApiError).rateLimit.remaining).toBeGreaterThan(0);
  });
  test("name a reason whose parameters are typed", async () => {
    const order = await newOrder();
    const error = (await open()
      .orders.create({ ...order, note: "x".repeat(501) })
      .catch((reason: unknown) => reason)) as ApiError;
    const limits = error.reasons.map((one) => (one.reason === "too_long" ? one.params.max : null));
    expect(limits).toEqual([500]);
    const { data } = await open().orders.create(order);
    const moved = (await open()
      .orders.move(data.id, { status: "completed" })
      .catch((reason: unknown) => reason)) as ApiError;
    expect(moved.reasons).toEqual([{ field: "status", reason: "invalid_transition", params: { from: "placed", to: "completed" } }]);
    const missing = (await open()
      .items.get(1)
      .catch((reason: unknown) => reason)) as ApiError;
    expect([missing.code, missing.reasons]).toEqual(["not_found", []]);
  });
  test("say which scope is missing", async () => {
    const token = await service.app.token(service.venue.slug, { scopes: ["menu:read"] });
    await expect(open({ token }).orders.list()).rejects.toMatchObject({ code: "insufficient_scope", requiredScope: "orders:read" });
  });
  const page = (status: number, text: string, type: string) => new Response(text, { status, headers: { "content-type": type } });
  test.each([
    [404, page(404, "<html>", "text/html; charset=utf-8"), "404 with an HTML page"],
    [200, page(200, "<html>", "text/html"), "200 with an HTML page"],
    [200, page(200, "[]", "application/json"), "200 with a body that is not the API's"],
    [413, page(413, "", "text/plain"), "413 with an empty body"],
  ])("%i: an answer that is not the API's is an error that says so", async (status, answer, words) => {
    const { fetch } = interceptFetch(() => answer.clone());
    const error = (await open({ fetch })
      .menus.list()
      .then(undefined, (reason: unknown) => reason)) as ApiError;
    expect([error.status, error.code]).toEqual([status, `http_${status}`]);
    expect(error.message).toContain(`GET ${service.rootUrl}/api/v1/menus answered ${words}`);
  });
});

describe("time", () => {
  const hanging: typeof fetch = (_input, init) =>
    new Promise((_, reject) => {
      const signal = init?.signal;
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  test("an attempt has its time, and then another", async () => {
    const error = await open({ fetch: hanging, timeoutMs: 50, retries: 1 })
      .menus.list()
      .catch((reason: unknown) => reason as ConnectionError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as ConnectionError).isTimeout).toBe(true);
  });
  test("a signal ends it at once, also while waiting for the next attempt", async () => {
    const reason = new Error("the guest has left");
    const controller = new AbortController();
    const pending = open({ fetch: hanging }).menus.list({ signal: controller.signal });
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    const waiting = new AbortController();
    const { fetch } = interceptFetch(() => errorResponse(429, "rate_limited", { "retry-after": "30" }));
    const later = open({ fetch }).menus.list({ signal: waiting.signal });
    setTimeout(() => waiting.abort(reason), 50);
    await expect(later).rejects.toBe(reason);
  });
});
