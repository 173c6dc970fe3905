/** The service charge, and the tax of the delivery fee. */
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import { NativeSelect, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PercentField } from "../decimal-field.tsx";
import { OrderTypeChips, SettingSection } from "../setting-section.tsx";
import type { PartErrors } from "../venue-settings/use-part-edit.ts";
import { NEW_SERVICE_CHARGE, type ServiceCharge, type Tax } from "./charges-draft.ts";

type FeeFieldsProps = { charges: Charges; errors: PartErrors; onChange: (part: Partial<Charges>) => void };

export const FeeFields = ({ charges, errors, onChange }: FeeFieldsProps) => {
  const { t } = useTranslation();
  const { service_charge: charge, taxes } = charges;
  const change = (part: Partial<ServiceCharge>): void => onChange({ service_charge: charge && { ...charge, ...part } });
  return (
    <>
      <SettingSection title={t("charges.service")}>
        <Switch
          size="lg"
          label={t("charges.serviceOn")}
          description={t("charges.serviceHint")}
          checked={charge !== null}
          onChange={({ currentTarget: { checked } }) => onChange({ service_charge: checked ? NEW_SERVICE_CHARGE : null })}
        />
        {charge && (
          <>
            <PercentField
              label={t("charges.servicePercent")}
              percent={charge.percent}
              error={errors["service_charge.percent"] ?? null}
              onPercent={(percent) => change({ percent })}
            />
            <OrderTypeChips
              label={t("charges.for")}
              types={charge.types}
              error={charge.types.length === 0 ? t("charges.typesMissing") : null}
              onChange={(types) => change({ types })}
            />
            <TaxChoice label={t("charges.serviceTax")} tax={charge.tax} taxes={taxes} onTax={(tax) => change({ tax })} />
          </>
        )}
      </SettingSection>
      <SettingSection title={t("charges.fee")}>
        <TaxChoice
          label={t("charges.feeTax")}
          tax={charges.delivery_fee_tax}
          taxes={taxes}
          onTax={(delivery_fee_tax) => onChange({ delivery_fee_tax })}
        />
      </SettingSection>
    </>
  );
};

type TaxChoiceProps = { label: string; tax: string | null; taxes: readonly Tax[]; onTax: (tax: string | null) => void };

export const TaxChoice = ({ label, tax, taxes, onTax }: TaxChoiceProps) => {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="md"
      label={label}
      value={tax ?? ""}
      data={[{ value: "", label: t("charges.noTax") }, ...taxes.map(({ key, name, rate }) => ({ value: key, label: `${name} ${rate} %` }))]}
      onChange={({ currentTarget: { value } }) => onTax(value === "" ? null : value)}
    />
  );
};
