/** Bills of tables, and what else is read again after a change of one. */
import { queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

export const openBillsQuery = (venue: string) =>
  queryOptions({
    queryKey: ["bills", venue, "open"],
    queryFn: async () => (await call("readOpenBills", { params: { venue } })).data,
  });

export const billQuery = (venue: string, bill: string) =>
  queryOptions({
    queryKey: ["bills", venue, bill],
    queryFn: async () => (await call("readBill", { params: { venue, bill } })).data,
  });

/** Payments and moves change orders too. */
export const changedByBills = (venue: string): string[][] =>
  ["bills", "board", "order", "closed-orders", "takings", "booking-day"].map((name) => [name, venue]);
