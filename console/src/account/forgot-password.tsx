import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";
import { EmailField } from "./email-field.tsx";

export const ForgotPassword = () => {
  const { t } = useTranslation();
  const [email, setEmail] = useState("");
  const ask = useMutation({ mutationFn: () => call("askForReset", { body: { email } }) });
  if (ask.isSuccess)
    return (
      <SignedOutLayout title={t("forgot.sentTitle")} lead={t("forgot.sent", { email })}>
        <ToSignIn />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout title={t("forgot.title")} lead={t("forgot.lead")}>
      <AskForm email={email} onEmail={setEmail} isPending={ask.isPending} error={ask.error} onSubmit={() => ask.mutate()} />
    </SignedOutLayout>
  );
};

const ToSignIn = () => {
  const { t } = useTranslation();
  return (
    <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
      {t("forgot.toSignIn")}
    </Anchor>
  );
};

type AskFormProps = { email: string; onEmail: (email: string) => void; isPending: boolean; error: Error | null; onSubmit: () => void };

const AskForm = ({ email, onEmail, isPending, error, onSubmit }: AskFormProps) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const submit = () => {
    onSubmit();
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <EmailField email={email} onEmail={onEmail} />
        {error && (
          <Text role="alert" c="var(--mantine-color-error)" size="sm">
            {describe(error)}
          </Text>
        )}
        <Button type="submit" size="md" loading={isPending}>
          {t("forgot.submit")}
        </Button>
        <ToSignIn />
      </Stack>
    </Form>
  );
};
