import { expect, test } from "vitest";
import { CallError } from "#kit/api.ts";
import { isQueued, movesToDrop, pauseAfter, type QueuedMove, readFailure } from "./queued-moves.ts";

const move = (key: string, orderId: string, at: number): QueuedMove => ({
  key,
  person: 1,
  venue: "lab",
  orderId,
  name: "#1",
  seenStatus: "placed",
  status: "accepted",
  at,
});
const refused = (code: ConstructorParameters<typeof CallError>[0], status: number) => new CallError(code, "", { status });

test("accept, ready and complete wait; reject and cancel do not", () => {
  expect((["accepted", "ready", "completed", "rejected", "cancelled"] as const).filter(isQueued)).toEqual([
    "accepted",
    "ready",
    "completed",
  ]);
});

test.each([
  ["no answer", refused("offline", 0), "away"],
  ["a proxy's page with any status", refused("unreadable", 403), "away"],
  ["a service that starts", refused("service_unavailable", 503), "away"],
  ["the first try still runs", refused("idempotency_key_in_use", 409), "away"],
  ["too many calls", refused("rate_limited", 429), "away"],
  ["an ended session", refused("signed_out", 401), "signed_out"],
  ["a lost race", refused("state_changed", 409), "refused"],
  ["a role that was taken away", refused("role_required", 403), "refused"],
  ["an order that is gone", refused("not_found", 404), "refused"],
] as const)("%s", (_name, error, outcome) => {
  expect(readFailure(error, 1)).toBe(outcome);
});

test("a fault of the service is tried three times", () => {
  const fault = refused("server_error", 500);
  expect([1, 2, 3].map((failures) => readFailure(fault, failures))).toEqual(["away", "away", "refused"]);
});

test("the pause grows to two seconds at most, unless the server asks for more", () => {
  const away = refused("offline", 0);
  expect([1, 2, 3, 4, 50].map((failures) => pauseAfter(failures, away, 0))).toEqual([500, 1000, 2000, 2000, 2000]);
  expect(pauseAfter(3, away, 1)).toBe(1500);
  expect(pauseAfter(1, new CallError("rate_limited", "", { status: 429, retryAfterSeconds: 30 }), 0)).toBe(30_000);
});

test("a refused move takes the later moves of its order with it, and no other", () => {
  const moves = [move("a", "one", 1), move("b", "two", 2), move("c", "one", 3), move("d", "one", 4)];
  expect(movesToDrop(moves, moves[2] as QueuedMove).map(({ key }) => key)).toEqual(["c", "d"]);
});
