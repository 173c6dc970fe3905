/** Turns the second factor on: password, QR code, first code. */
import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CallReply, call, hasErrorCode } from "../api.ts";
import { CopyBox } from "../ui/copy-box.tsx";
import { useErrorText } from "../ui/error-text.ts";
import { QrCode } from "../ui/qr-code.tsx";
import { CodeInput } from "./code-input.tsx";
import { CurrentPassword } from "./current-password.tsx";

type EnableTotpProps = { onDone: (done: CallReply<"confirmSecondFactor">["data"]) => void };
type TotpSecret = CallReply<"beginSecondFactor">["data"];

export const EnableTotp = ({ onDone }: EnableTotpProps) => {
  const [secret, setSecret] = useState<TotpSecret | null>(null);
  return secret ? <FirstCode secret={secret} onDone={onDone} /> : <AskPassword onSecret={setSecret} />;
};

const AskPassword = ({ onSecret }: { onSecret: (secret: TotpSecret) => void }) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const [password, setPassword] = useState("");
  const begin = useMutation({
    mutationFn: async () => (await call("beginSecondFactor", { body: { password } })).data,
    onSuccess: onSecret,
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    begin.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{t("factor.passwordStep")}</Text>
        <CurrentPassword
          label={t("signIn.password")}
          error={begin.error && (hasErrorCode(begin.error, "sign_in_failed") ? t("account.currentWrong") : describe(begin.error))}
          hasFocus
          value={password}
          onChange={setPassword}
        />
        <Button type="submit" loading={begin.isPending}>
          {t("factor.next")}
        </Button>
      </Stack>
    </form>
  );
};

const FirstCode = ({ secret, onDone }: EnableTotpProps & { secret: TotpSecret }) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: async (given: string) => (await call("confirmSecondFactor", { body: { code: given } })).data,
    onSuccess: onDone,
    onError: () => setCode(""),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    confirm.mutate(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{t("factor.scan")}</Text>
        <QrCode text={secret.uri} label={t("factor.scanAlt")} />
        <CopyBox label={t("factor.byHand")} text={secret.secret} />
        <CodeInput label={t("signIn.code")} value={code} onChange={setCode} onComplete={(full) => confirm.mutate(full)} />
        {confirm.error && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {hasErrorCode(confirm.error, "validation_failed") ? t("signIn.codeWrong") : describe(confirm.error)}
          </Text>
        )}
        <Button type="submit" loading={confirm.isPending} disabled={code.length < 6}>
          {t("factor.confirm")}
        </Button>
      </Stack>
    </form>
  );
};
