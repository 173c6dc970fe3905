/** The teams that the person is invited to. Nothing is given before the yes. */
import type { OpenInvitation } from "@comanda/contract/console/session.ts";
import { Badge, Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { VenueIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatDateTime } from "#kit/relative-time.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { sessionQuery, useSession } from "#shell/session.ts";
import { AccountCard } from "./account-card.tsx";
import "./memberships-texts.ts";

export const Invitations = () => {
  const { t } = useTranslation();
  const { invitations } = useSession();
  if (invitations.length === 0) return null;
  return (
    <AccountCard id="invitations" title={t("invitations.title")} lead={t("invitations.lead")}>
      <ul className="memberships">
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.slug} invitation={invitation} />
        ))}
      </ul>
    </AccountCard>
  );
};

const InvitationItem = ({ invitation }: { invitation: OpenInvitation }) => {
  const { t } = useTranslation();
  const name = useLocalizedName()(invitation.name);
  const { role, invited_by, expires_at } = invitation;
  const at = formatDateTime(expires_at);
  return (
    <li className="membership">
      <VenueIcon />
      <div className="grow">
        <Group gap="xs">
          <Text fw={550} className="break">
            <bdi>{name}</bdi>
          </Text>
          <Badge>{t(`roles.${role}`)}</Badge>
        </Group>
        <Text size="sm" c="dimmed" className="break">
          {invited_by === null ? t("invitations.until", { at }) : t("invitations.by", { name: invited_by, at })}
        </Text>
      </div>
      <InvitationAnswers invitation={invitation} name={name} />
    </li>
  );
};

const useAnswers = (venue: string) => {
  const { t } = useTranslation();
  const toast = useToast();
  const readAgain = [sessionQuery.queryKey];
  const onRefused = (error: Error): void => {
    if (hasErrorCode(error, "not_found")) toast.note(t("invitations.over", { venue }));
    else toast.refusal(error);
  };
  const accepting = useWrite<"acceptInvitation">({
    readAgain,
    onDone: () => toast.done(t("invitations.accepted", { venue })),
    onChanged: () => t("invitations.roleChanged", { venue }),
    onRefused,
  });
  const declining = useWrite<"declineInvitation">({
    readAgain,
    onDone: () => toast.done(t("invitations.declined", { venue })),
    onRefused,
  });
  return { accepting, declining };
};

const InvitationAnswers = ({ invitation: { slug, role }, name }: { invitation: OpenInvitation; name: string }) => {
  const { t } = useTranslation();
  const { accepting, declining } = useAnswers(name);
  const params = { venue: slug };
  return (
    <div className="membership-actions">
      <Button
        aria-label={t("invitations.acceptOf", { venue: name })}
        loading={accepting.isPending}
        disabled={declining.isPending}
        onClick={() => accepting.write({ id: "acceptInvitation", params, body: { seen_role: role } })}
      >
        {t("invitations.accept")}
      </Button>
      <Button
        variant="default"
        aria-label={t("invitations.declineOf", { venue: name })}
        loading={declining.isPending}
        disabled={accepting.isPending}
        onClick={() => declining.write({ id: "declineInvitation", params, body: {} })}
      >
        {t("invitations.decline")}
      </Button>
    </div>
  );
};
