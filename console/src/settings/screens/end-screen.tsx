/** Ends the access of a screen, such as one that was lost. */
import type { Screen } from "@comanda/contract/console/screens.ts";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { useVenue } from "../../developer/venue.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useToast } from "../../ui/toast.ts";
import { useScreensChanged } from "./screens-query.ts";

export const EndScreen = ({ screen, onClose }: { screen: Screen | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const screensChanged = useScreensChanged(venue);
  const end = useMutation({
    mutationFn: (ended: Screen) => call("endScreen", { params: { venue, id: ended.id } }),
    onSuccess: (_, { name }) => {
      onClose();
      toast.done(t("screens.endDone", { name }));
    },
    onError: toast.error,
    onSettled: screensChanged,
  });
  return (
    <ConfirmDialog
      isOpen={screen !== null}
      title={t("screens.endTitle", { name: screen?.name ?? "" })}
      lead={t("screens.endLead")}
      action={t("screens.endSubmit")}
      isPending={end.isPending}
      onConfirm={() => screen && end.mutate(screen)}
      onClose={onClose}
    />
  );
};
