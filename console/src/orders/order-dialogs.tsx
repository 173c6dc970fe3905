/** The one dialog that is open. Its order follows the board, so that amounts and statuses are current. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useReturnFocus } from "../ui/return-focus.ts";
import { OrderDrawer } from "./details/order-drawer.tsx";
import { type OrderDialog, useBoardContext } from "./order-actions.ts";
import { PaymentDialog } from "./payments/payment-dialog.tsx";
import { RefundDialog } from "./payments/refund-dialog.tsx";
import { MoveReasonDialog } from "./reason-dialog.tsx";
import { StrikeDialog } from "./strike/strike-dialog.tsx";

type OrderDialogsProps = { venue: string; dialog: OrderDialog | null; orders: readonly BoardOrder[]; onClose: () => void };

export const OrderDialogs = ({ venue, dialog, orders, onClose }: OrderDialogsProps) => {
  const { open } = useBoardContext();
  useReturnFocus(dialog !== null);
  if (dialog === null) return null;
  const order = orders.find(({ order: { id } }) => id === dialog.order.order.id) ?? dialog.order;
  if (dialog.kind === "details") return <OrderDrawer venue={venue} order={order} onClose={onClose} />;
  if (dialog.kind === "payment") return <PaymentDialog venue={venue} order={order} onClose={onClose} />;
  if (dialog.kind === "refund") return <RefundDialog venue={venue} order={order} payment={dialog.payment} onClose={onClose} />;
  if (dialog.kind === "strike")
    return <StrikeDialog venue={venue} order={order} line={dialog.line} onClose={() => open({ kind: "details", order })} />;
  return <MoveReasonDialog order={order} kind={dialog.kind} onClose={onClose} />;
};
