import type { AppForm } from "@comanda/contract/console/apps.ts";
import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

type AppTextFieldsProps = { form: AppForm; onChange: (part: Partial<AppForm>) => void; faultOf: (field: string) => string | undefined };

const WORDS = [
  ["name", 60],
  ["developer", 80],
  ["summary", 200],
] as const;

/** Name, developer, summary and addresses of an app. */
export const AppTextFields = ({ form, onChange, faultOf }: AppTextFieldsProps) => {
  const { t } = useTranslation();
  return (
    <>
      {WORDS.map(([field, lengthMax], place) => (
        <TextInput
          key={field}
          label={t(`appForm.${field}`)}
          description={t(`appForm.${field}Hint`)}
          maxLength={lengthMax}
          autoComplete="off"
          {...(place === 0 ? { "data-autofocus": true } : {})}
          {...(form[field] === "" ? {} : { dir: "auto" as const })}
          value={form[field]}
          error={faultOf(field)}
          onChange={(event) => onChange({ [field]: event.currentTarget.value })}
        />
      ))}
      <TextInput
        label={t("appForm.site")}
        type="url"
        inputMode="url"
        dir="ltr"
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        value={form.site}
        error={faultOf("site")}
        onChange={(event) => onChange({ site: event.currentTarget.value })}
      />
      <TextInput
        label={t("appForm.install")}
        description={t("appForm.installHint")}
        type="url"
        inputMode="url"
        dir="ltr"
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        value={form.install_url ?? ""}
        error={faultOf("install_url")}
        onChange={(event) => onChange({ install_url: event.currentTarget.value })}
      />
    </>
  );
};
