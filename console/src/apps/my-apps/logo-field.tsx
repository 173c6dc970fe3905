import { Button, FileButton, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppLogo } from "../app-head.tsx";
import { LOGO_TYPES, readLogo } from "./logo-file.ts";

type LogoFieldProps = { name: string; logo: string | null; onChange: (logo: string | null) => void; fault: string | undefined };

export const LogoField = ({ name, logo, onChange, fault }: LogoFieldProps) => {
  const { t } = useTranslation();
  const [isBad, setBad] = useState(false);
  const take = async (file: File | null) => {
    if (!file) return;
    const read = await readLogo(file).catch(() => null);
    setBad(read === null);
    if (read !== null) onChange(read);
  };
  const shown = isBad ? t("appForm.logoBad") : fault;
  return (
    <fieldset className="form-part">
      <legend>{t("appForm.logo")}</legend>
      <p className="form-hint">{t("appForm.logoHint")}</p>
      <div className="logo-line">
        <AppLogo app={{ name: name || "?", logo }} />
        <FileButton accept={LOGO_TYPES.join()} onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} variant="default" size="sm">
              {t("appForm.logoChoose")}
            </Button>
          )}
        </FileButton>
        {logo !== null && (
          <Button variant="subtle" color="gray" size="sm" onClick={() => onChange(null)}>
            {t("appForm.logoRemove")}
          </Button>
        )}
      </div>
      {shown && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {shown}
        </Text>
      )}
    </fieldset>
  );
};
