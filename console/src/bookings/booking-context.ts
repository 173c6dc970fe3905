/** What a row can ask the page to do, and what it must know of the day. */
import type { BookingDay, DayBooking, FloorTable, TableBlock } from "@comanda/contract/console/bookings.ts";
import { createContext, useContext } from "react";
import type { OrdersOfTable } from "./table-orders.ts";
import type { DelayedSteps } from "./use-delayed-steps.ts";

export type BookingContextValue = {
  venue: string;
  zone: string;
  currency: string;
  clockAheadMs: number;
  tables: readonly FloorTable[];
  branches: BookingDay["branches"];
  /** Tables that are taken without a booking. */
  orders: ReadonlyMap<number, OrdersOfTable>;
  delayed: DelayedSteps;
  open: (booking: DayBooking) => void;
  openBlock: (block: TableBlock) => void;
};

export const BookingContext = createContext<BookingContextValue | null>(null);

export const useBookingContext = (): BookingContextValue => {
  const context = useContext(BookingContext);
  if (!context) throw new Error("A booking is rendered outside the page.");
  return context;
};

/** In a text of the other direction a name keeps its own. */
const isolate = (name: string): string => (document.documentElement.dir === "rtl" ? `\u2068${name}\u2069` : name);

export const useTableNames = (): ((ids: readonly number[]) => string) => {
  const { tables } = useBookingContext();
  return (ids) => ids.map((id) => isolate(tables.find((table) => table.id === id)?.name ?? `#${id}`)).join(" + ");
};
