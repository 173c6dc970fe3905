/** Ends the access of a screen, such as one that was lost. */
import type { Screen } from "@comanda/contract/console/screens.ts";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { screensQuery } from "./screens-query.ts";

export const EndScreen = ({ screen, onClose }: { screen: Screen | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"endScreen">({ readAgain: [screensQuery(venue).queryKey] });
  const end = ({ id, name }: Screen) =>
    write({ id: "endScreen", params: { venue, id } }, () => {
      onClose();
      toast.done(t("screens.endDone", { name }));
    });
  return (
    <ConfirmDialog
      isOpen={screen !== null}
      title={t("screens.endTitle", { name: screen?.name ?? "" })}
      lead={t("screens.endLead")}
      action={t("screens.endSubmit")}
      isPending={isPending}
      onConfirm={() => screen && end(screen)}
      onClose={onClose}
    />
  );
};
