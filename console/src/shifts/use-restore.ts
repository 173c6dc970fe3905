/** Takes the removal of a shift back. */
import type { ShiftVersion } from "@comanda/contract/console/shifts.ts";
import { useTranslation } from "react-i18next";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { shiftKeys } from "./shift-queries.ts";

export const useRestore = (onDone: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"restoreShift">({
    readAgain: shiftKeys(venue),
    onDone: () => {
      toast.done(t("shifts.restored"));
      onDone();
    },
  });
  return {
    isPending,
    restore: ({ id, version }: ShiftVersion): void => write({ id: "restoreShift", params: { venue, id }, body: { seen_version: version } }),
  };
};
