/** A refusal of the quote in the reader's language. */

import type { FieldRefusal, OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { minor } from "@comanda/contract/minor.ts";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#kit/number-format.ts";
import { formatClock, formatDayAndClock } from "#kit/venue-time.ts";
import { serviceDayOf } from "../board-columns.ts";

/** "lines.3.item_id" concerns the fourth line. */
export const lineOfField = (field: string): number | null => {
  const [, index] = /^lines\.(\d+)\./.exec(field) ?? [];
  return index === undefined ? null : Number(index);
};

/** Amounts and times are written as the reader writes them. */
export const useRefusalText = ({ currency, zone, now }: Pick<OrderForm, "currency" | "zone" | "now">) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  return ({ reason, values }: FieldRefusal): string => {
    const endsAt = String(values.ends_at ?? now);
    const until =
      serviceDayOf(Date.parse(endsAt), zone) === serviceDayOf(Date.parse(now), zone)
        ? formatClock(endsAt, zone)
        : formatDayAndClock(endsAt, zone);
    return t(`refusals.${reason}`, { ...values, until, amount: formatMoney(minor(Number(values.minimum_minor ?? 0)), currency) });
  };
};
