/** Where a person of the team is signed in, for owners; all of it can be ended at once. */
import type { MemberSession, TeamMember } from "@comanda/contract/console/team.ts";
import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { DeviceIcon } from "#kit/icons.tsx";
import { formatRelativeTime, useNow } from "#kit/relative-time.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { teamQuery } from "./team-query.ts";

export const MemberSessions = ({ member, onClose }: { member: TeamMember | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <SideDialog isOpen={member !== null} onClose={onClose} title={t("team.sessionsOf", { name: member?.name ?? "" })} size={500}>
      {member && <SessionsOfMember member={member} />}
    </SideDialog>
  );
};

const SessionsOfMember = ({ member: { id, name, is_self } }: { member: TeamMember }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const sessions = useQuery({
    queryKey: ["team", venue, "sessions", id],
    queryFn: async () => (await call("listMemberSessions", { params: { venue, id } })).data,
  });
  return (
    <Stack gap="lg">
      <Text c="dimmed">{t("team.session.lead", { name })}</Text>
      {sessions.isPending && <Skeleton height={120} role="status" aria-label={t("common.loading")} />}
      {sessions.error && <ErrorAlert error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.data?.length === 0 && <Text>{t("team.session.none", { name })}</Text>}
      {sessions.data && sessions.data.length > 0 && (
        <>
          <ul className="sessions">
            {sessions.data.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
          {is_self ? <OwnSessions /> : <EndSessions id={id} name={name} />}
        </>
      )}
    </Stack>
  );
};

const SessionRow = ({ session: { browser, system, address, last_seen_at, created_at } }: { session: MemberSession }) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  return (
    <li className="session">
      <DeviceIcon />
      <div className="grow">
        <Text size="sm" fw={550}>
          {browser && system ? t("device.named", { browser, system }) : (browser ?? system ?? t("account.unknownDevice"))}
        </Text>
        <Text size="xs" c="dimmed" className="figures break">
          {address && (
            <>
              <bdi>{address}</bdi>
              {" · "}
            </>
          )}
          {t("account.seen", { when: formatRelativeTime(last_seen_at, now) })}
          {" · "}
          {t("account.since", { when: formatRelativeTime(created_at, now) })}
        </Text>
      </div>
    </li>
  );
};

const OwnSessions = () => {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{t("team.session.own")}</Text>
      <Button variant="default" size="md" renderRoot={(props) => <Link to="/account" {...props} />}>
        {t("team.session.toAccount")}
      </Button>
    </Stack>
  );
};

const EndSessions = ({ id, name }: { id: number; name: string }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { write, isPending } = useWrite<"endMemberSessions">({
    readAgain: [teamQuery(venue).queryKey],
    onDone: ({ data }) => {
      toast.done(t("team.session.done", { count: data.ended }));
      queryClient.setQueryData(["team", venue, "sessions", id], []);
    },
  });
  return (
    <Stack gap="sm">
      <Text size="sm">{t("team.session.scope", { name })}</Text>
      <Group>
        <Button
          color="red.9"
          size="md"
          loading={isPending}
          onClick={() => write({ id: "endMemberSessions", params: { venue, id }, body: {} })}
        >
          {t("team.session.end")}
        </Button>
      </Group>
    </Stack>
  );
};
