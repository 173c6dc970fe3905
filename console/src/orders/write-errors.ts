/** What a refused write means for the page. After a lost race it takes the present state. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useToast } from "#kit/toast.ts";
import { type Changed, readChanged } from "#kit/write.ts";
import { applyWritten } from "./board-query.ts";
import { orderNameOf } from "./order-steps.ts";

/** Puts the order as it is now onto the board. */
export const useTakeOver = () => {
  const queryClient = useQueryClient();
  return (venue: string, { order: present }: Changed): BoardOrder => {
    const order = present as BoardOrder;
    applyWritten(queryClient, venue, order);
    return order;
  };
};

/** Moves need it, because they are sent with their own keys. */
export const useMoveError = () => {
  const { t } = useTranslation();
  const toast = useToast();
  const takeOver = useTakeOver();
  return (error: Error, venue: string): void => {
    const changed = readChanged(error);
    if (changed === null) {
      toast.error(error);
      return;
    }
    const order = takeOver(venue, changed);
    const [name, status] = [orderNameOf(order), t(`order.statuses.${order.order.status}`)];
    const who = changed.changed_by;
    toast.note(who === null ? t("board.fasterUnknown", { name, status }) : t("board.faster", { name, status, who }));
  };
};
