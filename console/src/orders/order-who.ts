import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useTranslation } from "react-i18next";

/** A table that is called Terrace 12 needs no further word; one that is called 7 does. */
const HAS_WORD = /\p{L}{3}/u;

/** For whom an order is: the table, else the guest. */
export const useOrderWho = ({ order: { table, customer } }: BoardOrder): string => {
  const { t } = useTranslation();
  if (!table) return customer.name ?? t("order.guest");
  return HAS_WORD.test(table.name) ? table.name : t("order.table", { name: table.name });
};
