import type { Overlap } from "@comanda/contract/console-operation.ts";
import { Alert, Radio, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { WarningIcon } from "./icons.tsx";

/** What most people want first. */
const OVERLAPS: readonly Overlap[] = ["24h", "1h", "7d", "now"];

type Props = { label: string; value: Overlap; onChange: (overlap: Overlap) => void; nowWarning: string; fault?: string | undefined };

/** How long an old secret still works beside the new one. */
export const OverlapChoice = ({ label, value, onChange, nowWarning, fault }: Props) => {
  const { t } = useTranslation();
  return (
    <>
      <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as Overlap)} error={fault}>
        <Stack gap="xs" mt="xs" mb={fault ? "xs" : 0}>
          {OVERLAPS.map((one) => (
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
