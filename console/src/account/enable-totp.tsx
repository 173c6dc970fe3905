/** Turns the second factor on: password, QR code, first code. */
import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type CallReply, hasErrorCode, isUnanswered } from "#kit/api.ts";
import { CopyBox } from "#kit/copy-box.tsx";
import { useErrorText } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { QrCode } from "#kit/qr-code.tsx";
import { useWrite } from "#kit/write.ts";
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
  const { write, isPending, error } = useWrite<"beginSecondFactor">({
    onDone: ({ data }) => onSecret(data),
    // The form says why.
    onRefused: () => undefined,
  });
  const submit = () => {
    write({ id: "beginSecondFactor", body: { password } });
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{t("factor.passwordStep")}</Text>
        <CurrentPassword
          label={t("signIn.password")}
          error={error && (hasErrorCode(error, "sign_in_failed") ? t("account.currentWrong") : describe(error))}
          hasFocus
          value={password}
          onChange={setPassword}
        />
        <Button type="submit" loading={isPending}>
          {t("factor.next")}
        </Button>
      </Stack>
    </Form>
  );
};

const FirstCode = ({ secret, onDone }: EnableTotpProps & { secret: TotpSecret }) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const [code, setCode] = useState("");
  const { write, isPending, error } = useWrite<"confirmSecondFactor">({
    onDone: ({ data }) => onDone(data),
    // Without an answer the code stays: it may have been the right one, and the next press asks about it.
    onRefused: (refused) => !isUnanswered(refused) && setCode(""),
  });
  const confirm = (given: string) => write({ id: "confirmSecondFactor", body: { code: given } });
  const submit = () => {
    confirm(code);
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{t("factor.scan")}</Text>
        <QrCode text={secret.uri} label={t("factor.scanAlt")} />
        <CopyBox label={t("factor.byHand")} text={secret.secret} />
        <CodeInput label={t("signIn.code")} value={code} onChange={setCode} onComplete={confirm} />
        {error && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {hasErrorCode(error, "validation_failed") ? t("signIn.codeWrong") : describe(error)}
          </Text>
        )}
        <Button type="submit" loading={isPending} disabled={code.length < 6}>
          {t("factor.confirm")}
        </Button>
      </Stack>
    </Form>
  );
};
