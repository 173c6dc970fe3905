import { useTranslation } from "react-i18next";
import { useWrite, type WriteOptions } from "#kit/write.ts";
import { changedByBills } from "./bill-queries.ts";

export type BillCallId = "payBill" | "moveBill" | "mergeBills" | "askForBill" | "closeBill";

/** When another person was faster, the bill is read again and the person looks at it. */
export const useBillWrite = <Id extends BillCallId>(venue: string, options: Omit<WriteOptions<Id>, "readAgain" | "onChanged"> = {}) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  return useWrite<Id>({
    ...options,
    readAgain: changedByBills(venue),
    onChanged: ({ changed_by }) => (changed_by === null ? t("changed") : t("changedBy", { who: changed_by })),
  });
};
