/** The amounts of the quote, as the receipt will show them. */

import type { OrderForm, OrderQuote } from "@comanda/contract/console/staff-orders.ts";
import { minor } from "@comanda/contract/minor.ts";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#kit/number-format.ts";
import { formatClock } from "#kit/venue-time.ts";

type AmountsProps = { quote: OrderQuote; form: OrderForm; isCurrent: boolean };

const PARTS = [
  ["subtotal", "subtotal_minor"],
  ["discount", "discount_minor"],
  ["service", "service_charge_minor"],
  ["delivery", "delivery_fee_minor"],
  ["tax", "tax_added_minor"],
] as const;

export const DraftAmounts = ({ quote: { amounts, promised_at }, form, isCurrent }: AmountsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  if (!amounts) return null;
  const parts = PARTS.filter(([, field]) => amounts[field] > 0);
  return (
    <>
      <dl className="new-order-amounts figures" data-current={isCurrent}>
        {parts.length > 1 &&
          parts.map(([name, field]) => (
            <div key={name}>
              <dt>{t(name)}</dt>
              <dd>{formatMoney(field === "discount_minor" ? minor(-amounts[field]) : amounts[field], form.currency)}</dd>
            </div>
          ))}
        <div className="new-order-total">
          <dt>{t("total")}</dt>
          <dd>{formatMoney(amounts.total_minor, form.currency)}</dd>
        </div>
      </dl>
      {promised_at !== null && <p className="new-order-hint">{t("promised", { time: formatClock(promised_at, form.zone) })}</p>}
    </>
  );
};
