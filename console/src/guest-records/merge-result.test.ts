/** What the page shows before a merge is what the server decides. */
import { expect, test } from "vitest";
import { readGuestSearch } from "#guests/guest-search.ts";
import { mergeResultOf } from "./merge-result.ts";
import { timelineOf } from "./timeline.ts";

const guest = { name: "Ada", phone: null, email: "a@b.c", visits_count: 2, total_spend_minor: 100, marketing_opted_in: true };

test("the guest that stays keeps its name and gets what it lacks; consent needs both", () => {
  const other = { ...guest, name: "A.", phone: "+1", email: "x@y.z", visits_count: 3, marketing_opted_in: false };
  expect(mergeResultOf(guest, other)).toEqual({
    name: "Ada",
    phone: "+1",
    email: "a@b.c",
    visits_count: 5,
    total_spend_minor: 200,
    marketing_opted_in: false,
  });
  expect(mergeResultOf(guest, guest).marketing_opted_in).toBe(true);
});

test("orders and bookings are one list, the newest first", () => {
  const order = { id: "o", number: 1, type: "pickup", status: "completed", total_minor: 5, placed_at: "2026-01-02T00:00:00.000Z" } as const;
  const booking = { id: "b", status: "seated", party_size: 2, starts_at: "2026-01-03T00:00:00.000Z" } as const;
  expect(timelineOf({ orders: [order], reservations: [booking], experiences: [] }).map(({ kind }) => kind)).toEqual(["booking", "order"]);
});

test("digits in the address of the page are a search too", () => {
  expect(readGuestSearch({ search: 4711 })).toEqual({ search: "4711" });
  expect(readGuestSearch({ search: " " })).toEqual({});
  expect(readGuestSearch({ search: ["x"] })).toEqual({});
});
