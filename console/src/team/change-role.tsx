/** Gives a person of the team another role. With a lower one, decides what happens to what the person set up. */
import type { Role } from "@comanda/contract/console/operation.ts";
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { AccessFields, decidedAccess, undecidedAccess } from "./access-fields.tsx";
import { ALL_ROLES, RoleChoice } from "./role-choice.tsx";
import { teamQuery } from "./team-query.ts";

export const ChangeRole = ({ member, onClose }: { member: TeamMember | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={member !== null} onClose={onClose} title={t("team.role.title", { name: member?.name ?? "" })}>
      {member && <RoleForm member={member} onClose={onClose} />}
    </Dialog>
  );
};

const isLower = (role: Role, than: Role): boolean => ALL_ROLES.indexOf(role) > ALL_ROLES.indexOf(than);

const useRoleChange = ({ name }: TeamMember, onClose: () => void) => {
  const { t } = useTranslation();
  const toast = useToast();
  return useWrite<"changeRole">({
    readAgain: [teamQuery(useVenue()).queryKey],
    onDone: (_answer, { body: { role } }) => toast.done(t("team.role.done", { name, role: t(`roles.${role}`) })),
    onClose,
    onChanged: () => {
      onClose();
      return t("team.changedMeanwhile", { name });
    },
    // The form says why.
    onRefused: () => undefined,
  });
};

const RoleForm = ({ member, onClose }: { member: TeamMember; onClose: () => void }) => {
  const { t } = useTranslation();
  const [role, setRole] = useState(member.role);
  const [choice, setChoice] = useState(() => undecidedAccess(member));
  const venue = useVenue();
  const { write, isPending, error } = useRoleChange(member, onClose);
  const decided = decidedAccess(choice);
  const asksAccess = isLower(role, member.role);
  const isReady = !asksAccess || decided !== null;
  const submit = (): void => {
    const body = { seen_role: member.role, role, ...(asksAccess ? decided : null) };
    if (role === member.role) onClose();
    else if (isReady) write({ id: "changeRole", params: { venue, id: member.id }, body });
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <RoleChoice value={role} roles={ALL_ROLES} onChange={setRole} />
        <Text size="sm" c="dimmed">
          {t("team.role.atOnce")}
        </Text>
        {asksAccess && <AccessFields member={member} choice={choice} onChange={setChoice} />}
        {error && <RoleError error={error} />}
        <Group justify="flex-end" gap="sm">
          {!isReady && (
            <Text size="sm" c="dimmed" className="grow">
              {t("team.remove.choose")}
            </Text>
          )}
          <Button variant="default" size="md" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="md" loading={isPending} disabled={!isReady}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

/** The role of the last owner can neither change nor end. */
export const RoleError = ({ error }: { error: Error }) => {
  const { t } = useTranslation();
  if (fieldErrors(error).role === undefined) return <ErrorAlert error={error} />;
  return (
    <Alert color="red" variant="light" role="alert">
      {t("team.lastOwner")}
    </Alert>
  );
};
