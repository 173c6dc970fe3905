/** A refusal of the quote in the reader's language. */
import type { FieldRefusal } from "@comanda/contract/console/staff-orders.ts";
import { useTranslation } from "react-i18next";
import { formatMoney } from "../../ui/number-format.ts";

/** "lines.3.item_id" concerns the fourth line. */
export const lineOfField = (field: string): number | null => {
  const [, index] = /^lines\.(\d+)\./.exec(field) ?? [];
  return index === undefined ? null : Number(index);
};

export const useRefusalText = (currency: string) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  return ({ reason, values }: FieldRefusal): string =>
    t(`refusals.${reason}`, { ...values, amount: formatMoney(Number(values.minimum_minor ?? 0), currency) });
};
