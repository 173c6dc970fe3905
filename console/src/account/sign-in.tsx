import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { sessionQuery } from "#shell/session.ts";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";
import { CodeField, isWholeCode, needsCode, useCodeError } from "./code-field.tsx";
import { EmailField } from "./email-field.tsx";
import { offersLink, SignInLinkOffer, SignInLinkSent } from "./request-sign-in-link.tsx";

type SignInStep = "password" | "code" | "sent";

const useSignIn = () => {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [step, setStep] = useState<SignInStep>("password");
  const router = useRouter();
  const queryClient = useQueryClient();
  const { to } = useSearch({ from: "/sign-in" });
  const attempt = useMutation({
    mutationFn: async (wanted: { code: string | null }) => (await call("signIn", { body: { email, password, code: wanted.code } })).data,
    onSuccess: async (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await router.navigate({ to: to ?? "/", replace: true });
    },
    onError: (error) => {
      setCode("");
      if (needsCode(error)) setStep("code");
    },
  });
  const submit = (given: string = code) => attempt.mutate({ code: step === "code" ? given : null });
  const restart = () => {
    attempt.reset();
    setPassword("");
    setStep("password");
  };
  const isReturning = to !== undefined;
  return { email, setEmail, password, setPassword, code, setCode, step, setStep, attempt, submit, restart, isReturning };
};

export const SignIn = () => {
  const { t } = useTranslation();
  const signing = useSignIn();
  if (signing.step === "sent") return <SignInLinkSent email={signing.email} />;
  if (signing.step === "code") return <CodeStep signing={signing} />;
  return (
    <SignedOutLayout title={t("signIn.title")} lead={t(signing.isReturning ? "signIn.again" : "signIn.lead")}>
      <PasswordStep signing={signing} />
    </SignedOutLayout>
  );
};

type SignInStepProps = { signing: ReturnType<typeof useSignIn> };

const PasswordStep = ({ signing }: SignInStepProps) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const { attempt } = signing;
  const onSubmit = () => {
    signing.submit();
  };
  return (
    <Form onSubmit={onSubmit}>
      <Stack gap="md">
        <EmailField email={signing.email} onEmail={signing.setEmail} hasFocus />
        <PasswordInput
          visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
          label={t("signIn.password")}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={signing.password}
          onChange={(event) => signing.setPassword(event.currentTarget.value)}
        />
        {attempt.error && !needsCode(attempt.error) && (
          <Text role="alert" c="var(--mantine-color-error)" size="sm">
            {describe(attempt.error)}
          </Text>
        )}
        {offersLink(attempt.error) && <SignInLinkOffer email={signing.email} onSent={() => signing.setStep("sent")} />}
        <Button type="submit" size="md" loading={attempt.isPending}>
          {t("signIn.submit")}
        </Button>
        <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/forgot" {...props} />}>
          {t("signIn.forgot")}
        </Anchor>
      </Stack>
    </Form>
  );
};

const CodeStep = ({ signing }: SignInStepProps) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const codeError = useCodeError();
  const { attempt } = signing;
  const fault = attempt.error && (needsCode(attempt.error) ? codeError(attempt.error, attempt.variables?.code) : describe(attempt.error));
  const onSubmit = () => {
    signing.submit();
  };
  return (
    <SignedOutLayout title={t("signIn.codeTitle")} lead={t("signIn.codeLead")}>
      <Form onSubmit={onSubmit}>
        <Stack gap="md">
          <CodeField value={signing.code} onChange={signing.setCode} onComplete={(code) => signing.submit(code)} />
          {fault && (
            <Text role="alert" c="var(--mantine-color-error)" size="sm">
              {fault}
            </Text>
          )}
          {offersLink(attempt.error) && <SignInLinkOffer email={signing.email} onSent={() => signing.setStep("sent")} />}
          <Button type="submit" size="md" loading={attempt.isPending} disabled={!isWholeCode(signing.code)}>
            {t("signIn.submit")}
          </Button>
          <Button variant="subtle" onClick={signing.restart}>
            {t("signIn.otherAccount")}
          </Button>
        </Stack>
      </Form>
    </SignedOutLayout>
  );
};
