/** A form for password and code. Changing the second factor requires both. */
import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { CodeField, isWholeCode, needsCode, useCodeError } from "./code-field.tsx";
import { CurrentPassword } from "./current-password.tsx";

type PasswordAndCodeInput = { password: string; code: string };
type PasswordAndCodeProps = {
  lead: string;
  action: string;
  isDangerous?: boolean;
  isPending: boolean;
  error: Error | null;
  onSend: (given: PasswordAndCodeInput) => void;
};

export const PasswordAndCode = ({ lead, action, isDangerous = false, isPending, error, onSend }: PasswordAndCodeProps) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const codeError = useCodeError();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const isPasswordWrong = hasErrorCode(error, "sign_in_failed");
  const fault = needsCode(error) ? codeError(error, code) : error && !isPasswordWrong && describe(error);
  const submit = () => {
    onSend({ password, code });
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{lead}</Text>
        <CurrentPassword
          label={t("signIn.password")}
          error={isPasswordWrong && t("account.currentWrong")}
          hasFocus
          value={password}
          onChange={setPassword}
        />
        <CodeField value={code} onChange={setCode} />
        {fault && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {fault}
          </Text>
        )}
        <Button type="submit" {...(isDangerous ? { color: "red.9" } : {})} loading={isPending} disabled={!isWholeCode(code)}>
          {action}
        </Button>
      </Stack>
    </Form>
  );
};
