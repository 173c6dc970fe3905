/** A dialog in the middle of the page, or at its side. Its close button has a name for screen readers. */
import { Drawer, Modal, type ModalProps } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

let lastOutside: HTMLElement | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest("[role=dialog], [role=menu]")) lastOutside = target;
});

/** Returns the focus to the last element outside dialogs and menus: the dialog or menu that opened this one is gone. */
export const useReturnFocus = (isOpen: boolean): void => {
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      const opener = lastOutside;
      setTimeout(() => (opener?.isConnected ? opener : document.getElementById("page"))?.focus());
    };
  }, [isOpen]);
};

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
