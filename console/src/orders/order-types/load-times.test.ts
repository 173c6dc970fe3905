import type { OrderTypeState } from "@comanda/contract/console/order-types.ts";
import { expect, test } from "vitest";
import { endIn, runningAt } from "./load-times.ts";

const state: OrderTypeState = {
  type: "delivery",
  paused_until: "2026-11-14T19:30:00.000Z",
  busy_until: "2026-11-14T20:00:00.000Z",
  extra_minutes: 10,
};
const at = (time: string): number => Date.parse(`2026-11-14T${time}Z`);

test("a pause and a busy time are shown until their ends, each by itself", () => {
  expect(runningAt(state, at("19:29:59.999"))).toEqual(state);
  expect(runningAt(state, at("19:30:00"))).toEqual({ ...state, paused_until: null });
  expect(runningAt(state, at("20:00:00"))).toEqual({ type: "delivery", paused_until: null, busy_until: null, extra_minutes: null });
});

test("an end is a whole minute, as on the server", () => {
  expect(endIn(at("19:00:00"), 30)).toBe(at("19:30:00"));
  expect(endIn(at("19:00:00.001"), 30)).toBe(at("19:31:00"));
});
