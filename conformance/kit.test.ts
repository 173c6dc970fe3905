/** Tests of the kit itself: each check must detect planted faults. */
import { createHmac } from "node:crypto";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { describe, expect, test } from "vitest";
import { answerProblems, type CheckedAnswer, type JsonValue, operationAt } from "./answer-check.ts";
import { coverageOf, idsOf, shortfall } from "./coverage.ts";
import { deliveryProblems, type ReceivedDelivery } from "./events/delivery-check.ts";
import { ledger } from "./ledger.ts";
import { breaches } from "./values.ts";

const HEADERS = { "content-type": "application/json; charset=utf-8", "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59" };

const answer = (status: number, body: JsonValue, headers: Record<string, string> = {}): CheckedAnswer => ({
  status,
  headers: new Headers({ ...HEADERS, ...headers }),
  text: JSON.stringify(body),
  body,
});

const request = { token: "1|svc_secret", method: "GET", path: "/categories" };
const category = { id: 1, menu_id: 1, name: { en: "Soups", fr: null }, is_active: true, sort_order: 1 };
const list = (...data: JsonValue[]): JsonValue => ({ data, meta: { count: data.length }, links: {} });
const error = (code: string, details: JsonValue = {}): JsonValue => ({ error: { code, message: "No.", details } });

describe("an answer that is right", () => {
  test("passes, as a success and as a refusal", () => {
    expect(answerProblems(request, answer(200, list(category)))).toEqual([]);
    expect(answerProblems(request, answer(404, error("not_found")))).toEqual([]);
    expect(answerProblems(request, answer(422, error("validation_failed", { name: ["Say a name."] })))).toEqual([]);
    expect(answerProblems(request, answer(403, error("insufficient_scope", { required_scope: "menu:read" })))).toEqual([]);
  });
});

describe("an answer that is wrong", () => {
  const wrong: Record<string, CheckedAnswer> = {
    "a field too many": answer(200, list({ ...category, items: [] })),
    "a field too few": answer(200, list({ id: 1, menu_id: 1, name: {}, is_active: true })),
    "a null that is not allowed": answer(200, list({ ...category, sort_order: null })),
    "a text that is no map": answer(200, list({ ...category, name: "Soups" })),
    "a member beside data, meta and links": answer(200, { ...(list(category) as object), extra: 1 }),
    "a member in links": answer(200, { data: [], meta: { count: 0 }, links: { next: null } }),
    "an error without details": answer(404, { error: { code: "not_found", message: "No." } }),
    "an error with a member too many": answer(404, { error: { code: "not_found", message: "No.", details: {}, trace: "" } }),
    "an empty message": answer(404, { error: { code: "not_found", message: "", details: {} } }),
    "a code of our own": answer(404, error("gone_fishing")),
    "a code with another status": answer(400, error("not_found")),
    "details that are a list": answer(422, error("validation_failed", [])),
    "details without a field": answer(422, error("validation_failed", {})),
    "details with a plain text": answer(422, error("validation_failed", { name: "Say a name." })),
    "details where there is nothing to add": answer(404, error("not_found", { id: 5 })),
    "an unknown scope": answer(403, error("insufficient_scope", { required_scope: "menu:eat" })),
    "another content type": answer(200, list(), { "content-type": "text/html" }),
    "no count of calls": answer(200, list(), { "x-ratelimit-remaining": "" }),
    "a 429 without a wait": answer(429, error("rate_limited"), { "x-ratelimit-remaining": "0" }),
    "a live answer with the mark of a sandbox": answer(200, list(category), { "service-sandbox": "true" }),
    "the token shown again": answer(404, { error: { code: "not_found", message: "svc_secret", details: {} } }),
  };
  for (const [what, wrongAnswer] of Object.entries(wrong))
    test(`is found out: ${what}`, () => {
      expect(answerProblems(request, wrongAnswer)).not.toEqual([]);
    });

  test("is found out: a sandbox answer without its mark or with another, and a mark on a token that is not good", () => {
    const inSandbox = { ...request, token: "1|svc_sbx_secret" };
    const marked = (status: number, mark?: string): CheckedAnswer =>
      answer(
        status,
        status === 200 ? list(category) : error(status === 401 ? "unauthenticated" : "server_error"),
        mark ? { "service-sandbox": mark } : {},
      );
    expect([marked(200, "true"), marked(500, "true"), marked(500), marked(401)].flatMap((good) => answerProblems(inSandbox, good))).toEqual(
      [],
    );
    for (const wrongly of [marked(200), marked(200, "yes"), marked(401, "true")])
      expect(answerProblems(inSandbox, wrongly)).toHaveLength(1);
  });

  test("is found out: a date-time in Zulu form, with a fraction or without an offset", () => {
    const fields = "id category_id sort_order price_minor".split(" ").map((name) => [name, 1]);
    const empty = { description: null, allergens: null, variants: [], modifier_groups: [] };
    const soup = { ...Object.fromEntries(fields), ...empty, name: { en: "Soup" }, dietary: "none", is_available: true, show_online: true };
    const dish = (updated_at: string): JsonValue => ({ data: { ...soup, updated_at }, meta: { currency: "EUR" }, links: {} });
    const read = { ...request, path: "/items/1" };
    expect(answerProblems(read, answer(200, dish("2026-11-14T13:05:00+01:00")))).toEqual([]);
    for (const moment of ["2026-11-14T12:05:00Z", "2026-11-14T13:05:00.5+01:00", "2026-11-14T13:05:00", "2026-13-14T13:05:00+01:00"])
      expect(answerProblems(read, answer(200, dish(moment))), moment).not.toEqual([]);
  });
});

