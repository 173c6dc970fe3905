/** Strikes one line, or some of its portions, with a reason, and returns to the details, which show the new total. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isUnanswered } from "../../api.ts";
import { useWrite } from "../../kit/write.ts";
import { useLocalizedName } from "../../ui/localized-name.ts";
import { formatMoney } from "../../ui/number-format.ts";
import { useToast } from "../../ui/toast.ts";
import { applyWritten } from "../board-query.ts";
import { orderNameOf } from "../order-steps.ts";
import { ReasonDialog, type StockQuestion, useStockQuestion } from "../reason-dialog.tsx";
import { useTakeOver } from "../write-errors.ts";
import { strikeableOf } from "./can-strike.ts";
import { HowMany } from "./how-many.tsx";

const CHOICES = ["soldOut", "guest", "mistake", "double"] as const;

type StrikeDialogProps = { venue: string; order: BoardOrder; line: OrderLine; onClose: () => void };

const useStrike = ({ venue, line, onClose }: StrikeDialogProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const pick = useLocalizedName();
  const queryClient = useQueryClient();
  const takeOver = useTakeOver();
  const { write, isPending, error } = useWrite<"strikeOrderLine">({
    onDone: ({ data }) => {
      applyWritten(queryClient, venue, data);
      const total = formatMoney(data.order.total_minor, data.order.currency);
      toast.done(t("strike.done", { line: pick(line.name), name: orderNameOf(data), total }));
    },
    onChanged: (changed) => {
      const name = orderNameOf(takeOver(venue, changed));
      const who = changed.changed_by;
      return who === null ? t("strike.fasterUnknown", { name }) : t("strike.faster", { name, who });
    },
  });
  // A refusal returns to the details as well. Without an answer the dialog stays, so that the next press repeats the write.
  const isRefused = error !== null && !isUnanswered(error);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isRefused) close();
  }, [isRefused]);
  return { write, isPending };
};

export const StrikeDialog = (props: StrikeDialogProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { venue, order, onClose } = props;
  // As it is now: a colleague can have struck part of it.
  const line = order.order.items.find(({ id }) => id === props.line.id) ?? props.line;
  const most = strikeableOf(order.order, line);
  const [chosen, setChosen] = useState(1);
  const quantity = Math.max(1, Math.min(chosen, most));
  const { write, isPending } = useStrike(props);
  const { status } = order.order;
  const name = orderNameOf(order);
  const present = useStockQuestion(order);
  // A second press repeats the first one, also when the kitchen has begun meanwhile.
  const [pressed, setPressed] = useState<{ stock: StockQuestion } | null>(null);
  const { stock } = pressed ?? { stock: present };
  return (
    <ReasonDialog
      title={t("strike.title", { quantity, line: pick(line.name) })}
      lead={t("strike.lead", { name })}
      stock={stock}
      choices={CHOICES}
      submitLabel={t("strike.submit", { count: quantity })}
      keepLabel={t("strike.keep")}
      isPending={isPending}
      onReason={(reason, choice) => {
        setPressed({ stock });
        // The drawer offers this for open orders only; the server refuses the rest.
        if (status === "placed" || status === "accepted" || status === "ready")
          write(
            {
              id: "strikeOrderLine",
              params: { venue, order: order.order.id, id: line.id },
              body: { seen_status: status, reason, ...choice, ...(quantity < line.quantity && { part: { quantity, of: line.quantity } }) },
            },
            onClose,
          );
      }}
      onClose={onClose}
    >
      {line.quantity > 1 && <HowMany quantity={quantity} line={line} most={most} onChange={setChosen} />}
    </ReasonDialog>
  );
};
