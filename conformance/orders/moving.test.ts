/** Effects of a move: reason, `updated_at`, and one winner of a race. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Order, OrderStatus } from "@comanda/contract/venue/orders.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { errorOf, expectRefused } from "../expectations.ts";
import { lab } from "../target.ts";
import { moveOrder, orderOf, orderThatIs, placeOrder, postStatus, readOrder } from "./orders.ts";

const OPEN_STATUSES = ["placed", "accepted", "ready"] as const satisfies OrderStatus[];

describe("a new order", () => {
  test("R3.1-35 is placed", async () => {
    for (const parts of [{}, { channel: "phone" }, { status: "completed" }]) expect((await placeOrder(lab, parts)).status).toBe("placed");
  });
});

describe("the reason", () => {
  for (const status of OPEN_STATUSES)
    test(`R3.1-32 R2.5-10 of a cancel from ${status} is kept, from 3 to 200 characters`, async () => {
      for (const reason of ["Out", "x".repeat(200), "🍜".repeat(200), "No one at the address — العنوان خطأ"]) {
        const { id } = await orderThatIs(status, lab);
        expect((await moveOrder(lab, id, "cancelled", { reason })).cancel_reason).toBe(reason);
        expect(await readOrder(lab, id)).toMatchObject({ status: "cancelled", cancel_reason: reason });
      }
    });

  for (const status of OPEN_STATUSES)
    test(`R3.1-33 R2.5-10 may be left out or null: cancelled from ${status} without one`, async () => {
      for (const parts of [{}, { reason: null }]) {
        const { id } = await orderThatIs(status, lab);
        expect(await moveOrder(lab, id, "cancelled", parts)).toMatchObject({ status: "cancelled", cancel_reason: null });
        expect((await readOrder(lab, id)).cancel_reason).toBeNull();
      }
    });

  test("R3.1-34 R2.5-10 of any other move is not kept on the order", async () => {
    const steps: [OrderStatus, OrderStatus][] = [
      ["placed", "accepted"],
      ["placed", "rejected"],
      ["accepted", "ready"],
      ["ready", "completed"],
    ];
    for (const [from, to] of steps) {
      const { id } = await orderThatIs(from, lab);
      expect(await moveOrder(lab, id, to, { reason: "As agreed" })).toMatchObject({ status: to, cancel_reason: null });
      expect((await readOrder(lab, id)).cancel_reason).toBeNull();
    }
  });

  test("R3.1-34 of an earlier move does not come back with a cancel without one", async () => {
    const { id } = await placeOrder(lab);
    await moveOrder(lab, id, "accepted", { reason: "Kitchen agrees" });
    expect((await moveOrder(lab, id, "cancelled")).cancel_reason).toBeNull();
  });

  test("R3.1-32 is trimmed before it is kept", async () => {
    const { id } = await placeOrder(lab);
    expect((await moveOrder(lab, id, "cancelled", { reason: "  Out of gas \n" })).cancel_reason).toBe("Out of gas");
  });
});

describe("the moment", () => {
  let older: Order;

  beforeAll(async () => {
    older = await placeOrder(lab);
    await sleep(1100);
  });

  test("R2.5-11 updated_at is never before placed_at, grows with each move, and placed_at stays", async () => {
    expect(Date.parse(older.updated_at)).toBeGreaterThanOrEqual(Date.parse(older.placed_at));
    const accepted = await moveOrder(lab, older.id, "accepted");
    expect(Date.parse(accepted.updated_at)).toBeGreaterThan(Date.parse(older.updated_at));
    const ready = await moveOrder(lab, older.id, "ready");
    expect(Date.parse(ready.updated_at)).toBeGreaterThanOrEqual(Date.parse(accepted.updated_at));
    for (const { placed_at } of [accepted, ready, await readOrder(lab, older.id)]) expect(placed_at).toBe(older.placed_at);
  });
});

/** Sends all moves at once; returns the one that succeeded, and checks that the others got 409 from its status. */
const race = async (targets: OrderStatus[]): Promise<OrderStatus> => {
  const { id } = await placeOrder(lab);
  const answers = await Promise.all(targets.map((status) => postStatus(lab, id, { status })));
  const [winner, ...others] = answers.filter(({ status }) => status === 200);
  if (!winner) throw new Error(`None of the moves was let through: ${answers.map(({ status }) => status)}`);
  expect(others).toEqual([]);
  const { status } = orderOf(winner);
  for (const refused of answers.filter((answer) => answer !== winner)) {
    expectRefused(refused, "invalid_transition");
    expect(errorOf(refused).details.from).toBe(status);
  }
  expect((await readOrder(lab, id)).status).toBe(status);
  return status;
};

describe("a race", () => {
  test("R3.1-36 of accept and reject has one winner, whose status stays", async () => {
    for (let turn = 0; turn < 8; turn++)
      expect(["accepted", "rejected"]).toContain(await race(turn % 2 ? ["accepted", "rejected"] : ["rejected", "accepted"]));
  });

  test("R3.1-36 of six equal moves has one winner", async () => {
    expect(await race(Array.from({ length: 6 }, () => "accepted" as const))).toBe("accepted");
    expect(await race(Array.from({ length: 6 }, () => "cancelled" as const))).toBe("cancelled");
  });
});
