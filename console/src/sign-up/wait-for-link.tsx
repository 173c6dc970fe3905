/** The address is not confirmed yet: the link can be sent again, or to another address, and what was entered can be changed. */
import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { useClock } from "#kit/clock.ts";
import { useErrorText } from "#kit/error-text.ts";
import { currentLanguage } from "#kit/language.ts";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";

type WaitForLinkProps = { email: string; onOtherAddress: () => void; onBack: () => void };

/** The service sends one mail a minute to an address: a press before that would send none. */
const ASK_EVERY_MS = 60_000;

const useSecondsLeft = (askedAt: number): number => Math.max(0, Math.ceil((askedAt + ASK_EVERY_MS - useClock()) / 1000));

export const WaitForLink = ({ email, onOtherAddress, onBack }: WaitForLinkProps) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const [shownAt] = useState(Date.now);
  const again = useMutation({ mutationFn: () => call("askToSignUp", { body: { email, locale: currentLanguage() } }) });
  const seconds = useSecondsLeft(again.isSuccess ? again.submittedAt : shownAt);
  return (
    <SignedOutLayout title={t("signUp.waitTitle")} lead={t("signUp.waitLead", { email })}>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {t("signUp.waitHint")}
        </Text>
        <Button size="md" disabled={seconds > 0} loading={again.isPending} onClick={() => again.mutate()}>
          {seconds > 0 ? t("signUp.resendIn", { seconds }) : t("signUp.resend")}
        </Button>
        <Text role="status" size="sm">
          {again.isSuccess && t("signUp.resent", { email })}
        </Text>
        {again.error && (
          <Text role="alert" c="var(--mantine-color-error)" size="sm">
            {describe(again.error)}
          </Text>
        )}
        <Button size="md" variant="default" onClick={onOtherAddress}>
          {t("signUp.otherAddress")}
        </Button>
        <Button size="md" variant="subtle" onClick={onBack}>
          {t("signUp.back")}
        </Button>
      </Stack>
    </SignedOutLayout>
  );
};
