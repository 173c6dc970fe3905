import { useEffect } from "react";

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
