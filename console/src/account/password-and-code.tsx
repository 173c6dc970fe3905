/** A form for password and code. Changing the second factor requires both. */
import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "../api.ts";
import { useErrorText } from "../ui/error-text.ts";
import { CodeField, isWholeCode, needsCode, useCodeError } from "./code-field.tsx";
import { CurrentPassword } from "./current-password.tsx";

type PasswordAndCodeInput = { password: string; code: string };
type PasswordAndCodeProps<T> = {
  lead: string;
  action: string;
  isDangerous?: boolean;
  send: (given: PasswordAndCodeInput) => Promise<T>;
  onDone: (done: T) => void;
};

export const PasswordAndCode = <T,>({ lead, action, isDangerous = false, send, onDone }: PasswordAndCodeProps<T>) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const codeError = useCodeError();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const attempt = useMutation({ mutationFn: send, onSuccess: onDone });
  const isPasswordWrong = hasErrorCode(attempt.error, "sign_in_failed");
  const fault = needsCode(attempt.error) ? codeError(attempt.error, code) : attempt.error && !isPasswordWrong && describe(attempt.error);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    attempt.mutate({ password, code });
  };
  return (
    <form onSubmit={submit}>
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
        <Button type="submit" {...(isDangerous ? { color: "red.9" } : {})} loading={attempt.isPending} disabled={!isWholeCode(code)}>
          {action}
        </Button>
      </Stack>
    </form>
  );
};
