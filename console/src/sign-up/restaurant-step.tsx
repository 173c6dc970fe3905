import { NativeSelect, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { codeNames } from "#kit/code-names.ts";
import { COUNTRIES, countryOf, languagesOfCountries } from "./countries.ts";
import { inCountry, type SignUpDraft } from "./sign-up-draft.ts";

type Choice = { value: string; label: string };

const byLabel = (a: Choice, b: Choice): number => a.label.localeCompare(b.label);

/** Names as the reader's language has them. */
const useChoices = () => {
  const { language } = useTranslation().i18n;
  return useMemo(() => {
    const named = (type: "region" | "currency" | "language", codes: readonly string[]): Choice[] => {
      const nameOf = codeNames(type, language === "ar" ? "ar" : "en");
      return codes.map((code) => ({ value: code, label: nameOf(code) })).sort(byLabel);
    };
    const currencies = [...new Set(COUNTRIES.map(({ currency }) => currency))];
    return {
      countries: named(
        "region",
        COUNTRIES.map(({ code }) => code),
      ),
      currencies: named("currency", currencies).map(({ value, label }) => ({ value, label: `${label} (${value})` })),
      languages: named("language", languagesOfCountries()),
    };
  }, [language]);
};

const zoneLabel = (zone: string): string =>
  zone
    .slice(zone.indexOf("/") + 1)
    .replaceAll("_", " ")
    .replaceAll("/", ", ");

type RestaurantStepProps = { draft: SignUpDraft; onChange: (part: Partial<SignUpDraft>) => void };

/** A country decides currency, time zone and language; each can be changed. */
export const RestaurantStep = ({ draft, onChange }: RestaurantStepProps) => {
  const { t } = useTranslation();
  const { countries, currencies, languages } = useChoices();
  const zones = countryOf(draft.country)?.zones ?? [];
  return (
    <>
      <TextInput
        label={t("signUp.name")}
        size="md"
        required
        withAsterisk={false}
        maxLength={120}
        dir="auto"
        autoComplete="organization"
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <NativeSelect
        label={t("signUp.country")}
        size="md"
        data={[...(draft.country === "" ? [{ value: "", label: t("signUp.chooseCountry") }] : []), ...countries]}
        value={draft.country}
        onChange={({ currentTarget }) => onChange(inCountry(draft, currentTarget.value))}
      />
      {draft.country !== "" && (
        <fieldset className="sign-up-details">
          <legend>{t("signUp.details")}</legend>
          <NativeSelect
            label={t("signUp.currency")}
            size="md"
            data={currencies}
            value={draft.currency}
            onChange={({ currentTarget }) => onChange({ currency: currentTarget.value })}
          />
          {zones.length > 1 && (
            <NativeSelect
              label={t("signUp.zone")}
              size="md"
              data={zones.map((zone) => ({ value: zone, label: zoneLabel(zone) }))}
              value={draft.zone}
              onChange={({ currentTarget }) => onChange({ zone: currentTarget.value })}
            />
          )}
          <NativeSelect
            label={t("signUp.language")}
            size="md"
            data={languages}
            value={draft.language}
            onChange={({ currentTarget }) => onChange({ language: currentTarget.value })}
          />
        </fieldset>
      )}
    </>
  );
};
