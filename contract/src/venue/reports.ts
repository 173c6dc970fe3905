/** Sales figures (contract §2.9, §4.5). */
import { type Static, Type } from "typebox";
import type { Operation } from "../operation.ts";
import { Currency, Id, MinorWithin, Nullable, One, Shape } from "../shared.ts";

const figures = {
  orders: Type.Integer({ minimum: 0 }),
  revenue_minor: MinorWithin({ minimum: 0 }),
  average_order_minor: MinorWithin({ minimum: 0 }),
};

export const SalesSummary = Shape("SalesSummary", {
  from: Type.String({ format: "date" }),
  to: Type.String({ format: "date" }),
  branch_id: Nullable(Id),
  currency: Currency,
  ...figures,
  previous: Type.Object(figures, { description: "The period of the same length before it." }),
  change: Type.Object({ revenue_pct: Type.Number(), orders_pct: Type.Number() }),
});
export type SalesSummary = Static<typeof SalesSummary>;

export const reportOperations = {
  getSalesSummary: {
    method: "GET",
    path: "/reports/sales-summary",
    scope: "reports:read",
    feature: "reporting",
    tag: "Reports",
    summary: "Read the sales summary",
    description:
      "Orders, revenue and average of a period of at most 366 days on the restaurant's clock, and of the one before it. Today by default.",
    query: Type.Object({
      from: Type.Optional(Type.String({ format: "date", description: "First day." })),
      to: Type.Optional(Type.String({ format: "date", description: "Last day." })),
      branch_id: Type.Optional(Type.Integer({ minimum: 0, description: "Only this branch." })),
    }),
    success: { status: 200, body: One(SalesSummary) },
    extraStatuses: [422],
  },
} as const satisfies Record<string, Operation>;
