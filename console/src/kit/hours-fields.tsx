/** Weekly periods as rows: days, from, to. */
import { TimeField } from "./time-field.tsx";
import "./hours-fields.css";
import type { Hours, Weekday } from "@comanda/contract/venue-file/opening-hours.ts";
import { ActionIcon, Button, Chip, Group, Input, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RuleErrors } from "./error-text.ts";
import { BinIcon, PlusIcon } from "./icons.tsx";
import { addEnglishTexts } from "./language.ts";
import { enForms } from "./texts-forms.en.ts";

addEnglishTexts(enForms);

const PERIODS_MAX = 50;
const WEEKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const NEW_PERIOD: Hours[number] = { days: [...WEEKDAYS], from: "18:00", to: "22:00" };

type HoursFieldsProps = {
  hours: Hours;
  path: string;
  errors: RuleErrors;
  /** What no period at all means. */
  noneText?: string;
  onChange: (hours: Hours) => void;
};

export const HoursFields = ({ hours, path, errors, noneText, onChange }: HoursFieldsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "hoursFields" });
  const change = (at: number, part: Partial<Hours[number]>): void =>
    onChange(hours.map((period, index) => (index === at ? { ...period, ...part } : period)));
  return (
    <Stack gap="sm">
      {hours.length === 0 && <Text c="dimmed">{noneText ?? t("periodsNone")}</Text>}
      {hours.map((period, at) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: a period is known by its place alone, and its fields hold no state.
          key={at}
          className="rule-period"
        >
          <legend className="rule-legend">{t("periodOf", { number: at + 1 })}</legend>
          <DayChips
            days={period.days}
            error={period.days.length === 0 ? t("daysMissing") : (errors[`${path}.${at}.days`] ?? null)}
            onChange={(days) => change(at, { days })}
          />
          <Group align="end" wrap="nowrap" gap="xs" className="rule-times">
            {(["from", "to"] as const).map((end) => (
              <TimeField
                key={end}
                className="grow"
                size="md"
                label={t(end)}
                // A browser shows no 24:00: midnight at the end is written 00:00, which ends on the next day.
                value={period[end] === "24:00" ? "00:00" : period[end]}
                error={period[end] === "" ? t("timeMissing") : (errors[`${path}.${at}.${end}`] ?? null)}
                onTime={(time) => change(at, { [end]: time })}
              />
            ))}
            <ActionIcon
              variant="default"
              size={44}
              aria-label={t("removePeriod", { number: at + 1 })}
              onClick={() => onChange(hours.filter((_period, index) => index !== at))}
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
        disabled={hours.length >= PERIODS_MAX}
        onClick={() => onChange([...hours, NEW_PERIOD])}
      >
        {t("addPeriod")}
      </Button>
    </Stack>
  );
};

type DayChipsProps = { days: readonly Weekday[]; error: string | null; onChange: (days: Weekday[]) => void };

const DayChips = ({ days, error, onChange }: DayChipsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "hoursFields" });
  return (
    <Input.Wrapper label={t("days")} labelElement="div" error={error}>
      <div className="rule-days">
        {WEEKDAYS.map((day) => (
          <Chip
            key={day}
            size="md"
            checked={days.includes(day)}
            onChange={(isChosen) => onChange(WEEKDAYS.filter((one) => (one === day ? isChosen : days.includes(one))))}
          >
            {t(`weekdays.${day}`)}
          </Chip>
        ))}
      </div>
    </Input.Wrapper>
  );
};
