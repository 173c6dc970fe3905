import { PasswordInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

type CurrentPasswordProps = { label: string; error: ReactNode; hasFocus?: boolean; value: string; onChange: (value: string) => void };

export const CurrentPassword = ({ label, error, hasFocus = false, value, onChange }: CurrentPasswordProps) => {
  const { t } = useTranslation();
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
      label={label}
      autoComplete="current-password"
      required
      withAsterisk={false}
      {...(hasFocus ? { "data-autofocus": true } : {})}
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};
