import type { GracePeriod } from "@comanda/contract/console/operation.ts";
import { Alert, Radio, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { WarningIcon } from "./icons.tsx";

/** The most common choice comes first. */
const GRACE_PERIODS: readonly GracePeriod[] = ["24h", "1h", "7d", "now"];

type GracePeriodChoiceProps = {
  label: string;
  value: GracePeriod;
  onChange: (overlap: GracePeriod) => void;
  nowWarning: string;
  fault?: string | undefined;
};

/** Choice of how long an old secret keeps working. */
export const GracePeriodChoice = ({ label, value, onChange, nowWarning, fault }: GracePeriodChoiceProps) => {
  const { t } = useTranslation();
  return (
    <>
      <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as GracePeriod)} error={fault}>
        <Stack gap="xs" mt="xs" mb={fault ? "xs" : 0}>
          {GRACE_PERIODS.map((one) => (
            <Radio key={one} value={one} label={t(`roll.overlaps.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {value === "now" && (
        <Alert color="orange" icon={<WarningIcon />}>
          {nowWarning}
        </Alert>
      )}
    </>
  );
};
