/** Some calls ask for the password again. It is asked for here, whatever page it is, and the call is repeated. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, isRefused, onPasswordRequired } from "../api.ts";
import { useRefusalText } from "../ui/refusal.ts";
import { CurrentPassword } from "./current-password.tsx";

/** Above the drawer or dialog that the call came from. */
const ABOVE_DIALOGS = 250;

type Asking = { promise: Promise<boolean>; resolve: (isGiven: boolean) => void };

/** Calls that are refused at the same moment share one question. */
const useQuestion = () => {
  const [asking, setAsking] = useState<Asking | null>(null);
  useEffect(() => {
    let open: Asking | null = null;
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

export const PasswordAgain = () => {
  const { t } = useTranslation();
  const { isOpen, settle } = useQuestion();
  return (
    <Modal
      opened={isOpen}
      onClose={() => settle(false)}
      title={t("passwordAgain.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      zIndex={ABOVE_DIALOGS}
    >
      {isOpen && <PasswordForm onSettled={settle} />}
    </Modal>
  );
};

type Props = { onSettled: (isGiven: boolean) => void };

const PasswordForm = ({ onSettled }: Props) => {
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
        <CurrentPassword
          label={t("signIn.password")}
          error={confirm.error && (isRefused(confirm.error, "sign_in_failed") ? t("account.currentWrong") : describe(confirm.error))}
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
    </form>
  );
};
