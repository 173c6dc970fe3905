/** The write behind pause and busy. An answer, also a refused one, puts the present state onto the board. */
import type { LoadChoice, OrderTypeState } from "@comanda/contract/console/order-types.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useWrite, type WriteOptions } from "#kit/write.ts";
import { applyOrderType } from "../board-query.ts";
import { useLoadText } from "./load-times.ts";

const useOptions = (venue: string): WriteOptions<"setOrderType"> => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const describe = useLoadText();
  return {
    onDone: ({ data }) => applyOrderType(queryClient, venue, data),
    onChanged: ({ order_type, changed_by: who }) => {
      const present = order_type as OrderTypeState;
      applyOrderType(queryClient, venue, present);
      const said = { type: t(`order.types.${present.type}`), state: describe(present) };
      return who === null ? t("pause.fasterUnknown", said) : t("pause.faster", { ...said, who });
    },
  };
};

export const useSetOrderType = (venue: string) => {
  const options = useOptions(venue);
  /** One for each type: what the page saw of one type says nothing about another. */
  const writes = {
    dine_in: useWrite<"setOrderType">(options),
    delivery: useWrite<"setOrderType">(options),
    pickup: useWrite<"setOrderType">(options),
  };
  const set = ({ type, ...seen }: OrderTypeState, to: LoadChoice): void =>
    writes[type].write({ id: "setOrderType", params: { venue }, body: { type, seen, to } });
  return { set, isPending: Object.values(writes).some(({ isPending }) => isPending) };
};
