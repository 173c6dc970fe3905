import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "#kit/api.ts";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { AccountCard } from "./account-card.tsx";
import { CurrentPassword } from "./current-password.tsx";

const LENGTH_MIN = 10;

export const ChangePassword = () => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [isShort, setShort] = useState(false);
  const change = useMutation({
    mutationFn: () => call("changePassword", { body: { current, password } }),
    onSuccess: async () => {
      setCurrent("");
      setPassword("");
      toast.done(t("account.passwordChanged"));
      await queryClient.invalidateQueries({ queryKey: ["sessions"] });
    },
    onError: (error) => hasErrorCode(error, "sign_in_failed") || toast.error(error),
  });
  const submit = () => {
    setShort(password.length < LENGTH_MIN);
    if (password.length >= LENGTH_MIN) change.mutate();
  };
  return (
    <AccountCard title={t("account.passwordTitle")} lead={t("account.passwordLead")}>
      <Form onSubmit={submit}>
        <Stack gap="md">
          <CurrentPassword
            label={t("account.current")}
            error={hasErrorCode(change.error, "sign_in_failed") && t("account.currentWrong")}
            value={current}
            onChange={setCurrent}
          />
          <PasswordInput
            visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
            label={t("account.new")}
            description={t("link.hint")}
            autoComplete="new-password"
            required
            withAsterisk={false}
            maxLength={200}
            error={(isShort && t("account.tooShort")) || fieldErrors(change.error).password}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              {t("account.changePassword")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </AccountCard>
  );
};
