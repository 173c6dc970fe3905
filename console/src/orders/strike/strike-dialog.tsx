/** Strikes one line, or some of its portions, with a reason, and returns to the details, which show the new total. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { StockChoice } from "@comanda/contract/console/stock-kinds.ts";
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isUnanswered } from "#kit/api.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { type KeyedWrite, useWrite } from "#kit/write.ts";
import { applyWritten } from "../board-query.ts";
import { orderNameOf } from "../order-steps.ts";
import { ReasonDialog, useStockQuestion } from "../reason-dialog.tsx";
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

/** What the dialog offers as the order is now: a colleague can have struck part of the line. */
const useOffer = ({ venue, order, line: given }: StrikeDialogProps) => {
  const [chosen, setChosen] = useState(1);
  const stock = useStockQuestion(order);
  const line = order.order.items.find(({ id }) => id === given.id) ?? given;
  const most = strikeableOf(order.order, line);
  const quantity = Math.max(1, Math.min(chosen, most));
  const { id, status } = order.order;
  const wantedOf = (reason: string, choice: { stock?: StockChoice }): KeyedWrite<"strikeOrderLine"> | null =>
    // The drawer offers this for open orders only; the server refuses the rest.
    status === "placed" || status === "accepted" || status === "ready"
      ? {
          id: "strikeOrderLine",
          params: { venue, order: id, id: line.id },
          body: { seen_status: status, reason, ...choice, ...(quantity < line.quantity && { part: { quantity, of: line.quantity } }) },
        }
      : null;
  return { offer: { line, most, quantity, stock }, wantedOf, setChosen };
};

export const StrikeDialog = (props: StrikeDialogProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { order, onClose } = props;
  const { write, isPending } = useStrike(props);
  const { offer, wantedOf, setChosen } = useOffer(props);
  // Until it is answered, the first press stays as it was: the lines on the board can show its effect already.
  const [pressed, setPressed] = useState<(typeof offer & { wanted: KeyedWrite<"strikeOrderLine"> }) | null>(null);
  const { line, most, quantity, stock } = pressed ?? offer;
  return (
    <ReasonDialog
      title={t("strike.title", { quantity, line: pick(line.name) })}
      lead={t("strike.lead", { name: orderNameOf(order) })}
      stock={stock}
      choices={CHOICES}
      submitLabel={t("strike.submit", { count: quantity })}
      keepLabel={t("strike.keep")}
      isPending={isPending}
      pressed={pressed?.wanted.body}
      onReason={(reason, choice) => {
        const wanted = pressed?.wanted ?? wantedOf(reason, choice);
        if (wanted === null) return;
        setPressed(pressed ?? { ...offer, wanted });
        write(wanted, onClose);
      }}
      onClose={onClose}
    >
      {line.quantity > 1 && <HowMany quantity={quantity} line={line} most={most} isFixed={pressed !== null} onChange={setChosen} />}
    </ReasonDialog>
  );
};
