import type { Bill } from "@comanda/contract/console/bills.ts";
import { useTranslation } from "react-i18next";

/** "Table 4 + 5", as the rest of the console calls it. */
export const useTableNames = (): ((tables: Bill["tables"]) => string) => {
  const { t } = useTranslation();
  return (tables) => t("order.table", { name: tables.map(({ name }) => name).join(" + ") });
};
