/** What a refused write means for the page. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError } from "../api.ts";
import { useToast } from "../ui/toast.ts";
import { applyWritten } from "./board-query.ts";
import { orderNameOf } from "./order-steps.ts";

type StateChanged = { order: BoardOrder; changed_by: string | null };

/** After a lost race the page takes the present state and says who was faster. */
export const useWriteError = (venue: string) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  return (error: Error, kind: "move" | "payment" | "refund" | "strike", ofVenue = venue): void => {
    if (!(error instanceof CallError) || error.code !== "state_changed") {
      toast.error(error);
      return;
    }
    const { order, changed_by: who } = error.details as StateChanged;
    applyWritten(queryClient, ofVenue, order);
    const name = orderNameOf(order);
    const status = t(`order.statuses.${order.order.status}`);
    if (kind === "payment") toast.note(t("board.paidMeanwhile", { name }));
    else if (kind === "refund") toast.note(t("refund.meanwhile", { name }));
    else if (kind === "strike") toast.note(who === null ? t("strike.fasterUnknown", { name }) : t("strike.faster", { name, who }));
    else toast.note(who === null ? t("board.fasterUnknown", { name, status }) : t("board.faster", { name, status, who }));
  };
};
