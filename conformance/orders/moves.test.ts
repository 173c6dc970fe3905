/** All thirty moves: from each of the six statuses to each of the five possible targets. */
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";
import { describe, expect, test } from "vitest";
import { errorOf, expectRefused, expectStatus } from "../expectations.ts";
import { lab } from "../target.ts";
import { getOrder, orderOf, orderThatIs, postStatus, readOrder } from "./orders.ts";

const TARGETS = ["accepted", "rejected", "ready", "completed", "cancelled"] as const;

/** Allowed moves, in the order in which the requirements number them. */
const MOVES: [OrderStatus, readonly OrderStatus[]][] = [
  ["placed", ["accepted", "rejected", "cancelled"]],
  ["accepted", ["ready", "cancelled"]],
  ["ready", ["completed", "cancelled"]],
  ["completed", []],
  ["rejected", []],
  ["cancelled", []],
];

const moves = MOVES.flatMap(([from, open]) => TARGETS.map((to) => ({ from, to, isOpen: open.includes(to) })));

describe.concurrent("moves", () => {
  for (const [index, { from, to, isOpen }] of moves.entries()) {
    const id = `R3.1-${String(index + 1).padStart(2, "0")}`;
    if (isOpen)
      test(`${id} ${from} → ${to}`, async () => {
        const before = await orderThatIs(from, lab);
        const answer = await postStatus(lab, before.id, { status: to });
        expectStatus(answer, 200);
        const { updated_at } = orderOf(answer);
        expect(orderOf(answer)).toEqual({ ...before, status: to, updated_at });
        expect(await readOrder(lab, before.id)).toEqual(orderOf(answer));
      });
    else
      test(`${id} R3.1-31 R7.1-06 ${from} → ${to}: 409 invalid_transition, and the order is as it was`, async () => {
        const { id: orderId } = await orderThatIs(from, lab);
        const before = await getOrder(lab, orderId);
        const answer = await postStatus(lab, orderId, { status: to, reason: "Changed our mind" });
        expectRefused(answer, "invalid_transition");
        expect(errorOf(answer).details).toEqual({ from, to });
        expect((await getOrder(lab, orderId)).text).toBe(before.text);
      });
  }
});
