import { expect, test } from "vitest";
import { isEventId, readActivitySearch, readDeliverySearch, readRequestSearch } from "./search-params.ts";

test("known values are kept, all others are dropped", () => {
  expect(readDeliverySearch({ webhook: 1025, state: "failed", type: "order.paid", open: "7", evil: 1 })).toEqual({
    webhook: 1025,
    state: "failed",
    type: "order.paid",
    open: 7,
  });
  expect(readDeliverySearch({ webhook: "x", state: "eaten", type: {}, event: "", open: -1 })).toEqual({});
  expect(readActivitySearch({ area: "webhook", actor: "staff", subject: 1025 })).toEqual({
    area: "webhook",
    actor: "staff",
    subject: "1025",
  });
  expect(readActivitySearch({ actor: "unknown" })).toEqual({});
  // 429 in an address is read as a number.
  expect(readRequestSearch({ token: 5, status: 429 })).toEqual({ token: 5, status: "429" });
  expect(readRequestSearch({ token: 1.5, status: "3xx" })).toEqual({});
});

test("an event id must be complete", () => {
  expect(isEventId("01a1db39-58b8-75e1-8860-a981f2727a6a")).toBe(true);
  for (const part of ["01a1db39", "01a1db39-58b8-75e1-8860-a981f2727a6a ", ""]) expect(isEventId(part)).toBe(false);
});
