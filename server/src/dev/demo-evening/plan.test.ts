import { expect, test } from "vitest";
import { random } from "../../../test/support/seeded-random.ts";
import { type DemoOrder, decideStep } from "./plan.ts";

const STEP_MS = 15_000;

test("a night without anybody at the board: orders come, move and go, and never more than twelve are open", () => {
  const pick = random(7);
  const chance = (): number => pick(1000) / 1000;
  let orders: DemoOrder[] = [];
  let done = 0;
  for (let stepNumber = 0; stepNumber < 3000; stepNumber++) {
    const now = new Date(stepNumber * STEP_MS);
    const { move, isOrderArriving } = decideStep(orders, now, chance);
    const moved = orders.find(({ id }) => id === move?.id);
    if (moved && move) Object.assign(moved, { status: move.to, changedAt: now });
    done += orders.filter(({ status }) => status === "completed").length;
    orders = orders.filter(({ status }) => status !== "completed");
    if (isOrderArriving) orders.push({ id: String(stepNumber), status: "placed", changedAt: now, isHeld: false });
    expect(orders.length).toBeLessThanOrEqual(12);
  }
  expect(done).toBeGreaterThan(200);
});

test("a new order is left for three minutes to the person at the board, and an order for later until its time", () => {
  const order: DemoOrder = { id: "a", status: "placed", changedAt: new Date(0), isHeld: false };
  const moveAfter = (minutes: number, changes: Partial<DemoOrder> = {}) =>
    decideStep([{ ...order, ...changes }], new Date(minutes * 60_000 + 1), () => 1).move;
  expect(moveAfter(2)).toBeNull();
  expect(moveAfter(3)).toEqual({ id: "a", to: "accepted" });
  expect(moveAfter(60, { isHeld: true })).toBeNull();
});
