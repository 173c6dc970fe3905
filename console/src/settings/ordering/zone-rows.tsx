/** Delivery zones: places, fee and minimum of each. */
import { minor } from "@comanda/contract/minor.ts";
import { Button, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BinIcon, PlusIcon } from "#kit/icons.tsx";
import { AmountField } from "../decimal-field.tsx";
import type { PartErrors } from "../venue-settings/use-part-edit.ts";
import { type DeliveryZone, readPlaces } from "./ordering-draft.ts";

const ZONES_MAX = 200;

type ZoneRowsProps = {
  zones: readonly DeliveryZone[];
  currency: string;
  errors: PartErrors;
  onChange: (zones: DeliveryZone[]) => void;
};

export const ZoneRows = ({ zones, currency, errors, onChange }: ZoneRowsProps) => {
  const { t } = useTranslation();
  const change = (at: number, part: Partial<DeliveryZone>): void =>
    onChange(zones.map((zone, index) => (index === at ? { ...zone, ...part } : zone)));
  return (
    <>
      {zones.length === 0 && <Text c="dimmed">{t("ordering.zonesNone")}</Text>}
      {zones.map((zone, at) => (
        <ZoneFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a zone is known by its place alone.
          key={`${at} ${zones.length}`}
          zone={zone}
          number={at + 1}
          currency={currency}
          errorOf={(name) => errors[`delivery_zones.${at}.${name}`] ?? null}
          onChange={(part) => change(at, part)}
          onRemove={() => onChange(zones.filter((_zone, index) => index !== at))}
        />
      ))}
      <Button
        variant="default"
        size="md"
        className="setting-add"
        leftSection={<PlusIcon size={18} />}
        disabled={zones.length >= ZONES_MAX}
        onClick={() => onChange([...zones, { name: "", cities: [], fee_minor: minor(0), minimum_minor: null }])}
      >
        {t("ordering.zoneAdd")}
      </Button>
    </>
  );
};

type ZoneFieldsProps = {
  zone: DeliveryZone;
  number: number;
  currency: string;
  errorOf: (name: string) => string | null;
  onChange: (part: Partial<DeliveryZone>) => void;
  onRemove: () => void;
};

const ZoneFields = ({ zone, number, currency, errorOf, onChange, onRemove }: ZoneFieldsProps) => {
  const { t } = useTranslation();
  return (
    <fieldset className="setting-row">
      <legend className="setting-legend">{t("ordering.zoneOf", { number })}</legend>
      <TextInput
        size="md"
        dir="auto"
        label={t("ordering.zoneName")}
        maxLength={120}
        value={zone.name}
        error={errorOf("name")}
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
      />
      <PlacesField cities={zone.cities} error={errorOf("cities")} onChange={(cities) => onChange({ cities })} />
      <div className="setting-fields">
        <AmountField
          label={t("ordering.zoneFee", { currency })}
          currency={currency}
          minor={zone.fee_minor}
          error={errorOf("fee_minor")}
          onMinor={(fee) => onChange({ fee_minor: fee ?? minor(0) })}
        />
        <AmountField
          label={t("ordering.minimum", { currency })}
          placeholder={t("ordering.zoneMinimumUsual")}
          currency={currency}
          minor={zone.minimum_minor}
          error={errorOf("minimum_minor")}
          onMinor={(minimum) => onChange({ minimum_minor: minimum })}
        />
      </div>
      <Button variant="subtle" color="red" className="setting-remove" leftSection={<BinIcon size={18} />} onClick={onRemove}>
        {t("ordering.zoneRemove", { number })}
      </Button>
    </fieldset>
  );
};

type PlacesFieldProps = { cities: readonly string[]; error: string | null; onChange: (cities: string[]) => void };

/** The text stays as it is typed until the field is left. */
const PlacesField = ({ cities, error, onChange }: PlacesFieldProps) => {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Textarea
      size="md"
      dir="auto"
      autosize
      minRows={2}
      maxRows={8}
      label={t("ordering.zonePlaces")}
      description={t("ordering.zonePlacesHint")}
      value={typed ?? cities.join("\n")}
      error={error}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        onChange(readPlaces(value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
};
