import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { Door } from "../ui/door.tsx";
import { useRefusalText } from "../ui/refusal.ts";

export const Forgot = () => {
  const { t } = useTranslation();
  const [email, setEmail] = useState("");
  const ask = useMutation({ mutationFn: () => call("askForReset", { body: { email } }) });
  if (ask.isSuccess)
    return (
      <Door title={t("forgot.sentTitle")} lead={t("forgot.sent", { email })}>
        <ToSignIn />
      </Door>
    );
  return (
    <Door title={t("forgot.title")} lead={t("forgot.lead")}>
      <AskForm email={email} onEmail={setEmail} isPending={ask.isPending} error={ask.error} onSubmit={() => ask.mutate()} />
    </Door>
  );
};

const ToSignIn = () => {
  const { t } = useTranslation();
  return (
    <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
      {t("forgot.toSignIn")}
    </Anchor>
  );
};

type Props = { email: string; onEmail: (email: string) => void; isPending: boolean; error: Error | null; onSubmit: () => void };

const AskForm = ({ email, onEmail, isPending, error, onSubmit }: Props) => {
  const { t } = useTranslation();
  const describe = useRefusalText();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={t("signIn.email")}
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          dir="ltr"
          value={email}
          onChange={(event) => onEmail(event.currentTarget.value)}
        />
        {error && (
          <Text role="alert" c="var(--mantine-color-error)" size="sm">
            {describe(error)}
          </Text>
        )}
        <Button type="submit" size="md" loading={isPending}>
          {t("forgot.submit")}
        </Button>
        <ToSignIn />
      </Stack>
    </form>
  );
};
