import type { Board, BoardOrder } from "@comanda/contract/console/orders.ts";
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";
import { expect, test } from "vitest";
import { mergeBoard, mergeWritten, positionToAsk } from "./board-state.ts";

const order = (id: string, status: OrderStatus, changedAt = "2026-11-14T19:00:00.000Z"): BoardOrder =>
  ({ order: { id, status }, changed_at: changedAt }) as BoardOrder;

const answer = (position: string, isWhole: boolean, orders: BoardOrder[]): Board => ({
  position,
  is_whole: isWhole,
  orders,
  is_cut: false,
  branches: [],
  order_types: [],
  zone: "Europe/Rome",
  now: "2026-11-14T19:00:05.000Z",
});

const RECEIVED_AT = Date.parse("2026-11-14T19:00:00.000Z");
const whole = mergeBoard(undefined, answer("1.1", true, [order("a", "placed"), order("b", "accepted")]), RECEIVED_AT);
const seen = ({ orders }: { orders: BoardOrder[] }) => orders.map(({ order: { id, status } }) => `${id} ${status}`);

test("a whole answer replaces all orders", () => {
  const next = mergeBoard(whole, answer("1.9", true, [order("c", "ready")]), RECEIVED_AT);
  expect([seen(next), next.position]).toEqual([["c ready"], "1.9"]);
});

test("a partial answer changes, adds and removes", () => {
  const next = mergeBoard(
    whole,
    answer("1.2", false, [order("a", "accepted"), order("b", "completed"), order("c", "placed")]),
    RECEIVED_AT,
  );
  expect([seen(next), next.position]).toEqual([["a accepted", "c placed"], "1.2"]);
});

test("an answer that was read before a write does not bring the old state back", () => {
  const written = mergeWritten(whole, order("a", "accepted", "2026-11-14T19:01:00.000Z"));
  const next = mergeBoard(written, answer("1.2", false, [order("a", "placed")]), RECEIVED_AT);
  expect(seen(next)).toEqual(["a accepted", "b accepted"]);
});

test("the answer to a write keeps the position: changes before it may be missing", () => {
  const written = mergeWritten(whole, order("a", "rejected", "2026-11-14T19:01:00.000Z"));
  expect([seen(written), written.position]).toEqual([["b accepted"], "1.1"]);
});

test("a cut board is asked for as a whole, until it is not cut any more", () => {
  const cut = mergeBoard(undefined, { ...answer("1.1", true, [order("a", "placed")]), is_cut: true }, RECEIVED_AT);
  const next = mergeBoard(cut, answer("1.2", true, [order("a", "placed"), order("b", "placed")]), RECEIVED_AT);
  expect([undefined, cut, next].map(positionToAsk)).toEqual([null, null, "1.2"]);
  expect(seen(next)).toEqual(["a placed", "b placed"]);
});

test("the server's clock is known", () => {
  expect(whole.clockAheadMs).toBe(5000);
});
