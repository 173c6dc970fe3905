import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#kit/number-format.ts";
import { dueOf, overpaidOf } from "../counter-amounts.ts";

/** Amounts that are zero are left out, except for the total. */
export const OrderTotals = ({ order }: { order: BoardOrder }) => {
  const { t } = useTranslation();
  const sums = order.order;
  const money = (amount: Minor): string => formatMoney(amount, sums.currency);
  const parts = (
    [
      ["subtotal", sums.subtotal_minor],
      ["discount", minor(-sums.discount_minor)],
      ["service", sums.service_charge_minor],
      ["fee", sums.delivery_fee_minor],
      ["tax", sums.tax_added_minor],
    ] as const
  ).filter(([, amount]) => amount !== 0);
  return (
    <dl className="order-totals figures">
      {parts.map(([name, amount]) => (
        <div key={name}>
          <dt>{t(`details.${name}`)}</dt>
          <dd>{money(amount)}</dd>
        </div>
      ))}
      <div className="totals-sum">
        <dt>{t("details.total")}</dt>
        <dd>{money(sums.total_minor)}</dd>
      </div>
      {(sums.tax_breakdown ?? [])
        .filter(({ inclusive }) => inclusive)
        .map(({ name, rate, tax_minor }) => (
          <div key={`${name} ${rate}`} className="quiet">
            {/* A tax is often named after its rate. */}
            <dt>{t("details.taxIncluded", { name: name.includes(String(rate)) ? name : `${name} ${rate}%` })}</dt>
            <dd>{money(tax_minor)}</dd>
          </div>
        ))}
      <div>
        <dt>{t("details.paid")}</dt>
        <dd>{money(order.paid_minor)}</dd>
      </div>
      {dueOf(order) > 0 && (
        <div className="totals-due">
          <dt>{t("details.due")}</dt>
          <dd>{money(dueOf(order))}</dd>
        </div>
      )}
      {overpaidOf(order) > 0 && (
        <div className="totals-due">
          <dt>{t("strike.giveBack")}</dt>
          <dd>{money(overpaidOf(order))}</dd>
        </div>
      )}
    </dl>
  );
};
