/** Some calls ask for the password again. It is asked for here, and the call is repeated. */
import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, isRefused } from "../api.ts";
import { useRefusalText } from "../ui/refusal.ts";

type Asking = { answer: (isGiven: boolean) => void };

/** `dialog` must not stand inside a form: what is sent in it would be sent there as well. */
export const usePasswordAgain = (): { withPassword: <T>(work: () => Promise<T>) => Promise<T>; dialog: ReactNode } => {
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask = (): Promise<boolean> => new Promise((resolve) => setAsking({ answer: resolve }));
  const withPassword = async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!isRefused(error, "password_required") || !(await ask())) throw error;
      return work();
    }
  };
  const settle = (isGiven: boolean) => {
    asking?.answer(isGiven);
    setAsking(null);
  };
  return { withPassword, dialog: <PasswordDialog isOpen={asking !== null} onSettled={settle} /> };
};

type Props = { isOpen: boolean; onSettled: (isGiven: boolean) => void };

const PasswordDialog = ({ isOpen, onSettled }: Props) => {
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={() => onSettled(false)}
      title={t("passwordAgain.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {isOpen && <PasswordForm onSettled={onSettled} />}
    </Modal>
  );
};

const PasswordForm = ({ onSettled }: Pick<Props, "onSettled">) => {
  const { t } = useTranslation();
  const describe = useRefusalText();
  const [password, setPassword] = useState("");
  const confirm = useMutation({
    mutationFn: () => call("confirmPassword", { body: { password } }),
    onSuccess: () => onSettled(true),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{t("passwordAgain.lead")}</Text>
        <PasswordInput
          visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
          label={t("signIn.password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          error={confirm.error && (isRefused(confirm.error, "sign_in_failed") ? t("account.currentWrong") : describe(confirm.error))}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
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
    </form>
  );
};
