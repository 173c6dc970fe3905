/** Asks how long the old secret or token keeps working, and rotates it. */
import type { GracePeriod } from "@comanda/contract/console/operation.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useErrorTranslation } from "../texts/server-texts.ts";
import { Dialog } from "./dialog.tsx";
import { fieldErrors } from "./error-text.ts";
import { GracePeriodChoice } from "./grace-period.tsx";
import { ErrorAlert } from "./page-states.tsx";

type RotateFormProps = {
  texts: { lead: string; overlap: string; nowWarning: string; submit: string };
  onRotate: (overlap: GracePeriod) => Promise<void>;
  onClose: () => void;
};

export const RotateDialog = ({ isOpen, title, ...form }: { isOpen: boolean; title: string } & RotateFormProps) => (
  <Dialog isOpen={isOpen} onClose={form.onClose} title={title}>
    {isOpen && <RotateForm {...form} />}
  </Dialog>
);

const RotateForm = ({ texts, onRotate, onClose }: RotateFormProps) => {
  const { t } = useTranslation();
  const say = useErrorTranslation();
  const [overlap, setOverlap] = useState<GracePeriod>("24h");
  const rotate = useMutation({ mutationFn: () => onRotate(overlap) });
  const fault = fieldErrors(rotate.error).overlap;
  return (
    <Stack gap="md">
      <Text c="dimmed">{texts.lead}</Text>
      <GracePeriodChoice
        label={texts.overlap}
        value={overlap}
        onChange={setOverlap}
        nowWarning={texts.nowWarning}
        fault={fault && say(fault)}
      />
      {rotate.error && !fault && <ErrorAlert error={rotate.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          {texts.submit}
        </Button>
      </Group>
    </Stack>
  );
};
