import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmailField } from "#account/email-field.tsx";
import { call } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { currentLanguage } from "#kit/language.ts";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";

/** The answer is the same for every address: the mail says whether it has an account. */
export const AskForMail = ({ onSent }: { onSent: (email: string) => void }) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const [email, setEmail] = useState("");
  const ask = useMutation({
    mutationFn: () => call("askToSignUp", { body: { email, locale: currentLanguage() } }),
    onSuccess: () => onSent(email),
  });
  const submit = () => {
    ask.mutate();
  };
  return (
    <SignedOutLayout title={t("signUp.mailTitle")} lead={t("signUp.mailLead")}>
      <Form onSubmit={submit}>
        <Stack gap="md">
          <EmailField email={email} onEmail={setEmail} hasFocus />
          {ask.error && (
            <Text role="alert" c="var(--mantine-color-error)" size="sm">
              {describe(ask.error)}
            </Text>
          )}
          <Button type="submit" size="md" loading={ask.isPending}>
            {t("signUp.sendLink")}
          </Button>
          <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/sign-in" search={{ to: "/sign-up" }} {...props} />}>
            {t("signUp.toSignIn")}
          </Anchor>
        </Stack>
      </Form>
    </SignedOutLayout>
  );
};
