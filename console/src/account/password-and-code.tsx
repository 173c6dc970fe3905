/** Password and code together: what changes the second factor asks for both. */
import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isRefused } from "../api.ts";
import { useRefusalText } from "../ui/refusal.ts";
import { CodeField, isWholeCode, needsCode, useCodeFault } from "./code-field.tsx";
import { CurrentPassword } from "./current-password.tsx";

type Given = { password: string; code: string };
type Props<T> = { lead: string; action: string; isDangerous?: boolean; send: (given: Given) => Promise<T>; onDone: (done: T) => void };

export const PasswordAndCode = <T,>({ lead, action, isDangerous = false, send, onDone }: Props<T>) => {
  const { t } = useTranslation();
  const describe = useRefusalText();
  const codeFault = useCodeFault();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const attempt = useMutation({ mutationFn: send, onSuccess: onDone });
  const isPasswordWrong = isRefused(attempt.error, "sign_in_failed");
  const fault = needsCode(attempt.error) ? codeFault(attempt.error, code) : attempt.error && !isPasswordWrong && describe(attempt.error);
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
