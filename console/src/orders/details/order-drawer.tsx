/** One order with its amounts, payments, kitchen tickets and steps. */
import type { BoardOrder, OrderDetails } from "@comanda/contract/console/orders.ts";
import type { OrderLine, OrderStatus } from "@comanda/contract/venue/orders.ts";
import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { channelName } from "#kit/channel-name.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { lazyPart } from "#shell/offline.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useRole } from "#shell/venue.ts";
import { orderDetailsQuery } from "../board-query.ts";
import { useBoardContext } from "../order-actions.ts";
import { OrderLines } from "../order-lines.tsx";
import { orderNameOf, useOrderWho } from "../order-steps.ts";
import { isLastLeft, strikeableOf } from "../strike/can-strike.ts";
import { OrderStepList, OrderTickets } from "./order-history.tsx";
import { OrderPayments } from "./order-payments.tsx";
import { OrderTotals } from "./order-totals.tsx";

const StrikeButton = ({ order, line }: { order: BoardOrder; line: OrderLine }) => {
  const { t } = useTranslation();
  const { open } = useBoardContext();
  const pick = useLocalizedName();
  if (strikeableOf(order.order, line) === 0) return null;
  return (
    <Button
      variant="default"
      className="service-target line-strike"
      aria-label={`${t("strike.strike")} ${t("strike.line", { quantity: line.quantity, line: pick(line.name) })}`}
      onClick={() => open({ kind: "strike", order, line })}
    >
      {t("strike.strike")}
    </Button>
  );
};

const MessagesAbout = lazyPart(() => import("#messages/messages-about.tsx"), "MessagesAbout");

/** `chosen`: the status that the person chose and the server has not confirmed, as the card shows it. */
type OrderDrawerProps = { venue: string; order: BoardOrder; chosen: OrderStatus | undefined; onClose: () => void };

export const OrderDrawer = ({ venue, order, chosen, onClose }: OrderDrawerProps) => {
  const { t } = useTranslation();
  const details = useQuery(orderDetailsQuery(venue, order.order.id));
  const current = details.data?.order ?? order;
  return (
    <SideDialog isOpen onClose={onClose} title={t("details.title", { name: orderNameOf(order) })} size={520}>
      <Stack gap="xl" className="order-details">
        {current.order.note && (
          <p className="order-note">
            <b>{t("order.note")}:</b> <bdi>{current.order.note}</bdi>
          </p>
        )}
        <OrderFacts order={current} chosen={chosen} />
        <BillOfTable order={current} />
        <section>
          <h3 className="item-title">{t("details.lines")}</h3>
          <OrderLines order={current.order} hasAmounts actionOf={(line) => <StrikeButton order={current} line={line} />} />
          {isLastLeft(current.order) && <Text className="hint">{t("strike.only")}</Text>}
          <OrderTotals order={current} />
        </section>
        {details.data ? (
          <History details={details.data} />
        ) : details.error ? (
          <ErrorAlert error={details.error} onRetry={() => void details.refetch()} />
        ) : (
          <Skeleton height={200} role="status" aria-label={t("common.loading")} />
        )}
      </Stack>
    </SideDialog>
  );
};

/** The way to the other orders of the table, and to a payment of all of them. */
const BillOfTable = ({ order }: { order: BoardOrder }) => {
  const { t } = useTranslation();
  const { open } = useBoardContext();
  if (order.bill_id === null) return null;
  return (
    <Button variant="light" className="service-target order-bill" onClick={() => open({ kind: "bill", order })}>
      {t("order.bill")}
    </Button>
  );
};

/** The request for a review, for those who may see it. */
const Messages = ({ order }: { order: BoardOrder }) => {
  const { t } = useTranslation();
  const { zone } = useBoardContext();
  if (useRole() === "staff") return null;
  return (
    <Suspense fallback={null}>
      <MessagesAbout about="order" subject={order.order.id} zone={zone} title={t("messages.title")} />
    </Suspense>
  );
};

const History = ({ details }: { details: OrderDetails }) => (
  <>
    <Messages order={details.order} />
    <OrderPayments details={details} />
    <OrderTickets tickets={details.tickets} />
    <OrderStepList steps={details.steps} lines={details.order.order.items} />
  </>
);

/** Facts that are not known are left out. */
const factsOf = ({ order }: BoardOrder, t: TFunction): [name: "guest" | "address" | "channel" | "reason", text: string][] => {
  const { customer, delivery_address: address, channel, cancel_reason } = order;
  const guest = [customer.name, customer.phone].filter(Boolean).join(" · ");
  return [
    ...(guest === "" ? [] : [["guest", guest] as ["guest", string]]),
    ...(address ? [["address", [address.line1, address.city, address.phone].filter(Boolean).join(", ")] as ["address", string]] : []),
    ["channel", channelName(t, channel)],
    ...(cancel_reason ? [["reason", cancel_reason] as ["reason", string]] : []),
  ];
};

const OrderFacts = ({ order, chosen = order.order.status }: Pick<OrderDrawerProps, "order"> & { chosen?: OrderStatus | undefined }) => {
  const { t } = useTranslation();
  const { zone } = useBoardContext();
  const who = useOrderWho(order);
  const { type, placed_at } = order.order;
  return (
    <dl className="order-facts">
      <dt>{t(`order.types.${type}`)}</dt>
      <dd>
        <bdi>{who}</bdi> · <b>{t(`order.statuses.${chosen}`)}</b>
      </dd>
      <dt>{t("details.placed")}</dt>
      <dd className="figures">{formatDayAndClock(placed_at, zone)}</dd>
      <dt>{t("details.promised")}</dt>
      <dd className="figures">{formatDayAndClock(order.promised_at, zone)}</dd>
      {factsOf(order, t).map(([name, text]) => (
        <Fact key={name} label={t(`details.${name}`)} text={text} />
      ))}
    </dl>
  );
};

const Fact = ({ label, text }: { label: string; text: string }) => (
  <>
    <dt>{label}</dt>
    <dd>
      <bdi className="break">{text}</bdi>
    </dd>
  </>
);
