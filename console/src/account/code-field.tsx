/** A field for a code of the authenticator app or a recovery code. */
import { Anchor, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError, hasErrorCode } from "#kit/api.ts";
import { CodeInput } from "./code-input.tsx";

const RECOVERY_LENGTH = 12;

/** True when the code has the length of either kind. */
export const isWholeCode = (code: string): boolean => /^\d{6}$/.test(code) || code.replaceAll("-", "").length === RECOVERY_LENGTH;

export const needsCode = (error: unknown): boolean => hasErrorCode(error, "second_factor_required");

/** False for an error that only asks for a code. */
export const isWrongCode = (error: unknown): boolean => needsCode(error) && error instanceof CallError && error.details.is_wrong === true;

const groupsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .slice(0, RECOVERY_LENGTH)
    .replace(/(.{4})(?=.)/g, "$1-");

type CodeFieldProps = { value: string; onChange: (code: string) => void; onComplete?: (code: string) => void };

export const CodeField = ({ value, onChange, onComplete }: CodeFieldProps) => {
  const { t } = useTranslation();
  const [isRecovery, setRecovery] = useState(false);
  const toggle = () => {
    setRecovery(!isRecovery);
    onChange("");
  };
  return (
    <Stack gap="xs">
      {isRecovery ? (
        <TextInput
          label={t("recovery.code")}
          name="code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          dir="ltr"
          placeholder="xxxx-xxxx-xxxx"
          classNames={{ input: "code-input" }}
          value={value}
          onChange={(event) => onChange(groupsOf(event.currentTarget.value))}
        />
      ) : (
        <CodeInput label={t("signIn.code")} value={value} onChange={onChange} {...(onComplete ? { onComplete } : {})} />
      )}
      <Anchor component="button" type="button" size="sm" ta="start" onClick={toggle}>
        {t(isRecovery ? "recovery.useApp" : "recovery.use")}
      </Anchor>
    </Stack>
  );
};

/** The error text for a wrong code, else null. */
export const useCodeError = () => {
  const { t } = useTranslation();
  return (error: unknown, code: string | null | undefined): string | null =>
    isWrongCode(error) ? t(code && code.length > 6 ? "recovery.wrong" : "signIn.codeWrong") : null;
};
