import { bookingsToCome, ticketsToCome } from "@comanda/contract/console/bookings-to-come.ts";
import { expect, test } from "vitest";
import { readBookingsToCome, readTicketsToCome } from "./bookings-to-come.ts";

test("the console reads the number that the server writes", () => {
  const counts = [1, 2, 40].flatMap((count) => ["It", "The branch", "Table 7 has 3"].map((subject) => [subject, count] as const));
  for (const [subject, count] of counts) {
    expect([readBookingsToCome(bookingsToCome(subject, count)), readTicketsToCome(bookingsToCome(subject, count))]).toEqual([count, null]);
    expect([readBookingsToCome(ticketsToCome(subject, count)), readTicketsToCome(ticketsToCome(subject, count))]).toEqual([null, count]);
  }
  expect(readBookingsToCome("The zone cannot change while there are bookings to come.")).toBeNull();
});
