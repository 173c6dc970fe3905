import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import { useRefusalText } from "./refusal.ts";

/** A few words at the foot of the page: that something is done, or why it is not. */
export const useToast = () => {
  const { t } = useTranslation();
  const describe = useRefusalText();
  const closeButtonProps = { "aria-label": t("common.close") };
  return {
    done: (message: string): void => void notifications.show({ message, color: "green", closeButtonProps }),
    note: (message: string): void => void notifications.show({ message, color: "gray", autoClose: 9000, closeButtonProps }),
    refused: (error: unknown): void =>
      void notifications.show({ title: t("refusals.title"), message: describe(error), color: "red", autoClose: 9000, closeButtonProps }),
  };
};
