/** The address is not confirmed yet: the link can be sent again, or to another address, and what was entered can be changed. */
import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { currentLanguage } from "../texts/language.ts";
import { useErrorText } from "../ui/error-text.ts";
import { SignedOutLayout } from "../ui/signed-out-layout.tsx";

type WaitForLinkProps = { email: string; onOtherAddress: () => void; onBack: () => void };

export const WaitForLink = ({ email, onOtherAddress, onBack }: WaitForLinkProps) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const again = useMutation({ mutationFn: () => call("askToSignUp", { body: { email, locale: currentLanguage() } }) });
  return (
    <SignedOutLayout title={t("signUp.waitTitle")} lead={t("signUp.waitLead", { email })}>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {t("signUp.waitHint")}
        </Text>
        <Button size="md" loading={again.isPending} onClick={() => again.mutate()}>
          {t("signUp.resend")}
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
