import { expect, test } from "vitest";
import { type QueuedMove, UNDO_MS } from "#offline/queued-moves.ts";
import { addMove, followSteps, nextDueAt, splitDue, undoable, undoMove } from "./undo-queue.ts";

const move = (key: string, orderId = key) => ({
  key,
  orderId,
  name: "#42",
  seenStatus: "ready" as const,
  status: "cancelled" as const,
  reason: "left",
  stock: null,
  unpaid: null,
  afterKeys: [],
});
const keys = (queue: readonly { key: string }[]): string[] => queue.map(({ key }) => key);
const two = addMove(addMove([], move("a"), 1000), move("b"), 2000);

test("a move is due after its time, not before", () => {
  expect(splitDue(two, 1000 + UNDO_MS - 1).due).toEqual([]);
  const { due, rest } = splitDue(two, 1000 + UNDO_MS);
  expect([keys(due), keys(rest)]).toEqual([["a"], ["b"]]);
  expect(nextDueAt(two)).toBe(1000 + UNDO_MS);
  expect(nextDueAt([])).toBeNull();
});

test("undo takes back the named move", () => {
  expect(keys(undoMove(two, "a"))).toEqual(["b"]);
  expect(undoMove([], "a")).toEqual([]);
});

test("of an order only the last move can be undone, and the newest of all is the last", () => {
  const held = (key: string, orderId: string, dueAt: number) => ({ ...move(key, orderId), dueAt });
  expect(keys(undoable([held("late", "a", 9), held("first", "a", 1), held("other", "b", 5)]))).toEqual(["other", "late"]);
});

test("another tap on the same order replaces the first", () => {
  expect(keys(addMove(two, move("c", "a"), 3000))).toEqual(["b", "c"]);
});

test("a cancellation is made for the status after the steps that are on their way, and is sent after them", () => {
  const step = (key: string, status: "accepted" | "ready"): QueuedMove => ({
    ...move(key, "a"),
    seenStatus: "placed",
    status,
    person: 7,
    venue: "lab",
    at: 0,
  });
  const [cancelled, other] = followSteps(two, "a", [step("one", "accepted"), step("two", "ready")]);
  expect([cancelled?.seenStatus, cancelled?.afterKeys, other]).toEqual(["ready", ["one", "two"], two[1]]);
  expect(followSteps(two, "a", [])).toEqual(two);
});
