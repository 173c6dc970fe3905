/** What guests give so that they come: a deposit, or a card as guarantee. */
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import { Input, NumberInput, SegmentedControl, Stack, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RuleErrors } from "#kit/error-text.ts";
import { HoursFields } from "#kit/hours-fields.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { minorDigits, minorUnits, wholeUnits } from "#kit/number-format.ts";
import { chooseGuarantee, type Guarantee, type GuaranteeChoice } from "./rules-draft.ts";

const CHOICES: readonly GuaranteeChoice[] = ["none", "deposit", "card"];

type GuaranteeFieldsProps = {
  guarantee: BookingRules["guarantee"];
  currency: string;
  errors: RuleErrors;
  onChange: (guarantee: BookingRules["guarantee"]) => void;
};

export const GuaranteeFields = ({ guarantee, currency, errors, onChange }: GuaranteeFieldsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookingRules" });
  const change = (part: Partial<Guarantee>): void => onChange(guarantee && { ...guarantee, ...part });
  return (
    <Stack gap="md">
      <Input.Wrapper label={t("guarantee")} labelElement="div" description={t("guaranteeHint")}>
        <SegmentedControl
          fullWidth
          size="md"
          mt="xs"
          aria-label={t("guarantee")}
          value={guarantee?.type ?? "none"}
          data={CHOICES.map((value) => ({ value, label: t(`guaranteeTypes.${value}`) }))}
          onChange={(value) => onChange(chooseGuarantee(guarantee, CHOICES.find((choice) => choice === value) ?? "none"))}
        />
      </Input.Wrapper>
      {guarantee && <GuaranteeAmount guarantee={guarantee} currency={currency} errors={errors} onChange={change} />}
      {guarantee && (
        <Switch
          size="lg"
          label={t("guaranteeHours")}
          description={t("guaranteeHoursHint")}
          checked={guarantee.hours !== null}
          onChange={({ currentTarget: { checked } }) => change({ hours: checked ? [] : null })}
        />
      )}
      {guarantee?.hours && (
        <HoursFields hours={guarantee.hours} path="guarantee.hours" errors={errors} onChange={(hours) => change({ hours })} />
      )}
    </Stack>
  );
};

type GuaranteeAmountProps = {
  guarantee: Guarantee;
  currency: string;
  errors: RuleErrors;
  onChange: (part: Partial<Guarantee>) => void;
};

const GuaranteeAmount = ({ guarantee, currency, errors, onChange }: GuaranteeAmountProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookingRules" });
  return (
    <>
      <NumberInput
        size="md"
        label={t("amount", { currency })}
        min={0}
        max={2_000_000}
        allowNegative={false}
        decimalScale={minorDigits(currency)}
        value={wholeUnits(guarantee.amount_minor, currency)}
        error={errors["guarantee.amount_minor"] ?? null}
        onChange={(amount) => onChange({ amount_minor: minorUnits(Number(amount) || 0, currency) })}
      />
      <Switch
        size="lg"
        label={t("eachGuest")}
        description={t("eachGuestHint")}
        checked={guarantee.per_person}
        onChange={({ currentTarget: { checked } }) => onChange({ per_person: checked })}
      />
      <NumberField
        label={t("partyMin")}
        description={t("partyMinHint")}
        min={1}
        max={500}
        value={guarantee.party_size_min}
        error={errors["guarantee.party_size_min"] ?? null}
        onChange={(party_size_min) => onChange({ party_size_min })}
      />
    </>
  );
};
