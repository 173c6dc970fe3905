import { afterEach, expect, test, vi } from "vitest";
import { CallError, type CallErrorCode, call, isUnanswered, isWorthRetrying } from "./api.ts";

afterEach(() => vi.restoreAllMocks());

type ErrorParts = ConstructorParameters<typeof CallError>[2];
const errorOf = (code: CallErrorCode, rest: ErrorParts = {}): CallError => new CallError(code, "", rest);

test.each<[string, CallError, [isUnanswered: boolean, isRepeated: boolean]]>([
  ["no connection", errorOf("offline"), [true, true]],
  ["a proxy's page", errorOf("unreadable", { status: 200 }), [true, true]],
  ["a fault of the service", errorOf("server_error", { status: 500 }), [true, true]],
  ["the first try still runs", errorOf("idempotency_key_in_use", { status: 409 }), [true, true]],
  ["too many requests: an earlier try may have arrived", errorOf("rate_limited", { status: 429, retryAfterSeconds: 2 }), [true, true]],
  ["too many requests for longer than a person waits", errorOf("rate_limited", { status: 429, retryAfterSeconds: 50 }), [true, false]],
  ["a limit of the venue", errorOf("rate_limited", { status: 429, details: { until: "2030-01-01T00:00:00Z" } }), [false, false]],
  ["another person was faster", errorOf("state_changed", { status: 409 }), [false, false]],
  ["a fault of a field", errorOf("validation_failed", { status: 422 }), [false, false]],
])("whether a write was answered, and is repeated by itself: %s", (_name, error, expected) => {
  expect([isUnanswered(error), isWorthRetrying(0, error)]).toEqual(expected);
  expect(isWorthRetrying(3, error)).toBe(false);
});

test("every write has an end, and a read where its caller names one", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no connection"));
  const bound = vi.spyOn(AbortSignal, "timeout");
  const boundOf = async (send: Promise<unknown>): Promise<number | undefined> => {
    await expect(send).rejects.toMatchObject({ code: "offline" });
    return bound.mock.calls.pop()?.[0];
  };
  expect([
    await boundOf(call("signOut")),
    await boundOf(call("signOut", { waitMsMax: 500 })),
    await boundOf(call("readSession")),
    await boundOf(call("readSession", { waitMsMax: 500 })),
  ]).toEqual([30_000, 500, undefined, 500]);
});
