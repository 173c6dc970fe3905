/** Requests a sign-in link by e-mail, for a new device after too many failed sign-ins. */
import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";

export const offersLink = (error: unknown): boolean => hasErrorCode(error, "sign_in_link_required") || hasErrorCode(error, "rate_limited");

export const SignInLinkOffer = ({ email, onSent }: { email: string; onSent: () => void }) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const ask = useMutation({ mutationFn: () => call("askForSignInLink", { body: { email } }), onSuccess: onSent });
  return (
    <Stack gap="xs">
      <Text size="sm">{t("signInLink.offer")}</Text>
      {ask.error && (
        <Text role="alert" c="var(--mantine-color-error)" size="sm">
          {describe(ask.error)}
        </Text>
      )}
      <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
        {t("signInLink.send")}
      </Button>
    </Stack>
  );
};

export const SignInLinkSent = ({ email }: { email: string }) => {
  const { t } = useTranslation();
  return (
    <SignedOutLayout title={t("signInLink.sentTitle")} lead={t("signInLink.sent", { email })}>
      <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/sign-in" reloadDocument {...props} />}>
        {t("forgot.toSignIn")}
      </Anchor>
    </SignedOutLayout>
  );
};
