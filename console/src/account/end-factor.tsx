import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, isRefused, type Reply } from "../api.ts";
import { useRefusalText } from "../ui/refusal.ts";
import { CodeInput } from "./code-input.tsx";

export const EndFactor = ({ onDone }: { onDone: (person: Reply<"endSecondFactor">["data"]) => void }) => {
  const { t } = useTranslation();
  const describe = useRefusalText();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const end = useMutation({
    mutationFn: async () => (await call("endSecondFactor", { body: { password, code } })).data,
    onSuccess: onDone,
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    end.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{t("factor.endLead")}</Text>
        <PasswordInput
          visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
          label={t("signIn.password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <CodeInput label={t("signIn.code")} value={code} onChange={setCode} />
        {end.error && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)">
            {isRefused(end.error, "sign_in_failed") ? t("factor.wrong") : describe(end.error)}
          </Text>
        )}
        <Button type="submit" color="red.9" loading={end.isPending} disabled={code.length < 6}>
          {t("factor.end")}
        </Button>
      </Stack>
    </form>
  );
};
