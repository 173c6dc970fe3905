import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { Button, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { CheckIcon, ClockIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { dueOf, isUnsold, overpaidOf } from "./counter-amounts.ts";
import { useBoardContext } from "./order-actions.ts";
import { OrderLines } from "./order-lines.tsx";
import { OrderMenu } from "./order-menu.tsx";
import { orderNameOf, STEPS, useOrderWho } from "./order-steps.ts";
import { PromiseTime, useLateness } from "./promise-time.tsx";
import { cardId, useIsSelected } from "./selection.ts";

type OrderCardProps = { order: BoardOrder; isSending: boolean; isWaiting: boolean; hasStatus?: boolean };

export const OrderCard = memo(({ order, isSending, isWaiting, hasStatus = false }: OrderCardProps) => {
  const { t } = useTranslation();
  const lateness = useLateness(order);
  const isSelected = useIsSelected(order.order.id);
  const { id, note, status } = order.order;
  return (
    <article
      id={cardId(id)}
      tabIndex={-1}
      className={`order-card order-${lateness}`}
      data-selected={isSelected || undefined}
      aria-labelledby={`${cardId(id)}-name`}
    >
      <CardHead order={order} isWaiting={isWaiting} />
      {isWaiting && (
        <p className="order-waiting">
          <ClockIcon size={16} />
          {t("waiting.mark")}
        </p>
      )}
      <div className="order-when">
        <PromiseTime order={order} />
        {hasStatus && <span className="order-status">{t(`order.statuses.${status}`)}</span>}
      </div>
      <OrderLines order={order.order} />
      {note && (
        <p className="order-note">
          <b>{t("order.note")}:</b> <bdi>{note}</bdi>
        </p>
      )}
      <div className="order-foot">
        <PaidMark order={order} />
        <NextStep order={order} isSending={isSending} />
      </div>
    </article>
  );
});

const CardHead = ({ order, isWaiting }: Pick<OrderCardProps, "order" | "isWaiting">) => {
  const { t } = useTranslation();
  const { open, branches } = useBoardContext();
  const pick = useLocalizedName();
  const who = useOrderWho(order);
  const { id, type, branch_id } = order.order;
  const branch = branches.find((one) => one.id === branch_id);
  return (
    <div className="order-head">
      <h3 id={`${cardId(id)}-name`} className="order-number figures">
        <UnstyledButton className="order-open" onClick={() => open({ kind: "details", order })}>
          {orderNameOf(order)}
        </UnstyledButton>
      </h3>
      <span className="order-who">
        <span className="order-name">
          <bdi>{who}</bdi>
        </span>
        <span className="order-type">
          {t(`order.types.${type}`)}
          {branch && (
            <>
              {" · "}
              <bdi>{pick(branch.name)}</bdi>
            </>
          )}
        </span>
      </span>
      <OrderMenu order={order} isWaiting={isWaiting} />
    </div>
  );
};

/** What is due is also the way to take it: two taps from the card. */
const PaidMark = ({ order }: { order: BoardOrder }) => {
  const { t } = useTranslation();
  const { open } = useBoardContext();
  const { total_minor, currency, status } = order.order;
  const total = <span className="order-total figures">{formatMoney(total_minor, currency)}</span>;
  const due = formatMoney(dueOf(order), currency);
  if (overpaidOf(order) > 0)
    return (
      <span className="order-money">
        {total}
        <span className="order-unpaid bad figures">{t("strike.giveBackOf", { amount: formatMoney(overpaidOf(order), currency) })}</span>
      </span>
    );
  if (isUnsold(status)) return <span className="order-money">{total}</span>;
  if (dueOf(order) === 0)
    return (
      <span className="order-money">
        {total}
        <span className="order-paid">
          <CheckIcon size={15} />
          {t("order.paid")}
        </span>
      </span>
    );
  return (
    <UnstyledButton className="order-money order-due" onClick={() => open({ kind: "payment", order })}>
      <VisuallyHidden>{t("order.paymentOf", { name: orderNameOf(order) })}</VisuallyHidden>
      {total}
      <span className="order-unpaid figures">{order.paid_minor === 0 ? t("order.unpaid") : t("order.due", { amount: due })}</span>
    </UnstyledButton>
  );
};

const NextStep = ({ order, isSending }: { order: BoardOrder; isSending: boolean }) => {
  const { t } = useTranslation();
  const { move } = useBoardContext();
  const { next } = STEPS[order.order.status];
  if (next !== "accepted" && next !== "ready" && next !== "completed") return null;
  const action = t(`order.next.${next}`);
  return (
    <Button
      className={next === "accepted" ? "order-next" : "order-next order-next-calm"}
      {...(isSending ? {} : { "aria-label": `${action} ${orderNameOf(order)}` })}
      disabled={isSending}
      // The second tap of a double tap is ignored: by then the next card can be at the same place.
      onClick={({ detail }) => detail <= 1 && move(order, next)}
    >
      {isSending ? t("order.sending") : action}
    </Button>
  );
};
