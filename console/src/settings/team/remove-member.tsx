/** Removes a person from the team, and decides what happens to what the person set up. */
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "../../api.ts";
import { useVenue, useVenueName } from "../../developer/venue.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useToast } from "../../ui/toast.ts";
import { AccessFields, type DecidedAccess, decidedAccess, undecidedAccess } from "./access-fields.tsx";
import { RoleError } from "./change-role.tsx";
import { useTeamChanged } from "./team-query.ts";

export const RemoveMember = ({ member, onClose }: { member: TeamMember | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenueName();
  return (
    <Dialog isOpen={member !== null} onClose={onClose} title={t("team.remove.title", { name: member?.name ?? "", venue })}>
      {member && <Removal member={member} onClose={onClose} />}
    </Dialog>
  );
};

const useRemoval = ({ id, name, role: seen_role }: TeamMember, onClose: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const teamChanged = useTeamChanged(venue);
  return useMutation({
    mutationFn: (order: DecidedAccess) => call("removeMember", { params: { venue, id }, body: { seen_role, ...order } }),
    onSuccess: () => {
      onClose();
      toast.done(t("team.remove.done", { name }));
    },
    onError: (error) => {
      if (!hasErrorCode(error, "state_changed")) return;
      onClose();
      toast.note(t("team.changedMeanwhile", { name }));
    },
    onSettled: teamChanged,
  });
};

const Removal = ({ member, onClose }: { member: TeamMember; onClose: () => void }) => {
  const { t } = useTranslation();
  const { name, shifts } = member;
  const [choice, setChoice] = useState(() => undecidedAccess(member));
  const removal = useRemoval(member, onClose);
  const decided = decidedAccess(choice);
  return (
    <Stack gap="md">
      <Text c="dimmed">{t("team.remove.lead", { name })}</Text>
      {shifts > 0 && <Text>{t("team.remove.shifts", { count: shifts })}</Text>}
      <AccessFields member={member} choice={choice} onChange={setChoice} />
      {removal.error && <RoleError error={removal.error} />}
      <Group justify="flex-end" gap="sm">
        {!decided && (
          <Text size="sm" c="dimmed" className="grow">
            {t("team.remove.choose")}
          </Text>
        )}
        <Button variant="default" size="md" onClick={onClose} data-autofocus>
          {t("common.cancel")}
        </Button>
        <Button color="red.9" size="md" loading={removal.isPending} disabled={!decided} onClick={() => decided && removal.mutate(decided)}>
          {t("team.remove.submit")}
        </Button>
      </Group>
    </Stack>
  );
};