describe("a delivered event", () => {
  const SECRET = "whsec_kit";
  const receivedAtMs = Date.parse("2026-11-14T12:00:00Z");
  const sample = EVENT_SAMPLES["order.paid"];
  type DeliveryChanges = { method?: string; body?: string; secret?: string; signedAtMs?: number; headers?: Record<string, string> };
  const delivery = ({ method = "POST", secret = SECRET, signedAtMs = receivedAtMs, ...rest }: DeliveryChanges = {}): ReceivedDelivery => {
    const { body = JSON.stringify(sample), headers } = rest;
    const time = signedAtMs / 1000;
    const signature = `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
    const usual = { "content-type": "application/json", "service-event": sample.type, "service-delivery": sample.id };
    return { method, body, receivedAtMs, headers: { ...usual, "service-signature": signature, ...headers } };
  };
  const signed = delivery().headers["service-signature"] ?? "";

  test("passes when it is right, also with a second signature and some seconds late", () => {
    expect(deliveryProblems(delivery(), SECRET)).toEqual([]);
    expect(deliveryProblems(delivery({ signedAtMs: receivedAtMs - 5000 }), SECRET)).toEqual([]);
    const both = signed.replace(",v1=", `,v1=${"0".repeat(64)},v1=`);
    expect(deliveryProblems(delivery({ headers: { "service-signature": both } }), SECRET)).toEqual([]);
  });

  const wrong: Record<string, ReceivedDelivery> = {
    "another secret": delivery({ secret: "whsec_other" }),
    "a body that was changed": { ...delivery(), body: `${JSON.stringify(sample)} ` },
    "a signature of five minutes before": delivery({ signedAtMs: receivedAtMs - 300_000 }),
    "a signature without a time": delivery({ headers: { "service-signature": signed.replace(/^t=\d+,/, "") } }),
    "a signature in capitals": delivery({
      headers: { "service-signature": signed.replace(/v1=.*/, (hex) => `v1=${hex.slice(3).toUpperCase()}`) },
    }),
    "a type that the contract does not know": delivery({ headers: { "service-event": "order.eaten" } }),
    "the type of another event": delivery({ headers: { "service-event": "order.created" } }),
    "another id than the body's": delivery({ headers: { "service-delivery": "00000000-0000-7000-8000-000000000000" } }),
    "another content type": delivery({ headers: { "content-type": "text/plain" } }),
    "another method": delivery({ method: "PUT" }),
    "a body that is no JSON": delivery({ body: "paid" }),
    "a member too many": delivery({ body: JSON.stringify({ ...sample, version: 1 }) }),
    "a member too few": delivery({ body: JSON.stringify({ ...sample, restaurant: { id: 1, slug: "lab" } }) }),
    "data of another type": delivery({ body: JSON.stringify({ ...sample, data: EVENT_SAMPLES["review.created"].data }) }),
  };
  for (const [what, wrongDelivery] of Object.entries(wrong))
    test(`is found out: ${what}`, () => {
      expect(deliveryProblems(wrongDelivery, SECRET)).not.toEqual([]);
    });
});

describe("the ledger", () => {
  test("holds each id once", () => {
    const ids = ledger.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("reads the ids a test name begins with", () => {
    expect(idsOf("RX-01 R4.1-09 R9-01 422 for R4.1-10")).toEqual(["RX-01", "R4.1-09", "R9-01"]);
    expect(idsOf("is found out: RX-01")).toEqual([]);
  });

  test("misses what applies and has no passing test, and refuses an id it does not know", () => {
    const rows = [
      { id: "RX-01", section: "RX", applies: "now" },
      { id: "RX-02", section: "RX", applies: "now" },
      { id: "RX-03", section: "RX", applies: "later" },
      { id: "RX-04", section: "RX", applies: "now", heldBy: "server", reason: "unseen" },
    ] as const;
    const tests = [
      { name: "RX-01 one", state: "passed" },
      { name: "RX-02 two", state: "skipped" },
      { name: "RX-99 nine", state: "passed" },
    ] as const;
    expect(shortfall(coverageOf(rows, tests))).toEqual([
      "RX-02 applies and has no passing test",
      "RX-99 is named by a test and is not in the ledger",
    ]);
    expect(shortfall(coverageOf(rows, [...tests, { name: "RX-01 again", state: "failed" }]))[0]).toBe("RX-01 has a failing test");
  });
});

describe("the operations table", () => {
  test("gives back the operation a call addresses", () => {
    expect(operationAt({ method: "GET", path: "/items/5?x=1" })).toBe("getItem");
    expect(operationAt({ method: "PUT", path: "/items/5/availability/" })).toBe("setItemAvailability");
    expect(operationAt({ method: "DELETE", path: "/items/5" })).toBeUndefined();
  });

  test("rules about names see every depth of a body", () => {
    const body = { data: [{ variants: [{ price_minor: 1.5 }] }], meta: { price_minor: 2 } };
    expect(breaches(body, /_minor$/, Number.isInteger)).toEqual(["/data/0/variants/0/price_minor is 1.5"]);
  });
});
