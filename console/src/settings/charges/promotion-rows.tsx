/** Promotions: discounts that apply by themselves while their conditions are met. */
import { minor } from "@comanda/contract/minor.ts";
import { Button, SegmentedControl, Switch, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { HoursFields } from "#kit/hours-fields.tsx";
import { BinIcon, PlusIcon } from "#kit/icons.tsx";
import { TranslationFields } from "#kit/translation-fields.tsx";
import { AmountField, PercentField } from "../decimal-field.tsx";
import { OrderTypeChips } from "../setting-section.tsx";
import type { PartErrors } from "../venue-settings/use-part-edit.ts";
import { newPromotion, type Promotion } from "./charges-draft.ts";

const PROMOTIONS_MAX = 100;

type PromotionRowsProps = {
  promotions: readonly Promotion[];
  saved: readonly Promotion[];
  language: string;
  currency: string;
  errors: PartErrors;
  onChange: (promotions: Promotion[]) => void;
};

export const PromotionRows = ({ promotions, saved, language, currency, errors, onChange }: PromotionRowsProps) => {
  const { t } = useTranslation();
  return (
    <>
      {promotions.length === 0 && <Text c="dimmed">{t("charges.promotionsNone")}</Text>}
      {promotions.map((promotion, at) => (
        <PromotionFields
          key={promotion.key}
          promotion={promotion}
          saved={saved.find(({ key }) => key === promotion.key)}
          path={`promotions.${at}`}
          number={at + 1}
          language={language}
          currency={currency}
          errors={errors}
          onChange={(part) => onChange(promotions.map((one) => (one.key === promotion.key ? { ...one, ...part } : one)))}
          onRemove={() => onChange(promotions.filter(({ key }) => key !== promotion.key))}
        />
      ))}
      <Button
        variant="default"
        size="md"
        className="setting-add"
        leftSection={<PlusIcon size={18} />}
        disabled={promotions.length >= PROMOTIONS_MAX}
        onClick={() => onChange([...promotions, newPromotion()])}
      >
        {t("charges.promotionAdd")}
      </Button>
    </>
  );
};

type PromotionFieldsProps = Omit<PromotionRowsProps, "promotions" | "saved" | "onChange"> & {
  promotion: Promotion;
  saved: Promotion | undefined;
  path: string;
  number: number;
  onChange: (part: Partial<Promotion>) => void;
  onRemove: () => void;
};

const PromotionFields = (props: PromotionFieldsProps) => {
  const { t } = useTranslation();
  const { promotion, saved, path, number, language, errors, onChange, onRemove } = props;
  const languages = [language, ...Object.keys({ ...saved?.name, ...promotion.name }).filter((code) => code !== language)];
  return (
    <fieldset className="setting-row">
      <legend className="setting-legend">{t("charges.promotionOf", { number })}</legend>
      <TranslationFields
        label={t("charges.promotionName")}
        languages={languages}
        texts={promotion.name}
        saved={saved?.name}
        lengthMax={120}
        error={errors[`${path}.name`] ?? null}
        onChange={(name) => onChange({ name })}
      />
      <Switch
        size="lg"
        label={t("charges.promotionOn")}
        checked={promotion.is_active}
        onChange={({ currentTarget: { checked } }) => onChange({ is_active: checked })}
      />
      <DiscountFields {...props} />
      <OrderTypeChips
        label={t("charges.for")}
        types={promotion.types}
        error={promotion.types.length === 0 ? t("charges.typesMissing") : null}
        onChange={(types) => onChange({ types })}
      />
      <Switch
        size="lg"
        label={t("charges.promotionHours")}
        description={t("charges.promotionHoursHint")}
        checked={promotion.hours !== null}
        onChange={({ currentTarget: { checked } }) => onChange({ hours: checked ? [] : null })}
      />
      {promotion.hours && (
        <HoursFields
          hours={promotion.hours}
          path={`${path}.hours`}
          errors={errors}
          noneText={t("charges.promotionNever")}
          onChange={(hours) => onChange({ hours })}
        />
      )}
      <Button variant="subtle" color="red" className="setting-remove" leftSection={<BinIcon size={18} />} onClick={onRemove}>
        {t("charges.promotionRemove", { number })}
      </Button>
    </fieldset>
  );
};

/** Either per cent or an amount. */
const DiscountFields = ({ promotion, path, currency, errors, onChange }: PromotionFieldsProps) => {
  const { t } = useTranslation();
  const isPercent = promotion.percent_off !== null;
  return (
    <>
      <SegmentedControl
        fullWidth
        size="md"
        aria-label={t("charges.discount")}
        value={isPercent ? "percent" : "amount"}
        data={[
          { value: "percent", label: t("charges.inPercent") },
          { value: "amount", label: t("charges.inAmount") },
        ]}
        onChange={(value) =>
          onChange(value === "percent" ? { percent_off: 10, amount_off_minor: null } : { percent_off: null, amount_off_minor: minor(0) })
        }
      />
      <div className="setting-fields">
        {isPercent ? (
          <PercentField
            label={t("charges.discountPercent")}
            percent={promotion.percent_off ?? 0}
            error={errors[`${path}.percent_off`] ?? null}
            onPercent={(percent_off) => onChange({ percent_off })}
          />
        ) : (
          <AmountField
            label={t("charges.discountAmount", { currency })}
            currency={currency}
            minor={promotion.amount_off_minor}
            error={errors[`${path}.amount_off_minor`] ?? null}
            onMinor={(amount) => onChange({ amount_off_minor: amount ?? minor(0) })}
          />
        )}
        <AmountField
          label={t("charges.subtotalMin", { currency })}
          currency={currency}
          minor={promotion.subtotal_min_minor}
          error={errors[`${path}.subtotal_min_minor`] ?? null}
          onMinor={(amount) => onChange({ subtotal_min_minor: amount ?? minor(0) })}
        />
      </div>
    </>
  );
};
