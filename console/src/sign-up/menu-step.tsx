import type { Weekday } from "@comanda/contract/venue-file/opening-hours.ts";
import { Chip, Group, Input, Stack, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { writePrice } from "#kit/amounts.ts";
import { DAY_MS } from "#kit/dates.ts";
import { minorUnits } from "#kit/number-format.ts";
import { TimeField } from "#kit/time-field.tsx";
import { isLineWrong, type SignUpDraft, withLine } from "./sign-up-draft.ts";

const WEEKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

const dayName = (language: string, index: number, weekday: "short" | "long"): string =>
  new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" }).format(MONDAY + index * DAY_MS);

type MenuStepProps = { draft: SignUpDraft; onChange: (part: Partial<SignUpDraft>) => void };

export const MenuStep = ({ draft, onChange }: MenuStepProps) => (
  <>
    <HoursPart draft={draft} onChange={onChange} />
    <DishesPart draft={draft} onChange={onChange} />
  </>
);

const HoursPart = ({ draft, onChange }: MenuStepProps) => {
  const { t, i18n } = useTranslation();
  const isNever = draft.closed.length === WEEKDAYS.length;
  return (
    <>
      <Group grow align="start">
        <TimeField size="md" label={t("signUp.opens")} value={draft.from} onTime={(time) => onChange({ from: time })} />
        <TimeField size="md" label={t("signUp.closes")} value={draft.to} onTime={(time) => onChange({ to: time })} />
      </Group>
      {draft.to !== "" && draft.to <= draft.from && (
        <Text size="sm" c="dimmed">
          {t("signUp.nextDay")}
        </Text>
      )}
      <Input.Wrapper label={t("signUp.closedOn")} labelElement="div" error={isNever ? t("signUp.neverOpen") : null}>
        <div className="sign-up-days">
          {WEEKDAYS.map((day, index) => (
            <Chip
              key={day}
              size="md"
              checked={draft.closed.includes(day)}
              onChange={(isClosed) => onChange({ closed: WEEKDAYS.filter((one) => (one === day ? isClosed : draft.closed.includes(one))) })}
              aria-label={dayName(i18n.language, index, "long")}
            >
              {dayName(i18n.language, index, "short")}
            </Chip>
          ))}
        </div>
      </Input.Wrapper>
    </>
  );
};

const DishesPart = ({ draft, onChange }: MenuStepProps) => {
  const { t } = useTranslation();
  return (
    <Input.Wrapper label={t("signUp.dishes")} labelElement="div">
      <Chip.Group value={draft.isSample ? "sample" : "own"} onChange={(value) => onChange({ isSample: value === "sample" })}>
        <div className="sign-up-days">
          <Chip size="md" value="sample">
            {t("signUp.sample")}
          </Chip>
          <Chip size="md" value="own">
            {t("signUp.own")}
          </Chip>
        </div>
      </Chip.Group>
      {draft.isSample ? (
        <Text size="sm" c="dimmed" mt="xs">
          {t("signUp.sampleLead")}
        </Text>
      ) : (
        <DishLines draft={draft} onChange={onChange} />
      )}
    </Input.Wrapper>
  );
};

/** Prices are in the minor unit's digits of the currency: 12.50, 1.250, 1200. */
const examplePrice = (currency: string): string => writePrice(minorUnits(12, currency), currency);

const DishLines = ({ draft, onChange }: MenuStepProps) => {
  const { t } = useTranslation();
  const { currency, lines } = draft;
  const isWrong = lines.some((line) => line.name !== "" && line.price !== "" && isLineWrong(line, currency));
  return (
    <Stack gap="xs" mt="xs">
      <div className="sign-up-line" aria-hidden="true">
        <Text size="sm" c="dimmed">
          {t("signUp.dishHead")}
        </Text>
        <Text size="sm" c="dimmed">
          {t("signUp.priceHead", { currency })}
        </Text>
      </div>
      {lines.map((line, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place alone, and its fields hold no state.
          key={at}
          className="sign-up-line"
        >
          <TextInput
            size="md"
            aria-label={t("signUp.dish", { number: at + 1 })}
            maxLength={120}
            dir="auto"
            value={line.name}
            onChange={({ currentTarget }) => onChange({ lines: withLine(lines, at, { name: currentTarget.value }) })}
          />
          <TextInput
            size="md"
            aria-label={t("signUp.price", { number: at + 1, currency })}
            inputMode="decimal"
            maxLength={16}
            dir="ltr"
            value={line.price}
            aria-invalid={line.price !== "" && isLineWrong(line, currency)}
            onChange={({ currentTarget }) => onChange({ lines: withLine(lines, at, { price: currentTarget.value }) })}
          />
        </div>
      ))}
      {isWrong && (
        <Text role="alert" c="var(--mantine-color-error)" size="sm">
          {t("signUp.lineWrong", { example: examplePrice(currency) })}
        </Text>
      )}
    </Stack>
  );
};
