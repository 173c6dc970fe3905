/** Strikes one line with a reason, and returns to the details, which show the new total. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type CallInput, call, isWorthRetrying } from "../../api.ts";
import { useLocalizedName } from "../../ui/localized-name.ts";
import { formatMoney } from "../../ui/number-format.ts";
import { useToast } from "../../ui/toast.ts";
import { applyWritten } from "../board-query.ts";
import { orderNameOf } from "../order-steps.ts";
import { ReasonDialog, useStockQuestion } from "../reason-dialog.tsx";
import { useWriteError } from "../write-errors.ts";

const CHOICES = ["soldOut", "guest", "mistake", "double"] as const;

type LineStrike = Pick<CallInput<"strikeOrderLine">, "body" | "idempotencyKey">;
type StrikeDialogProps = { venue: string; order: BoardOrder; line: OrderLine; onClose: () => void };

const useStrike = ({ venue, order, line }: StrikeDialogProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const pick = useLocalizedName();
  const queryClient = useQueryClient();
  const explain = useWriteError(venue);
  return useMutation({
    mutationFn: (strike: LineStrike) => call("strikeOrderLine", { params: { venue, order: order.order.id, id: line.id }, ...strike }),
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }) => {
      applyWritten(queryClient, venue, data);
      const total = formatMoney(data.order.total_minor, data.order.currency);
      toast.done(t("strike.done", { line: pick(line.name), name: orderNameOf(data), total }));
    },
    onError: (error) => explain(error, "strike"),
  });
};

export const StrikeDialog = (props: StrikeDialogProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { order, line, onClose } = props;
  const strike = useStrike(props);
  const { status } = order.order;
  const name = orderNameOf(order);
  const stock = useStockQuestion(order);
  return (
    <ReasonDialog
      title={t("strike.title", { quantity: line.quantity, line: pick(line.name) })}
      lead={t("strike.lead", { name })}
      stock={stock}
      choices={CHOICES}
      submitLabel={t("strike.submit")}
      keepLabel={t("strike.keep")}
      isPending={strike.isPending}
      onReason={(reason, choice) => {
        // The drawer offers this for open orders only; the server refuses the rest.
        if (status === "placed" || status === "accepted" || status === "ready")
          strike.mutate({ idempotencyKey: crypto.randomUUID(), body: { seen_status: status, reason, ...choice } }, { onSettled: onClose });
      }}
      onClose={onClose}
    />
  );
};
