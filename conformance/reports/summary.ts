/** Helpers to read the sales summary, and relations between its figures. */
import type { SalesSummary } from "@comanda/contract/venue/reports.ts";
import { expect } from "vitest";
import type { CheckedAnswer } from "../answer-check.ts";
import { call, type Query } from "../client.ts";
import { expectStatus } from "../expectations.ts";
import type { Venue } from "../target.ts";

export const askSummary = (venue: Venue, query: Query | string = ""): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "GET", "/reports/sales-summary", { query });

export const readSummary = async (venue: Venue, query: Query | string = ""): Promise<SalesSummary> => {
  const answer = await askSummary(venue, query);
  expectStatus(answer, 200);
  return (answer.body as unknown as { data: SalesSummary }).data;
};

export type Figures = Pick<SalesSummary, "orders" | "revenue_minor" | "average_order_minor">;

export const figuresOf = ({ orders, revenue_minor, average_order_minor }: Figures): Figures => ({
  orders,
  revenue_minor,
  average_order_minor,
});

/** Rounded half up; 0 without orders. */
const averageOf = ({ orders, revenue_minor }: Figures): number => (orders === 0 ? 0 : Math.floor(revenue_minor / orders + 0.5));

const isChange = (percent: number, now: number, before: number): boolean => {
  if (before === 0) return percent === (now === 0 ? 0 : 100);
  return Math.abs(percent - ((now - before) / before) * 100) <= 0.0501 && Math.abs(percent * 10 - Math.round(percent * 10)) < 1e-6;
};

/** Averages follow from orders and revenue, changes from both periods. */
export const expectCoherent = (summary: SalesSummary): void => {
  const { previous, change } = summary;
  for (const figures of [summary, previous]) expect(figures.average_order_minor).toBe(averageOf(figures));
  expect(isChange(change.revenue_pct, summary.revenue_minor, previous.revenue_minor), JSON.stringify(summary)).toBe(true);
  expect(isChange(change.orders_pct, summary.orders, previous.orders), JSON.stringify(summary)).toBe(true);
};
