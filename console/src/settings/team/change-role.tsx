/** Gives a person of the team another role. With a lower one, decides what happens to what the person set up. */
import type { Role } from "@comanda/contract/console/operation.ts";
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "../../api.ts";
import { useVenue } from "../../developer/venue.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { fieldErrors } from "../../ui/error-text.ts";
import { ErrorAlert } from "../../ui/page-states.tsx";
import { useToast } from "../../ui/toast.ts";
import { AccessFields, type DecidedAccess, decidedAccess, undecidedAccess } from "./access-fields.tsx";
import { ALL_ROLES, RoleChoice } from "./role-choice.tsx";
import { useTeamChanged } from "./team-query.ts";

export const ChangeRole = ({ member, onClose }: { member: TeamMember | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={member !== null} onClose={onClose} title={t("team.role.title", { name: member?.name ?? "" })}>
      {member && <RoleForm member={member} onClose={onClose} />}
    </Dialog>
  );
};

type RoleOrder = { role: Role; access: DecidedAccess | null; idempotencyKey: string };

const isLower = (role: Role, than: Role): boolean => ALL_ROLES.indexOf(role) > ALL_ROLES.indexOf(than);

const useRoleChange = ({ id, name, role: seen_role }: TeamMember, onClose: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const teamChanged = useTeamChanged(venue);
  return useMutation({
    mutationFn: ({ role, access, idempotencyKey }: RoleOrder) =>
      call("changeRole", { params: { venue, id }, body: { seen_role, role, ...access }, idempotencyKey }),
    onSuccess: (_, { role }) => {
      onClose();
      toast.done(t("team.role.done", { name, role: t(`roles.${role}`) }));
    },
    onError: (error) => {
      if (!hasErrorCode(error, "state_changed")) return;
      onClose();
      toast.note(t("team.changedMeanwhile", { name }));
    },
    onSettled: teamChanged,
  });
};

const RoleForm = ({ member, onClose }: { member: TeamMember; onClose: () => void }) => {
  const { t } = useTranslation();
  const [role, setRole] = useState(member.role);
  const [choice, setChoice] = useState(() => undecidedAccess(member));
  const change = useRoleChange(member, onClose);
  const decided = decidedAccess(choice);
  const asksAccess = isLower(role, member.role);
  const isReady = !asksAccess || decided !== null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (role === member.role) onClose();
    else if (isReady) change.mutate({ role, access: asksAccess ? decided : null, idempotencyKey: crypto.randomUUID() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <RoleChoice value={role} roles={ALL_ROLES} onChange={setRole} />
        <Text size="sm" c="dimmed">
          {t("team.role.atOnce")}
        </Text>
        {asksAccess && <AccessFields member={member} choice={choice} onChange={setChoice} />}
        {change.error && <RoleError error={change.error} />}
        <Group justify="flex-end" gap="sm">
          {!isReady && (
            <Text size="sm" c="dimmed" className="grow">
              {t("team.remove.choose")}
            </Text>
          )}
          <Button variant="default" size="md" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="md" loading={change.isPending} disabled={!isReady}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
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
