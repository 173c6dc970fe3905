/** The restaurant's own fields. Managers see them, owners change them. */
import type { RestaurantDetails, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { languageName, TranslationFields } from "#kit/translation-fields.tsx";
import { useIsOwner } from "#shell/venue.ts";
import { hasName, NAME_LENGTH_MAX, withLanguages } from "./branches-draft.ts";
import type { PlaceErrors } from "./use-restaurant-edit.ts";

const EMAIL_LENGTH_MAX = 254;
const PHONE_LENGTH_MAX = 40;

type RestaurantFormProps = {
  part: VenueSettingParts["restaurant"];
  details: RestaurantDetails;
  languages: readonly string[];
  errors: PlaceErrors;
  onChange: (part: Partial<RestaurantDetails>) => void;
  onAddLanguage: (language: string) => void;
};

export const RestaurantForm = ({ part, details, languages, errors, onChange, onAddLanguage }: RestaurantFormProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "restaurantPage" });
  const translate = useErrorTranslation();
  const isOwner = useIsOwner();
  const errorOf = (field: keyof RestaurantDetails): string | null => {
    const sentence = errors[`restaurant.${field}`];
    return sentence === undefined ? null : translate(sentence);
  };
  return (
    <section className="sheet place-section" aria-labelledby="restaurant-fields">
      <Title order={2} className="item-title" id="restaurant-fields">
        {t("restaurant")}
      </Title>
      {!isOwner && <Text role="note">{t("ownerOnly")}</Text>}
      <fieldset className="place-fields" disabled={!isOwner}>
        <legend className="place-legend">{t("restaurant")}</legend>
        <Stack gap="md">
          <TranslationFields
            label={t("name")}
            languages={languages}
            texts={details.name}
            saved={null}
            lengthMax={NAME_LENGTH_MAX}
            error={hasName(details) ? errorOf("name") : t("nameMissing")}
            onChange={(name) => onChange({ name })}
          />
          <NativeSelect
            size="md"
            label={t("addLanguage")}
            value=""
            data={[
              { value: "", label: t("addLanguageChoose") },
              ...withLanguages([])
                .filter((code) => !languages.includes(code))
                .map((code) => ({ value: code, label: languageName(code) })),
            ]}
            onChange={({ currentTarget: { value } }) => value !== "" && onAddLanguage(value)}
          />
          <PlaceFields part={part} details={details} errorOf={errorOf} onChange={onChange} />
          <RestaurantContact details={details} errorOf={errorOf} onChange={onChange} />
        </Stack>
      </fieldset>
      <Text className="hint">{t("fixed", { slug: part.slug, currency: part.currency })}</Text>
    </section>
  );
};

type FieldGroupProps = Pick<RestaurantFormProps, "details" | "onChange"> & { errorOf: (field: keyof RestaurantDetails) => string | null };

const PlaceFields = ({ part, details, errorOf, onChange }: FieldGroupProps & Pick<RestaurantFormProps, "part">) => {
  const { t } = useTranslation("translation", { keyPrefix: "restaurantPage" });
  return (
    <>
      <NativeSelect
        size="md"
        label={t("language")}
        description={t("languageHint")}
        value={details.default_language}
        error={errorOf("default_language")}
        data={withLanguages([details.default_language, part.value.default_language]).map((code) => ({
          value: code,
          label: languageName(code),
        }))}
        onChange={({ currentTarget: { value } }) => onChange({ default_language: value })}
      />
      <NativeSelect
        size="md"
        label={t("zone")}
        description={t("zoneHint")}
        value={details.zone}
        error={errorOf("zone")}
        data={[...new Set([part.value.zone, ...Intl.supportedValuesOf("timeZone")])].map((zone) => ({
          value: zone,
          label: zone.replaceAll("_", " "),
        }))}
        onChange={({ currentTarget: { value } }) => onChange({ zone: value })}
      />
    </>
  );
};

const RestaurantContact = ({ details, errorOf, onChange }: FieldGroupProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "restaurantPage" });
  return (
    <>
      <TextInput
        size="md"
        type="email"
        dir="ltr"
        label={t("email")}
        description={t("emailHint")}
        maxLength={EMAIL_LENGTH_MAX}
        value={details.email ?? ""}
        error={errorOf("email")}
        onChange={({ currentTarget: { value } }) => onChange({ email: value === "" ? null : value })}
      />
      <TextInput
        size="md"
        type="tel"
        dir="ltr"
        label={t("phone")}
        maxLength={PHONE_LENGTH_MAX}
        value={details.phone ?? ""}
        error={errorOf("phone")}
        onChange={({ currentTarget: { value } }) => onChange({ phone: value === "" ? null : value })}
      />
    </>
  );
};
