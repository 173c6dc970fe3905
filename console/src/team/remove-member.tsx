/** Removes a person from the team, and decides what happens to what the person set up. */
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue, useVenueName } from "#shell/venue.ts";
import { AccessFields, decidedAccess, undecidedAccess } from "./access-fields.tsx";
import { RoleError } from "./change-role.tsx";
import { teamQuery } from "./team-query.ts";

export const RemoveMember = ({ member, onClose }: { member: TeamMember | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenueName();
  return (
    <Dialog isOpen={member !== null} onClose={onClose} title={t("team.remove.title", { name: member?.name ?? "", venue })}>
      {member && <Removal member={member} onClose={onClose} />}
    </Dialog>
  );
};

const useRemoval = ({ name }: TeamMember, onClose: () => void) => {
  const { t } = useTranslation();
  const toast = useToast();
  return useWrite<"removeMember">({
    readAgain: [teamQuery(useVenue()).queryKey],
    onDone: () => toast.done(t("team.remove.done", { name })),
    onClose,
    onChanged: () => {
      onClose();
      return t("team.changedMeanwhile", { name });
    },
    // The form says why.
    onRefused: () => undefined,
  });
};

const Removal = ({ member, onClose }: { member: TeamMember; onClose: () => void }) => {
  const { t } = useTranslation();
  const { id, name, role: seen_role, shifts } = member;
  const venue = useVenue();
  const [choice, setChoice] = useState(() => undecidedAccess(member));
  const { write, isPending, error } = useRemoval(member, onClose);
  const decided = decidedAccess(choice);
  const remove = () => decided && write({ id: "removeMember", params: { venue, id }, body: { seen_role, ...decided } });
  return (
    <Stack gap="md">
      <Text c="dimmed">{t("team.remove.lead", { name })}</Text>
      {shifts > 0 && <Text>{t("team.remove.shifts", { count: shifts })}</Text>}
      <AccessFields member={member} choice={choice} onChange={setChoice} />
      {error && <RoleError error={error} />}
      <Group justify="flex-end" gap="sm">
        {!decided && (
          <Text size="sm" c="dimmed" className="grow">
            {t("team.remove.choose")}
          </Text>
        )}
        <Button variant="default" size="md" onClick={onClose} data-autofocus>
          {t("common.cancel")}
        </Button>
        <Button color="red.9" size="md" loading={isPending} disabled={!decided} onClick={remove}>
          {t("team.remove.submit")}
        </Button>
      </Group>
    </Stack>
  );
};
