/** The team: who works in the venue. Managers see it and invite staff; owners change everything. */
import "./team.css";
import type { Team, TeamMember } from "@comanda/contract/console/team.ts";
import { Button, Skeleton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PlusIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { ChangeRole } from "./change-role.tsx";
import { FactorRuleCard } from "./factor-rule.tsx";
import { InviteMember } from "./invite-member.tsx";
import { type MemberDialog, MemberItem } from "./member-item.tsx";
import { MemberSessions } from "./member-sessions.tsx";
import { RemoveMember } from "./remove-member.tsx";
import { teamQuery } from "./team-query.ts";
import { enTeam } from "./texts.en.ts";
import { WithdrawInvitation } from "./withdraw-invitation.tsx";

addEnglishTexts(enTeam);

export const TeamPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("team.title")} lead="venues.settingsOnly">
      <TeamOfVenue />
    </RoleGuard>
  );
};

const TeamOfVenue = () => {
  const { t } = useTranslation();
  const team = useQuery(teamQuery(useVenue()));
  const [isInviting, inviting] = useDisclosure(false);
  const invite = (
    <Button className="team-invite" leftSection={<PlusIcon size={18} />} onClick={inviting.open} disabled={!team.data}>
      {t("team.invite.open")}
    </Button>
  );
  return (
    <Page title={t("team.title")} name={t("team.title")} lead={t("team.lead")} action={invite}>
      {team.isPending && <Skeleton height={320} radius="lg" role="status" aria-label={t("common.loading")} />}
      {team.error && <ErrorAlert error={team.error} onRetry={() => void team.refetch()} />}
      {team.data && <MemberList team={team.data} />}
      {team.data && <FactorRuleCard team={team.data} />}
      <InviteMember isOpen={isInviting} onClose={inviting.close} />
    </Page>
  );
};

const MemberList = ({ team }: { team: Team }) => {
  const [open, setOpen] = useState<{ dialog: MemberDialog; member: TeamMember } | null>(null);
  const memberOf = (dialog: MemberDialog): TeamMember | null => (open?.dialog === dialog ? open.member : null);
  const close = () => setOpen(null);
  return (
    <>
      <ul className="sheet team-list">
        {team.members.map((member) => (
          <MemberItem key={member.id} member={member} onOpen={(dialog) => setOpen({ dialog, member })} />
        ))}
      </ul>
      <ChangeRole member={memberOf("role")} onClose={close} />
      <MemberSessions member={memberOf("sessions")} onClose={close} />
      <RemoveMember member={memberOf("remove")} onClose={close} />
      <WithdrawInvitation member={memberOf("withdraw")} onClose={close} />
    </>
  );
};
