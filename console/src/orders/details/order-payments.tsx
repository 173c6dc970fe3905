import type { OrderDetails, OrderPayment } from "@comanda/contract/console/orders.ts";
import { Button, Text } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { formatMoney } from "#kit/number-format.ts";
import { formatClock } from "#kit/venue-time.ts";
import { useRole } from "#shell/venue.ts";
import { dueOf } from "../counter-amounts.ts";
import { useBoardContext } from "../order-actions.ts";

export const OrderPayments = ({ details }: { details: OrderDetails }) => {
  const { t } = useTranslation();
  const { open } = useBoardContext();
  const { order, payments } = details;
  return (
    <section>
      <h3 className="item-title">{t("details.payments")}</h3>
      {payments.length === 0 && <Text c="dimmed">{t("details.noPayments")}</Text>}
      <ul className="detail-list">
        {payments.map((payment) => (
          <PaymentItem key={payment.id} details={details} payment={payment} />
        ))}
      </ul>
      {dueOf(order) > 0 && (
        <Button variant="light" className="service-target" mt="sm" onClick={() => open({ kind: "payment", order })}>
          {t("order.takePayment")}
        </Button>
      )}
    </section>
  );
};

const PaymentItem = ({ details: { order }, payment }: { details: OrderDetails; payment: OrderPayment }) => {
  const { t } = useTranslation();
  const { open, zone } = useBoardContext();
  const canRefund = useRole() !== "staff" && payment.amount_minor > payment.refunded_total_minor;
  const { currency } = order.order;
  return (
    <li>
      <span className="grow">
        <b className="figures">{formatMoney(payment.amount_minor, currency)}</b> {t(`payment.methods.${payment.method}`)}
        {payment.refunded_total_minor > 0 && (
          <span className="bad"> · {t("details.refunded", { amount: formatMoney(payment.refunded_total_minor, currency) })}</span>
        )}
        <span className="hint detail-by">
          <span className="figures">{formatClock(payment.recorded_at, zone)}</span>{" "}
          <Trans t={t} i18nKey="details.by" values={{ name: payment.recorded_by }} components={{ bdi: <bdi /> }} />
        </span>
      </span>
      {canRefund && (
        <Button variant="default" onClick={() => open({ kind: "refund", order, payment })}>
          {t("details.refund")}
        </Button>
      )}
    </li>
  );
};
