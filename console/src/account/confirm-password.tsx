/** Asks for the password when a call requires it again. The call is then repeated. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode, onPasswordRequired } from "#kit/api.ts";
import { Dialog } from "#kit/dialog.tsx";
import { useErrorText } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { CurrentPassword } from "./current-password.tsx";

/** The z-index above drawers and dialogs. */
const ABOVE_DIALOGS = 250;

type PasswordPrompt = { promise: Promise<boolean>; resolve: (isGiven: boolean) => void };

/** Calls that fail at the same time share one prompt. */
const usePasswordPrompt = () => {
  const [asking, setAsking] = useState<PasswordPrompt | null>(null);
  useEffect(() => {
    let open: PasswordPrompt | null = null;
    onPasswordRequired(() => {
      open ??= Promise.withResolvers<boolean>();
      const { promise } = open;
      setAsking(open);
      return promise.finally(() => {
        open = null;
      });
    });
    return () => onPasswordRequired(async () => false);
  }, []);
  const settle = (isGiven: boolean) => {
    asking?.resolve(isGiven);
    setAsking(null);
  };
  return { isOpen: asking !== null, settle };
};

export const ConfirmPassword = () => {
  const { t } = useTranslation();
  const { isOpen, settle } = usePasswordPrompt();
  return (
    <Dialog isOpen={isOpen} onClose={() => settle(false)} title={t("passwordAgain.title")} zIndex={ABOVE_DIALOGS}>
      {isOpen && <PasswordForm onSettled={settle} />}
    </Dialog>
  );
};

type PasswordFormProps = { onSettled: (isGiven: boolean) => void };

const PasswordForm = ({ onSettled }: PasswordFormProps) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const [password, setPassword] = useState("");
  const confirm = useMutation({
    mutationFn: () => call("confirmPassword", { body: { password } }),
    onSuccess: () => onSettled(true),
  });
  const submit = () => {
    confirm.mutate();
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{t("passwordAgain.lead")}</Text>
        <CurrentPassword
          label={t("signIn.password")}
          error={confirm.error && (hasErrorCode(confirm.error, "sign_in_failed") ? t("account.currentWrong") : describe(confirm.error))}
          hasFocus
          value={password}
          onChange={setPassword}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => onSettled(false)}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={confirm.isPending}>
            {t("passwordAgain.submit")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
