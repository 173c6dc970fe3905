/** One person of the team: role, last use, second factor, and what an owner can do with the membership. */
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { Badge, Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { fieldErrors } from "#kit/error-text.ts";
import { formatDateTime, RelativeTime } from "#kit/relative-time.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { messageKeys } from "#messages/message-queries.ts";
import { MessagesAbout } from "#messages/messages-about.tsx";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { teamQuery, useInvitationLimit } from "./team-query.ts";

export type MemberDialog = "role" | "sessions" | "remove" | "withdraw";

type MemberItemProps = { member: TeamMember; onOpen: (dialog: MemberDialog) => void };

export const MemberItem = ({ member, onOpen }: MemberItemProps) => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  return (
    <li className="team-item">
      <span className="team-initial" aria-hidden="true">
        {[...member.name.trim()][0]?.toUpperCase()}
      </span>
      <div className="team-about">
        <Group gap="xs">
          <h2 className="item-title break">
            <bdi>{member.name}</bdi>
          </h2>
          <Badge>{t(`roles.${member.role}`)}</Badge>
          {member.is_self && <Badge color="green">{t("team.you")}</Badge>}
          {member.invitation && (
            <Badge color={member.invitation.state === "open" ? "yellow" : "gray"}>{t(`team.invited.${member.invitation.state}`)}</Badge>
          )}
        </Group>
      </div>
      <MemberFacts member={member} />
      {!member.is_accepted && <MessagesAbout about="staff" subject={member.email} isLast />}
      <div className="team-actions">
        {!member.is_accepted && (isOwner || member.role === "staff") && <SendAgain member={member} />}
        {isOwner && <OwnerActions member={member} onOpen={onOpen} />}
        {!member.is_accepted && (isOwner || member.role === "staff") && <Withdraw member={member} onOpen={onOpen} />}
      </div>
    </li>
  );
};

const OwnerActions = ({ member: { name, is_accepted }, onOpen }: MemberItemProps) => {
  const { t } = useTranslation();
  return (
    <>
      <Button variant="default" aria-label={t("team.role.changeOf", { name })} onClick={() => onOpen("role")}>
        {t("team.role.change")}
      </Button>
      {is_accepted && (
        <Button variant="default" aria-label={t("team.sessionsOf", { name })} onClick={() => onOpen("sessions")}>
          {t("team.sessions")}
        </Button>
      )}
      {is_accepted && (
        <Button variant="default" className="bad" aria-label={t("team.remove.openOf", { name })} onClick={() => onOpen("remove")}>
          {t("team.remove.open")}
        </Button>
      )}
    </>
  );
};

const Withdraw = ({ member: { name }, onOpen }: MemberItemProps) => {
  const { t } = useTranslation();
  return (
    <Button variant="default" className="bad" aria-label={t("team.invite.withdrawOf", { name })} onClick={() => onOpen("withdraw")}>
      {t("team.invite.withdraw")}
    </Button>
  );
};

/** The venue knows only the address that it typed while the person has not accepted. */
const MemberFacts = ({ member }: { member: TeamMember }) => {
  const { t } = useTranslation();
  const { has_second_factor: factor, screens, tokens, invitation } = member;
  if (invitation)
    return (
      <dl className="team-facts">
        <MemberFact name={t("team.email")}>
          <span dir="ltr">{member.email}</span>
        </MemberFact>
        <MemberFact name={t("team.sentAt")}>
          <RelativeTime at={member.invited_at} />
        </MemberFact>
        {invitation.state !== "declined" && (
          <MemberFact name={t(invitation.state === "open" ? "team.openUntil" : "team.endedAt")}>
            {formatDateTime(invitation.expires_at)}
          </MemberFact>
        )}
      </dl>
    );
  const created = [
    ...(screens > 0 ? [t("team.screens", { count: screens })] : []),
    ...(tokens > 0 ? [t("team.tokens", { count: tokens })] : []),
  ];
  return (
    <dl className="team-facts">
      <MemberFact name={t("team.email")}>
        <span dir="ltr">{member.email}</span>
      </MemberFact>
      <MemberFact name={t("team.seen")}>
        <RelativeTime at={member.last_seen_at} />
      </MemberFact>
      <MemberFact name={t("team.factor")}>{t(factor ? "team.factorOn" : "team.factorOff")}</MemberFact>
      <MemberFact name={t("team.created")}>{created.length > 0 ? created.join(" · ") : t("team.nothing")}</MemberFact>
    </dl>
  );
};

const MemberFact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const SendAgain = ({ member: { id, name, email } }: { member: TeamMember }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const limitOf = useInvitationLimit();
  const { write, isPending } = useWrite<"resendInvitation">({
    readAgain: [teamQuery(venue).queryKey, ...messageKeys(venue)],
    onDone: () => toast.done(t("team.invite.againDone", { email })),
    onRefused: (error) => {
      const told = fieldErrors(error).id ? t("team.invite.accepted", { name }) : limitOf(error);
      if (told) toast.note(told);
      else toast.error(error);
    },
  });
  return (
    <Button
      variant="default"
      aria-label={t("team.invite.againOf", { name })}
      loading={isPending}
      onClick={() => write({ id: "resendInvitation", params: { venue, id }, body: {} })}
    >
      {t("team.invite.again")}
    </Button>
  );
};
