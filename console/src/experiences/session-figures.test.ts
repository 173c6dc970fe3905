import { ticketsEndOf } from "@comanda/contract/console/experience-limits.ts";
import { expect, test } from "vitest";
import { findGuests, formatSeconds, leftOf, secondsLeft } from "./session-figures.ts";

test("what is neither sold nor held is left", () => {
  expect(leftOf({ capacity: 12, sold: 5, held: 4 })).toBe(3);
});

test("a hold counts down in whole seconds and ends at zero", () => {
  const endsAt = "2026-11-14T12:05:00.000Z";
  const at = (text: string) => formatSeconds(secondsLeft(endsAt, Date.parse(text)));
  expect([at("2026-11-14T12:00:00.000Z"), at("2026-11-14T12:00:54.100Z"), at("2026-11-14T12:04:59.999Z")]).toEqual([
    "5:00",
    "4:06",
    "0:01",
  ]);
  expect([at("2026-11-14T12:05:00.000Z"), at("2026-11-14T13:00:00.000Z")]).toEqual(["0:00", "0:00"]);
});

test("guests are found by a part of the name, or by digits of the number however it is spaced", () => {
  const guests = [
    { name: "Marco Ferri", phone: "+39 06 0555 0177" },
    { name: "Ada", phone: null },
  ];
  expect(findGuests(guests, "fer")).toHaveLength(1);
  expect(findGuests(guests, "0550177")).toHaveLength(0);
  expect(findGuests(guests, "5550 177")).toHaveLength(1);
  expect(findGuests(guests, "")).toHaveLength(2);
  expect(findGuests(guests, "zoe")).toEqual([]);
});

test("tickets that ended are expired, released, refunded, or cancelled when they were free", () => {
  const paid_at = "2026-11-14T12:05:00.000Z";
  expect(ticketsEndOf({ state: "expired", paid_at: null, method: null })).toBe("expired");
  expect(ticketsEndOf({ state: "cancelled", paid_at: null, method: null })).toBe("released");
  expect(ticketsEndOf({ state: "cancelled", paid_at, method: "cash" })).toBe("refunded");
  expect(ticketsEndOf({ state: "cancelled", paid_at, method: null })).toBe("cancelled");
});
