/** How long parties stay: rows by size, of which the first that fits counts. The last row fits any party. */
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import { ActionIcon, Button, Group, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RuleErrors } from "#kit/error-text.ts";
import { BinIcon, PlusIcon } from "#kit/icons.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { addStay, type StayRow } from "./rules-draft.ts";

const ROWS_MAX = 20;

type StayRowsProps = { rows: BookingRules["turn_times"]; errors: RuleErrors; onChange: (rows: StayRow[]) => void };

export const StayRows = ({ rows, errors, onChange }: StayRowsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookingRules" });
  const change = (at: number, part: Partial<StayRow>): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <Stack gap="sm">
      {rows.map((row, at) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone.
          key={`${at} ${rows.length}`}
          className="rule-row"
        >
          <legend className="rule-legend">{t("stayOf", { number: at + 1 })}</legend>
          <Group align="end" wrap="nowrap">
            {row.party_size_max === null ? (
              <TextInput className="grow" size="md" label={t("stayMax")} value={t("stayAny")} readOnly />
            ) : (
              <NumberField
                className="grow"
                label={t("stayMax")}
                min={1}
                max={500}
                value={row.party_size_max}
                error={errors[`turn_times.${at}.party_size_max`] ?? null}
                onChange={(party_size_max) => change(at, { party_size_max })}
              />
            )}
            <NumberField
              className="grow"
              label={t("stayMinutes")}
              min={15}
              max={720}
              step={15}
              value={row.minutes}
              error={errors[`turn_times.${at}.minutes`] ?? null}
              onChange={(minutes) => change(at, { minutes })}
            />
            <ActionIcon
              variant="default"
              size={44}
              aria-label={t("removeStay", { number: at + 1 })}
              disabled={row.party_size_max === null || rows.length === 1}
              onClick={() => onChange(rows.filter((_row, index) => index !== at))}
            >
              <BinIcon />
            </ActionIcon>
          </Group>
        </fieldset>
      ))}
      <Button
        variant="default"
        size="md"
        className="rule-add"
        leftSection={<PlusIcon size={18} />}
        disabled={rows.length >= ROWS_MAX}
        onClick={() => onChange(addStay(rows))}
      >
        {t("addStay")}
      </Button>
    </Stack>
  );
};
