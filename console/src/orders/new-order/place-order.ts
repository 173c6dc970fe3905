/** Sends the order. A second tap after a lost answer has the same key, so that it is one order. */
import type { OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { type CallInput, call, hasErrorCode } from "../../api.ts";
import { useToast } from "../../ui/toast.ts";
import { applyWritten } from "../board-query.ts";
import { orderNameOf } from "../order-steps.ts";
import { isWorthRetrying } from "../write-errors.ts";
import { type Draft, orderBody } from "./draft.ts";

type PlaceProps = { venue: string; form: OrderForm; draft: Draft; onClear: () => void; onClose: () => void; onRefused: () => void };
type Placing = Pick<CallInput<"placeStaffOrder">, "body" | "idempotencyKey">;

export const usePlaceOrder = ({ venue, form, draft, onClear, onClose, onRefused }: PlaceProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const toast = useToast();
  const queryClient = useQueryClient();
  const sent = useRef<{ text: string; key: string } | null>(null);
  const placing = useMutation({
    mutationFn: (order: Placing) => call("placeStaffOrder", { params: { venue }, ...order }),
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }) => {
      applyWritten(queryClient, venue, data);
      onClear();
      toast.done(t("placed", { name: orderNameOf(data) }));
      onClose();
    },
    onError: (error) => {
      toast.error(error);
      // The menu changed after the last quote: the next one says what is refused now.
      if (hasErrorCode(error, "validation_failed")) onRefused();
    },
  });
  const submit = (): void => {
    const body = orderBody(draft, form.zone, Date.parse(form.now));
    const text = JSON.stringify(body);
    if (sent.current?.text !== text) sent.current = { text, key: crypto.randomUUID() };
    placing.mutate({ body, idempotencyKey: sent.current.key });
  };
  return { isPending: placing.isPending, submit };
};
