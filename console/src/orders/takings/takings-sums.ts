/** Sums of the takings of a day. */
import type { Takings } from "@comanda/contract/console/orders.ts";

type TakingsRow = Takings["rows"][number];
export type TakingsSums = Pick<TakingsRow, "payments" | "taken_minor" | "refunded_minor">;
type TakingsGroup = { method: TakingsRow["method"]; rows: TakingsRow[]; sums: TakingsSums };

const sum = (rows: readonly TakingsSums[]): TakingsSums => ({
  payments: rows.reduce((all, { payments }) => all + payments, 0),
  taken_minor: rows.reduce((all, { taken_minor }) => all + taken_minor, 0),
  refunded_minor: rows.reduce((all, { refunded_minor }) => all + refunded_minor, 0),
});

export const groupByMethod = (rows: readonly TakingsRow[]): { groups: TakingsGroup[]; total: TakingsSums } => ({
  groups: [...Map.groupBy(rows, ({ method }) => method)].map(([method, same]) => ({ method, rows: same, sums: sum(same) })),
  total: sum(rows),
});
