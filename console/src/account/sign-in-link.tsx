/** The way in by mail: for a new device while others guess at the password. */
import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call, isRefused } from "../api.ts";
import { Door } from "../ui/door.tsx";
import { useRefusalText } from "../ui/refusal.ts";

/** Refusals after which a link is offered. */
export const offersLink = (error: unknown): boolean => isRefused(error, "sign_in_link_required") || isRefused(error, "rate_limited");

export const LinkOffer = ({ email, onSent }: { email: string; onSent: () => void }) => {
  const { t } = useTranslation();
  const describe = useRefusalText();
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

export const LinkSent = ({ email }: { email: string }) => {
  const { t } = useTranslation();
  return (
    <Door title={t("signInLink.sentTitle")} lead={t("signInLink.sent", { email })}>
      <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/sign-in" reloadDocument {...props} />}>
        {t("forgot.toSignIn")}
      </Anchor>
    </Door>
  );
};
