import { expect, test } from "vitest";
import { addMove, canUndo, nextDueAt, type OrderMove, splitDue, UNDO_MS, undoMove } from "./undo-queue.ts";

const move = (key: string, orderId = key) => ({
  key,
  orderId,
  name: "#42",
  seenStatus: "ready" as const,
  status: "completed" as const,
  reason: null,
  stock: null,
  unpaid: null,
});
const keys = (queue: readonly OrderMove[]): string[] => queue.map(({ key }) => key);
const two = addMove(addMove([], move("a"), 1000), move("b"), 2000);

test("accept and ready are sent at once, the others can be undone", () => {
  const statuses = ["accepted", "ready", "completed", "rejected", "cancelled"] as const;
  expect(statuses.filter(canUndo)).toEqual(["completed", "rejected", "cancelled"]);
});

test("a move is due after its time, not before", () => {
  expect(splitDue(two, 1000 + UNDO_MS - 1).due).toEqual([]);
  const { due, rest } = splitDue(two, 1000 + UNDO_MS);
  expect([keys(due), keys(rest)]).toEqual([["a"], ["b"]]);
  expect(nextDueAt(two)).toBe(1000 + UNDO_MS);
  expect(nextDueAt([])).toBeNull();
});

test("undo takes back the named move, else the newest", () => {
  expect(keys(undoMove(two, "a"))).toEqual(["b"]);
  expect(keys(undoMove(two))).toEqual(["a"]);
  expect(undoMove([])).toEqual([]);
});

test("another tap on the same order replaces the first", () => {
  expect(keys(addMove(two, move("c", "a"), 3000))).toEqual(["b", "c"]);
});
