/** Sums of the takings of a day. */

import type { Takings } from "@comanda/contract/console/orders.ts";
import { sumOf } from "@comanda/contract/minor.ts";

type TakingsRow = Takings["rows"][number];
export type TakingsSums = Pick<TakingsRow, "payments" | "taken_minor" | "refunded_minor" | "tips_minor">;
export type TakingsGroup = { method: TakingsRow["method"]; rows: TakingsRow[]; sums: TakingsSums };

const sum = (rows: readonly TakingsSums[]): TakingsSums => ({
  payments: rows.reduce((all, { payments }) => all + payments, 0),
  taken_minor: sumOf(rows.map(({ taken_minor }) => taken_minor)),
  refunded_minor: sumOf(rows.map(({ refunded_minor }) => refunded_minor)),
  tips_minor: sumOf(rows.map(({ tips_minor }) => tips_minor)),
});

/** The money of a gift card came in when the card was sold. What it pays later is no other money. */
const isRedemption = ({ method }: Pick<TakingsRow, "method">): boolean => method === "gift_card";

/** `total` is the money that came in. What was paid with gift cards is `redeemed`, outside of it. */
export const groupByMethod = (
  rows: readonly TakingsRow[],
): { groups: TakingsGroup[]; total: TakingsSums; redeemed: TakingsGroup | null } => {
  const groups = [...Map.groupBy(rows, ({ method }) => method)].map(([method, same]) => ({ method, rows: same, sums: sum(same) }));
  return {
    groups: groups.filter((group) => !isRedemption(group)),
    total: sum(rows.filter((row) => !isRedemption(row))),
    redeemed: groups.find(isRedemption) ?? null,
  };
};
