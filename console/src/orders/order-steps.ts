/** What can be done with an order in each status. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { OrderStatus, StatusMove } from "@comanda/contract/venue/orders.ts";
import { useTranslation } from "react-i18next";

/** A table that is called Terrace 12 needs no further word; one that is called 7 does. */
const HAS_WORD = /\p{L}{3}/u;

/** Names the table of an order, else the guest. */
export const useOrderWho = ({ order: { table, customer } }: BoardOrder): string => {
  const { t } = useTranslation();
  if (!table) return customer.name ?? t("order.guest");
  return HAS_WORD.test(table.name) ? table.name : t("order.table", { name: table.name });
};

type OrderSteps = { next: StatusMove["status"] | null; canReject: boolean; canCancel: boolean };

/** The contract's statuses (§3.1). */
export const STEPS: Record<OrderStatus, OrderSteps> = {
  placed: { next: "accepted", canReject: true, canCancel: true },
  accepted: { next: "ready", canReject: false, canCancel: true },
  ready: { next: "completed", canReject: false, canCancel: true },
  completed: { next: null, canReject: false, canCancel: false },
  rejected: { next: null, canReject: false, canCancel: false },
  cancelled: { next: null, canReject: false, canCancel: false },
};

/** #42, or the end of the id for an order without a number. */
export const orderNameOf = ({ number, order }: Pick<BoardOrder, "number"> & { order: { id: string } }): string =>
  `#${number ?? order.id.slice(-4)}`;
