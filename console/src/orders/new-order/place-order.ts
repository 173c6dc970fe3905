/** Sends the order. A second tap after a lost answer has the same key, also when the dialog was closed between, so that it is one order. */
import type { OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { hasErrorCode, isUnanswered, isWorthRetrying } from "#kit/api.ts";
import { callWithKey } from "#kit/keyed-call.ts";
import { newKey } from "#kit/new-key.ts";
import { useToast } from "#kit/toast.ts";
import { applyWritten } from "../board-query.ts";
import { orderNameOf } from "../order-steps.ts";
import { type DraftChange, type OrderDraft, orderBody, type SentOrder } from "./order-draft.ts";

type PlaceProps = {
  venue: string;
  form: OrderForm;
  draft: OrderDraft;
  onChange: (change: DraftChange) => void;
  onClear: () => void;
  /** The draft was placed, unless it was changed after the dialog was closed. */
  onPlaced: (key: string) => void;
  onClose: () => void;
  onRefused: () => void;
};

export const usePlaceOrder = ({ venue, form, draft, onChange, onClear, onPlaced, onClose, onRefused }: PlaceProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const toast = useToast();
  const queryClient = useQueryClient();
  const placing = useMutation({
    mutationFn: (order: SentOrder) => callWithKey("placeStaffOrder", { params: { venue }, ...order }),
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }, { idempotencyKey }) => {
      applyWritten(queryClient, venue, data);
      onPlaced(idempotencyKey);
      toast.done(t("placed", { name: orderNameOf(data) }));
    },
    onError: (error, { idempotencyKey }) => {
      toast.error(error);
      // A refusal placed nothing, so that the next tap is a new try.
      if (!isUnanswered(error)) onChange(({ sent }) => (sent?.idempotencyKey === idempotencyKey ? { sent: null } : {}));
      // The menu changed after the last quote: the next one says what is refused now.
      if (hasErrorCode(error, "validation_failed")) onRefused();
    },
  });
  const submit = (): void => {
    const sent = draft.sent ?? { body: orderBody(draft, form.zone, Date.parse(form.now)), idempotencyKey: newKey() };
    onChange({ sent });
    // These callbacks end with the dialog: a late answer closes nothing that was opened since.
    placing.mutate(sent, {
      onSuccess: () => {
        onClear();
        onClose();
      },
    });
  };
  return { isPending: placing.isPending, submit };
};
