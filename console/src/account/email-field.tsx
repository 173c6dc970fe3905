import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

type EmailFieldProps = { email: string; onEmail: (email: string) => void; hasFocus?: boolean };

/** The e-mail address of an account, where a password manager fills it in. */
export const EmailField = ({ email, onEmail, hasFocus }: EmailFieldProps) => {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("signIn.email")}
      type="email"
      name="email"
      autoComplete="username"
      required
      withAsterisk={false}
      dir="ltr"
      value={email}
      onChange={(event) => onEmail(event.currentTarget.value)}
      data-autofocus={hasFocus}
    />
  );
};
