/** Invites a person by e-mail. */
import type { Role } from "@comanda/contract/console/operation.ts";
import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SideDialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { WarningIcon } from "#kit/icons.tsx";
import { currentLanguage } from "#kit/language.ts";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { ALL_ROLES, RoleChoice } from "./role-choice.tsx";
import { teamQuery, useInvitationLimit } from "./team-query.ts";

export const InviteMember = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <SideDialog isOpen={isOpen} onClose={onClose} title={t("team.invite.open")} size={500}>
      <InviteForm onClose={onClose} />
    </SideDialog>
  );
};

const MAIL_LANGUAGES = ["en", "it", "ar"] as const;
const ADDRESS = /^\S+@\S+\.\S+$/;

const useInvitation = (onClose: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [draft, setDraft] = useState({ email: "", name: "", role: "staff" as Role, language: currentLanguage() as string });
  const { write, isPending, error, reset } = useWrite<"inviteMember">({
    readAgain: [teamQuery(venue).queryKey],
    onDone: (_answer, { body }) => toast.done(t("team.invite.done", { email: body.email })),
    // The form says why.
    onRefused: () => undefined,
  });
  const change = (changed: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...changed });
    if (error) reset();
  };
  const send = (): void => {
    const language = MAIL_LANGUAGES.find((one) => one === draft.language) ?? "en";
    const body = { ...draft, email: draft.email.trim(), name: draft.name.trim(), language };
    write({ id: "inviteMember", params: { venue }, body }, onClose);
  };
  return { draft, change, isPending, error, send };
};

const InviteForm = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  const { draft, change, isPending, error, send } = useInvitation(onClose);
  const [tries, setTries] = useState(0);
  const [isAddress, isNamed] = [ADDRESS.test(draft.email.trim()), draft.name.trim() !== ""];
  const translate = useErrorTranslation();
  const { email: refused } = fieldErrors(error);
  const limit = useInvitationLimit()(error);
  const submit = (): void => {
    setTries(tries + 1);
    if (isAddress && isNamed) send();
  };
  return (
    <Form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label={t("team.email")}
          type="email"
          name="email"
          size="md"
          maxLength={254}
          dir="ltr"
          autoComplete="off"
          data-autofocus
          value={draft.email}
          error={refused !== undefined ? translate(refused) : tries > 0 && !isAddress && t("team.invite.emailMissing")}
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
        <TextInput
          label={t("team.invite.name")}
          name="name"
          size="md"
          maxLength={120}
          dir="auto"
          autoComplete="off"
          value={draft.name}
          error={tries > 0 && !isNamed && t("team.invite.nameMissing")}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <RoleChoice
          value={draft.role}
          roles={isOwner ? ALL_ROLES : ["staff"]}
          {...(isOwner ? {} : { description: t("team.invite.managerHint") })}
          onChange={(role) => change({ role })}
        />
        <NativeSelect
          label={t("team.invite.language")}
          size="md"
          value={draft.language}
          data={MAIL_LANGUAGES.map((value) => ({ value, label: t(`team.invite.languages.${value}`) }))}
          onChange={(event) => change({ language: event.currentTarget.value })}
        />
        <Text size="sm" c="dimmed">
          {t("team.invite.how")}
        </Text>
        {limit && (
          <Alert color="red" variant="light" icon={<WarningIcon />} role="alert">
            {limit}
          </Alert>
        )}
        {error && refused === undefined && !limit && <ErrorAlert error={error} />}
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" size="md" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="md" loading={isPending}>
            {t("team.invite.submit")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
