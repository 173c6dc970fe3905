import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import { useErrorText } from "./error-text.ts";

export const useToast = () => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const closeButtonProps = { "aria-label": t("common.close") };
  return {
    done: (message: string): void => void notifications.show({ message, color: "green", closeButtonProps }),
    note: (message: string): void => void notifications.show({ message, color: "gray", autoClose: 9000, closeButtonProps }),
    error: (error: unknown): void =>
      void notifications.show({ title: t("refusals.title"), message: describe(error), color: "red", autoClose: 9000, closeButtonProps }),
  };
};
