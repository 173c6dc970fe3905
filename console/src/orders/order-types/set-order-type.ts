/** The write behind pause and busy. An answer, also a refused one, puts the present state onto the board. */
import type { LoadChoice, OrderTypeState } from "@comanda/contract/console/order-types.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, type CallInput, call, isWorthRetrying } from "../../api.ts";
import { useToast } from "../../ui/toast.ts";
import { applyOrderType } from "../board-query.ts";
import { useLoadText } from "./load-text.ts";

type OrderTypeWrite = Pick<CallInput<"setOrderType">, "body" | "idempotencyKey">;
type LoadChanged = { order_type: OrderTypeState; changed_by: string | null };

export const useSetOrderType = (venue: string) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const describe = useLoadText();
  const refuse = (error: Error): void => {
    if (!(error instanceof CallError) || error.code !== "state_changed") {
      toast.error(error);
      return;
    }
    const { order_type, changed_by: who } = error.details as LoadChanged;
    applyOrderType(queryClient, venue, order_type);
    const said = { type: t(`order.types.${order_type.type}`), state: describe(order_type) };
    toast.note(who === null ? t("pause.fasterUnknown", said) : t("pause.faster", { ...said, who }));
  };
  const { mutate, isPending } = useMutation({
    mutationFn: (change: OrderTypeWrite) => call("setOrderType", { params: { venue }, ...change }),
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }) => applyOrderType(queryClient, venue, data),
    onError: refuse,
  });
  const set = ({ type, ...seen }: OrderTypeState, to: LoadChoice): void =>
    mutate({ idempotencyKey: crypto.randomUUID(), body: { type, seen, to } });
  return { set, isPending };
};
