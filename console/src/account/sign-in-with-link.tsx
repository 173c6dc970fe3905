/** The page of a sign-in link. It has a button because mail programs open links automatically. */
import { Button, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { sessionQuery } from "#shell/session.ts";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";
import { CodeField, isWholeCode, needsCode, useCodeError } from "./code-field.tsx";

export const SignInWithLink = ({ secret, email }: { secret: string; email: string }) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const codeError = useCodeError();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [code, setCode] = useState("");
  const [isAsked, setAsked] = useState(false);
  const use = useMutation({
    mutationFn: async (given: string) => (await call("useSignInLink", { body: { secret, code: given === "" ? null : given } })).data,
    onSuccess: async (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await router.navigate({ to: "/", replace: true });
    },
    onError: (error) => {
      setCode("");
      if (needsCode(error)) setAsked(true);
    },
  });
  const submit = () => {
    use.mutate(code);
  };
  const dead = hasErrorCode(use.error, "validation_failed") ? t("link.deadLead") : null;
  const fault = use.error && (needsCode(use.error) ? codeError(use.error, use.variables) : (dead ?? describe(use.error)));
  return (
    <SignedOutLayout title={t("signInLink.title")} lead={isAsked ? t("signIn.codeLead") : t("signInLink.lead", { email })}>
      <Form onSubmit={submit}>
        <Stack gap="md">
          {isAsked && <CodeField value={code} onChange={setCode} onComplete={(full) => use.mutate(full)} />}
          {fault && (
            <Text role="alert" c="var(--mantine-color-error)" size="sm">
              {fault}
            </Text>
          )}
          <Button type="submit" size="md" loading={use.isPending} disabled={isAsked && !isWholeCode(code)}>
            {t("signInLink.submit")}
          </Button>
        </Stack>
      </Form>
    </SignedOutLayout>
  );
};
