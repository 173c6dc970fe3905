/** Asks how long the old secret or token keeps working, and rotates it. */
import type { GracePeriod } from "@comanda/contract/console/operation.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldErrors } from "#kit/error-text.ts";
import { GracePeriodChoice } from "#kit/grace-period.tsx";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { ErrorAlert } from "./page-states.tsx";

type RotateFormProps = {
  texts: { lead: string; overlap: string; nowWarning: string; submit: string };
  isPending: boolean;
  error: Error | null;
  onRotate: (overlap: GracePeriod) => void;
  onClose: () => void;
};

export const RotateForm = ({ texts, isPending, error, onRotate, onClose }: RotateFormProps) => {
  const { t } = useTranslation();
  const say = useErrorTranslation();
  const [overlap, setOverlap] = useState<GracePeriod>("24h");
  const fault = fieldErrors(error).overlap;
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
      {error && !fault && <ErrorAlert error={error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button loading={isPending} onClick={() => onRotate(overlap)}>
          {texts.submit}
        </Button>
      </Group>
    </Stack>
  );
};
