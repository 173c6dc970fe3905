/** The one dialog that is open. Its order and payment follow the board and the details, so that amounts and statuses are current. */
import type { BoardOrder, OrderPayment } from "@comanda/contract/console/orders.ts";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useReturnFocus } from "#kit/dialog.tsx";
import { lazyPart } from "#shell/offline.tsx";
import { orderDetailsQuery } from "./board-query.ts";
import { OrderDrawer } from "./details/order-drawer.tsx";
import { type OrderDialog, useBoardContext } from "./order-actions.ts";
import type { StatusById } from "./order-moves.ts";
import { PaymentDialog } from "./payments/payment-dialog.tsx";
import { RefundDialog } from "./payments/refund-dialog.tsx";
import { MoveReasonDialog } from "./reason-dialog.tsx";
import { StrikeDialog } from "./strike/strike-dialog.tsx";

const BillSheet = lazyPart(() => import("#bills/bill-sheet.tsx"), "BillSheet");

/** `orders` have the statuses of the server, which writes name as seen; `shown` are those that the person chose. */
type OrderDialogsProps = {
  venue: string;
  dialog: OrderDialog | null;
  orders: readonly BoardOrder[];
  shown: StatusById;
  onClose: () => void;
};

/** The board has open orders only, and a payment is part of the details alone. */
const usePresent = (venue: string, dialog: OrderDialog | null, orders: readonly BoardOrder[]) => {
  const id = dialog?.order.order.id ?? "";
  const onBoard = orders.find(({ order }) => order.id === id);
  const isRead = dialog !== null && (onBoard === undefined || dialog.kind === "refund");
  const { data } = useQuery({ ...orderDetailsQuery(venue, id), enabled: isRead });
  return {
    orderOf: (given: BoardOrder): BoardOrder => newestOf(onBoard ?? data?.order ?? given, [data?.order, given]),
    paymentOf: (given: OrderPayment): OrderPayment => data?.payments.find((payment) => payment.id === given.id) ?? given,
  };
};

/** Two states may have one moment. The first is taken then: a part payment does not change the order's own row. */
const newestOf = (first: BoardOrder, states: readonly (BoardOrder | undefined)[]): BoardOrder =>
  states.reduce<BoardOrder>((newest, state) => (state && state.changed_at > newest.changed_at ? state : newest), first);

export const OrderDialogs = ({ venue, dialog, orders, shown, onClose }: OrderDialogsProps) => {
  const { open, addRound, zone } = useBoardContext();
  useReturnFocus(dialog !== null);
  const present = usePresent(venue, dialog, orders);
  if (dialog === null) return null;
  const order = present.orderOf(dialog.order);
  if (dialog.kind === "details") return <OrderDrawer venue={venue} order={order} chosen={shown.get(order.order.id)} onClose={onClose} />;
  if (dialog.kind === "bill" && order.bill_id !== null)
    return (
      <Suspense fallback={null}>
        <BillSheet
          venue={venue}
          id={order.bill_id}
          zone={zone}
          onRound={(code) => {
            onClose();
            addRound(code);
          }}
          onClose={onClose}
        />
      </Suspense>
    );
  if (dialog.kind === "payment" || dialog.kind === "bill") return <PaymentDialog venue={venue} order={order} onClose={onClose} />;
  if (dialog.kind === "refund")
    return <RefundDialog venue={venue} order={order} payment={present.paymentOf(dialog.payment)} onClose={onClose} />;
  if (dialog.kind === "strike")
    return <StrikeDialog venue={venue} order={order} line={dialog.line} onClose={() => open({ kind: "details", order })} />;
  return <MoveReasonDialog order={order} kind={dialog.kind} onClose={onClose} />;
};
