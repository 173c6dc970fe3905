/** Changes that are not saved yet: a bar with Save and Discard, a question before the page is left, and a colleague who saved first. */
import "./unsaved.css";
import { Alert, Button, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useBottomPlace } from "./bottom-place.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { WarningIcon } from "./icons.tsx";
import { addEnglishTexts } from "./language.ts";
import { enForms } from "./texts-forms.en.ts";

addEnglishTexts(enForms);

type SaveBarProps = { isChanged: boolean; isPending: boolean; isBlocked?: boolean; onSave: () => void; onDiscard: () => void };

/** There while something is not saved. What says so to a screen reader is there before. */
export const SaveBar = ({ isChanged, isPending, isBlocked = false, onSave, onDiscard }: SaveBarProps) => {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  useBottomPlace("save", bar, isChanged);
  return (
    <>
      <VisuallyHidden role="status">{isChanged && t("draft.unsaved")}</VisuallyHidden>
      {isChanged && (
        <div ref={bar} className="save-bar sheet">
          <span className="save-bar-note" aria-hidden="true">
            <WarningIcon size={18} /> {t("draft.unsaved")}
          </span>
          <Button variant="default" size="md" disabled={isPending} onClick={onDiscard}>
            {t("draft.discard")}
          </Button>
          <Button size="md" disabled={isBlocked} loading={isPending} onClick={onSave}>
            {t("common.save")}
          </Button>
        </div>
      )}
      <LeaveQuestion isChanged={isChanged} />
    </>
  );
};

export const LeaveQuestion = ({ isChanged }: { isChanged: boolean }) => {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === "blocked"}
      title={t("draft.leaveTitle")}
      lead={t("draft.leaveLead")}
      action={t("draft.leave")}
      isPending={false}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    />
  );
};

export const ChangedMeanwhile = ({ who, onShow }: { who: string | null; onShow: () => void }) => {
  const { t } = useTranslation();
  return (
    <Alert color="orange" icon={<WarningIcon />} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="inherit">
          {who === null ? t("draft.fasterUnknown") : t("draft.faster", { who })}
        </Text>
        <Button size="md" variant="default" onClick={onShow}>
          {t("draft.showPresent")}
        </Button>
      </Stack>
    </Alert>
  );
};
