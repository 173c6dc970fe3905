/** Save, discard and undo. The bar is there while there is something to save or to take back. */
import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useBottomPlace } from "#kit/bottom-place.ts";
import { CheckIcon, UndoIcon, WarningIcon } from "#kit/icons.tsx";
import { LeaveQuestion } from "#kit/unsaved.tsx";
import type { MenuEditing } from "./use-menu-edit.ts";

/** Ctrl+S, on a Mac ⌘S, saves instead of offering the page as a file. */
const useSaveKey = (save: () => void): void => {
  const present = useRef(save);
  present.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      present.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
};

export const MenuSaveBar = ({ edit }: { edit: MenuEditing }) => {
  const { t } = useTranslation();
  const { count, last, isPending, isBlocked, hasWrongPrices } = edit;
  useSaveKey(edit.save);
  const bar = useRef<HTMLDivElement>(null);
  useBottomPlace("menu", bar);
  const hasChanges = count > 0 || hasWrongPrices;
  return (
    <div ref={bar} className="menu-bar-place" aria-live="polite">
      {hasChanges && (
        <div className="save-bar sheet">
          {isBlocked && (
            <span className="save-bar-note">
              <WarningIcon size={18} /> {t(hasWrongPrices ? "menuEditor.blockedPrice" : "menuEditor.blocked")}
            </span>
          )}
          <Button variant="default" size="md" disabled={isPending} onClick={edit.discard}>
            {t("draft.discard")}
          </Button>
          <Button size="md" disabled={isBlocked || count === 0} loading={isPending} onClick={edit.save}>
            {t("menuEditor.save", { count })}
          </Button>
        </div>
      )}
      {!hasChanges && last && (
        <div className="save-bar sheet">
          <span className="save-bar-note">
            <CheckIcon size={18} /> {t(`menuEditor.done.${last.kind}`, { count: last.count })}
          </span>
          {last.back && (
            <Button variant="default" size="md" loading={isPending} leftSection={<UndoIcon size={18} />} onClick={edit.undo}>
              {t("undo.undo")}
            </Button>
          )}
        </div>
      )}
      <LeaveQuestion isChanged={hasChanges} />
    </div>
  );
};
