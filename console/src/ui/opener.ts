import { useEffect } from "react";

let lastOutside: HTMLElement | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest("[role=dialog], [role=menu]")) lastOutside = target;
});

/** What follows another dialog or a menu was opened from there, which is gone by then: the focus goes back to where both began. */
export const useOpener = (isOpen: boolean): void => {
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      const opener = lastOutside;
      setTimeout(() => (opener?.isConnected ? opener : document.getElementById("page"))?.focus());
    };
  }, [isOpen]);
};
