import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import { fieldErrors, useErrorText } from "./error-text.ts";
import { useErrorTranslation } from "./server-texts.ts";

export const useToast = () => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const closeButtonProps = { "aria-label": t("common.close") };
  const translate = useErrorTranslation();
  return {
    /** A refusal whose fields the page does not show: their sentences say why. */
    refusal: (error: unknown): void => {
      const sentences = [...new Set(Object.values(fieldErrors(error)))].map(translate);
      const message = sentences.length > 0 ? sentences.join(" ") : describe(error);
      notifications.show({
        title: sentences.length > 0 ? t("refusals.notPossible") : t("refusals.title"),
        message,
        color: "red",
        autoClose: 9000,
        closeButtonProps,
      });
    },
    done: (message: string): void => void notifications.show({ message, color: "green", closeButtonProps }),
    note: (message: string): void => void notifications.show({ message, color: "gray", autoClose: 9000, closeButtonProps }),
    error: (error: unknown): void =>
      void notifications.show({ title: t("refusals.title"), message: describe(error), color: "red", autoClose: 9000, closeButtonProps }),
  };
};
