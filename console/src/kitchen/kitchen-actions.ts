/** What the parts of the display share: what a cook can do, and how names are written. */
import type { KitchenLine, KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import type { BoardBranch } from "@comanda/contract/console/orders.ts";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";

export type KitchenActions = {
  bump(ticket: KitchenTicket): void;
  recall(ticket: KitchenTicket): void;
  toggleLine(ticket: KitchenTicket, line: KitchenLine): void;
  acknowledge(ticket: KitchenTicket): void;
  setPriority(ticket: KitchenTicket, isPriority: boolean): void;
  openSheet(ticket: KitchenTicket): void;
};

export type KitchenContextValue = {
  actions: KitchenActions;
  zone: string;
  clockAheadMs: number;
  isExpo: boolean;
  branches: readonly BoardBranch[];
};

export const KitchenContext = createContext<KitchenContextValue | null>(null);

export const useKitchenContext = (): KitchenContextValue => {
  const value = useContext(KitchenContext);
  if (value === null) throw new Error("Outside of the kitchen display.");
  return value;
};

/** A table that is called Terrace 12 needs no further word; one that is called 7 does. */
const HAS_WORD = /\p{L}{3}/u;

export const useTicketNames = () => {
  const { t } = useTranslation();
  return {
    nameOf: ({ number }: KitchenTicket): string => (number === null ? t("kitchen.noNumber") : `#${number}`),
    whoOf({ table, type, customer_name: guest }: KitchenTicket): string {
      if (table !== null) return HAS_WORD.test(table) ? table : t("kitchen.table", { name: table });
      const typeName = t(`kitchen.types.${type}`);
      return guest === null ? typeName : t("kitchen.forWhom", { type: typeName, name: guest });
    },
  };
};
