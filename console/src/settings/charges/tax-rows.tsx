/** The taxes: name, rate, whether prices contain it, and which one a dish has without another. */
import { Button, Radio, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BinIcon, PlusIcon } from "#kit/icons.tsx";
import { PercentField } from "../decimal-field.tsx";
import type { PartErrors } from "../venue-settings/use-part-edit.ts";
import { addTax, makeDefault, type Tax } from "./charges-draft.ts";

const TAXES_MAX = 20;

type TaxRowsProps = { taxes: readonly Tax[]; errors: PartErrors; onChange: (taxes: Tax[]) => void; onRemove: (key: string) => void };

export const TaxRows = ({ taxes, errors, onChange, onRemove }: TaxRowsProps) => {
  const { t } = useTranslation();
  const change = (key: string, part: Partial<Tax>): void => onChange(taxes.map((tax) => (tax.key === key ? { ...tax, ...part } : tax)));
  return (
    <>
      {taxes.length === 0 && <Text c="dimmed">{t("charges.taxesNone")}</Text>}
      {taxes.map((tax, at) => (
        <TaxFields
          key={tax.key}
          tax={tax}
          number={at + 1}
          errorOf={(name) => errors[`taxes.${at}.${name}`] ?? null}
          onChange={(part) => change(tax.key, part)}
          onDefault={() => onChange(makeDefault(taxes, tax.key))}
          onRemove={() => onRemove(tax.key)}
        />
      ))}
      <Button
        variant="default"
        size="md"
        className="setting-add"
        leftSection={<PlusIcon size={18} />}
        disabled={taxes.length >= TAXES_MAX}
        onClick={() => onChange(addTax(taxes))}
      >
        {t("charges.taxAdd")}
      </Button>
    </>
  );
};

type TaxFieldsProps = {
  tax: Tax;
  number: number;
  errorOf: (name: string) => string | null;
  onChange: (part: Partial<Tax>) => void;
  onDefault: () => void;
  onRemove: () => void;
};

const TaxFields = ({ tax, number, errorOf, onChange, onDefault, onRemove }: TaxFieldsProps) => {
  const { t } = useTranslation();
  return (
    <fieldset className="setting-row">
      <legend className="setting-legend">{t("charges.taxOf", { number })}</legend>
      <div className="setting-fields">
        <TextInput
          size="md"
          dir="auto"
          label={t("charges.taxName")}
          maxLength={60}
          value={tax.name}
          error={errorOf("name")}
          onChange={({ currentTarget: { value } }) => onChange({ name: value })}
        />
        <PercentField label={t("charges.rate")} percent={tax.rate} error={errorOf("rate")} onPercent={(rate) => onChange({ rate })} />
      </div>
      <SegmentedControl
        fullWidth
        size="md"
        aria-label={t("charges.inPrices")}
        value={tax.inclusive ? "in" : "on"}
        data={[
          { value: "in", label: t("charges.inclusive") },
          { value: "on", label: t("charges.added") },
        ]}
        onChange={(value) => onChange({ inclusive: value === "in" })}
      />
      <div className="setting-foot">
        <Radio size="md" name="default-tax" label={t("charges.default")} checked={tax.is_default} onChange={onDefault} />
        <Button variant="subtle" color="red" leftSection={<BinIcon size={18} />} onClick={onRemove}>
          {t("charges.taxRemove", { number })}
        </Button>
      </div>
    </fieldset>
  );
};
