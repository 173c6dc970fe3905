import { Anchor, Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { type ConsoleLanguage, changeLanguage, currentLanguage, LANGUAGES } from "#kit/language.ts";
import { useToast } from "#kit/toast.ts";
import { Page } from "#shell/page.tsx";
import { sessionQuery, useSession } from "#shell/session.ts";
import { AccountCard } from "./account-card.tsx";
import { ChangePassword } from "./change-password.tsx";
import { Invitations } from "./invitations.tsx";
import { OwnVenues } from "./own-venues.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";

export const Account = () => {
  const { t } = useTranslation();
  return (
    <Page title={t("account.title")} name={t("account.title")} lead={t("account.lead")} isNarrow>
      <Stack gap="md">
        <Invitations />
        <Profile />
        <OwnVenues />
        <ChangePassword />
        <SecondFactor />
        <Sessions />
        <Anchor renderRoot={(props) => <Link to="/sign-up" {...props} />}>{t("ownVenues.another")}</Anchor>
      </Stack>
    </Page>
  );
};

const Profile = () => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const session = useSession();
  const [name, setName] = useState(session.person.name);
  const [language, setLanguage] = useState<ConsoleLanguage | "">(session.person.locale === null ? "" : currentLanguage());
  const save = useMutation({
    mutationFn: async () => (await call("changeUser", { body: { name: name.trim(), locale: language === "" ? null : language } })).data,
    onSuccess: async (person) => {
      queryClient.setQueryData(sessionQuery.queryKey, { ...session, person });
      if (language !== "") await changeLanguage(language);
      toast.done(t("common.saved"));
    },
    onError: toast.error,
  });
  const submit = () => {
    save.mutate();
  };
  return (
    <AccountCard title={t("account.profile")}>
      <Form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t("account.name")}
            description={t("account.nameHint")}
            autoComplete="name"
            maxLength={120}
            required
            withAsterisk={false}
            dir="auto"
            error={fieldErrors(save.error).name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput label={t("account.email")} value={session.person.email} readOnly dir="ltr" variant="filled" />
          <NativeSelect
            label={t("common.language")}
            description={t("account.languageHint")}
            value={language}
            onChange={(event) => setLanguage(event.currentTarget.value as ConsoleLanguage | "")}
            data={[
              { value: "", label: t("account.languageUnset") },
              ...LANGUAGES.map((one) => ({ value: one, label: t(`languages.${one}`) })),
            ]}
          />
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t("common.save")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </AccountCard>
  );
};
