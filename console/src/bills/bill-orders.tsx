/** The orders of a bill with their lines. A rejected or cancelled order is shown apart from what counts. */
import type { Bill } from "@comanda/contract/console/bills.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { lineIdOf } from "./bill-parts.ts";

const isCounted = ({ order: { status } }: BoardOrder): boolean => status !== "rejected" && status !== "cancelled";

export const useOrderName = (): ((order: BoardOrder) => string) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  return ({ number }) => (number === null ? t("orderOf") : t("order", { number }));
};

export const BillOrders = ({ bill }: { bill: Bill }) => (
  <ul className="bill-orders">
    {bill.orders.map((order) => (
      <li key={order.order.id}>
        <OrderHead order={order} />
        {isCounted(order) && <OrderLines bill={bill} order={order} />}
      </li>
    ))}
  </ul>
);

const OrderHead = ({ order }: { order: BoardOrder }) => {
  const { t } = useTranslation();
  const nameOrder = useOrderName();
  const { status, total_minor, currency, paid_at } = order.order;
  const statusText = t(`order.statuses.${status}`);
  return (
    <div className="bill-order-head">
      <b>{nameOrder(order)}</b>
      <span className="grow quiet">
        {isCounted(order) ? statusText : t("bill.notCounted", { status: statusText })}
        {paid_at !== null && <> · {t("bill.paidOrder")}</>}
      </span>
      {isCounted(order) && <b className="figures">{formatMoney(total_minor, currency)}</b>}
    </div>
  );
};

/** Each line with its share of the order's total, so that the shares of a bill add up to it. */
const OrderLines = ({ bill, order }: { bill: Bill; order: BoardOrder }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const pick = useLocalizedName();
  const shares = new Map(bill.lines.map((line) => [lineIdOf(line), line]));
  return (
    <ul className="bill-lines">
      {order.order.items
        .filter(({ voided }) => !voided)
        .map((line) => {
          const share = shares.get(lineIdOf({ order_id: order.order.id, line_id: line.id }));
          return (
            <li key={line.id}>
              <span className="figures">{line.quantity}×</span>
              <span className="grow">
                <bdi>{pick(line.name)}</bdi>
                {share?.is_paid && <span className="quiet"> · {t("paidLine")}</span>}
              </span>
              <span className="figures">{share && formatMoney(share.share_minor, bill.currency)}</span>
            </li>
          );
        })}
    </ul>
  );
};
