/** Guests at a table without a booking, whose open order shows that they are there. */
import type { DayBooking, TableOrder } from "@comanda/contract/console/bookings.ts";
import { phaseOf } from "./phases.ts";

/** The orders of one table: their numbers, and when the first began. */
export type OrdersOfTable = { tableId: number; numbers: string; since: string };

/** Groups orders by table. Where a party is seated, the orders are its own. */
export const ordersByTable = (orders: readonly TableOrder[], bookings: readonly DayBooking[]): ReadonlyMap<number, OrdersOfTable> => {
  const seated = new Set(bookings.filter((booking) => phaseOf(booking) === "seated").flatMap(({ table_ids }) => table_ids));
  const others = orders.filter(({ table_id }) => !seated.has(table_id)).toSorted((a, b) => a.since.localeCompare(b.since));
  const groups = Map.groupBy(others, ({ table_id }) => table_id);
  return new Map(
    [...groups].map(([tableId, group]) => [
      tableId,
      { tableId, numbers: group.map(({ number }) => `#${number ?? "–"}`).join(", "), since: group[0]?.since ?? "" },
    ]),
  );
};
