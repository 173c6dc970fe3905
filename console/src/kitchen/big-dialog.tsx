/** A dialog with large targets. It is the browser's own, so it takes the colours of the display around it. */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { NoIcon } from "#kit/icons.tsx";

export const BigDialog = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog in every browser.
    <dialog
      ref={dialog}
      className="kd-dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="kd-dialog-body">
        <div className="kd-dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" className="kd-button" onClick={onClose}>
            <NoIcon size={28} /> {t("kitchen.close")}
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
};
