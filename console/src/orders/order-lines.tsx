import type { Order, OrderLine } from "@comanda/contract/venue/orders.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";

/** The lines with quantity, size and extras; with amounts where they are needed. */
type OrderLinesProps = { order: Order; hasAmounts?: boolean; actionOf?: (line: OrderLine) => ReactNode };

export const OrderLines = ({ order, hasAmounts = false, actionOf }: OrderLinesProps) => (
  <ul className="order-lines">
    {order.items.map((line) => (
      <Line
        key={line.id}
        line={line}
        amount={hasAmounts ? formatMoney(line.line_total_minor, order.currency) : null}
        action={actionOf?.(line)}
      />
    ))}
  </ul>
);

const Line = ({ line, amount, action }: { line: OrderLine; amount: string | null; action: ReactNode }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return (
    <li className={line.voided ? "order-line line-voided" : "order-line"}>
      <span className="line-quantity figures">{line.quantity}×</span>
      <span className="line-what">
        <bdi className="line-name">{pick(line.name)}</bdi>
        {line.variant_name && (
          <>
            {" "}
            <bdi className="line-size">{pick(line.variant_name)}</bdi>
          </>
        )}
        {line.voided && <span className="line-void"> ({t("order.voided")})</span>}
        {line.modifiers.length > 0 && (
          <ul className="line-extras">
            {line.modifiers.map(({ name }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: extras have no id, and a sold line does not change.
              <li key={place}>
                <bdi>{pick(name)}</bdi>
              </li>
            ))}
          </ul>
        )}
      </span>
      {amount !== null && <span className="line-amount figures">{amount}</span>}
      {action && <span className="line-action">{action}</span>}
    </li>
  );
};
