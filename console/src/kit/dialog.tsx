/** A dialog in the middle of the page, or at its side. Its close button has a name for screen readers. */
import { Drawer, Modal, type ModalProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

type DialogProps = { isOpen: boolean } & Pick<
  ModalProps,
  "title" | "size" | "zIndex" | "closeOnClickOutside" | "returnFocus" | "onClose" | "children"
>;

export const Dialog = ({ isOpen, ...props }: DialogProps) => {
  const { t } = useTranslation();
  return <Modal opened={isOpen} closeButtonProps={{ "aria-label": t("common.close") }} {...props} />;
};

export const SideDialog = ({ isOpen, ...props }: DialogProps) => {
  const { t } = useTranslation();
  return <Drawer opened={isOpen} position="right" closeButtonProps={{ "aria-label": t("common.close") }} {...props} />;
};
