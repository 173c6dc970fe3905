import { Badge, Button, Group, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type CallReply, call } from "#kit/api.ts";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { DeviceIcon } from "#kit/icons.tsx";
import { formatRelativeTime, useNow } from "#kit/relative-time.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useSignOut } from "#shell/sign-out.tsx";
import { AccountCard } from "./account-card.tsx";

type ListedSession = CallReply<"listSessions">["data"][number];

export const Sessions = () => {
  const { t } = useTranslation();
  const [isAsking, asking] = useDisclosure(false);
  const signOut = useSignOut("signOutEverywhere");
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: async () => (await call("listSessions")).data });
  return (
    <AccountCard id="sessions" title={t("account.sessions")} lead={t("account.sessionsLead")}>
      {sessions.isPending && <Skeleton height={96} />}
      {sessions.error && <ErrorAlert error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.data && (
        <ul className="sessions">
          {sessions.data.map((session) => (
            <SessionItem key={session.id} session={session} />
          ))}
        </ul>
      )}
      <Group>
        <Button variant="default" onClick={asking.open}>
          {t("nav.signOutEverywhere")}
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("account.everywhereTitle")}
        lead={t("account.everywhereLead")}
        action={t("nav.signOutEverywhere")}
        isPending={signOut.isPending}
        onConfirm={() => signOut.mutate()}
        onClose={asking.close}
      />
    </AccountCard>
  );
};

const useDeviceName = () => {
  const { t } = useTranslation();
  return ({ browser, system }: ListedSession): string =>
    browser && system ? t("device.named", { browser, system }) : (browser ?? system ?? t("account.unknownDevice"));
};

const SessionItem = ({ session }: { session: ListedSession }) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const device = useDeviceName()(session);
  return (
    <li className="session">
      <DeviceIcon />
      <div className="grow">
        <Group gap="xs">
          <Text size="sm" fw={550}>
            {device}
          </Text>
          {session.is_current && (
            <Badge color="green" size="sm">
              {t("account.thisDevice")}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" className="figures">
          {session.address && (
            <>
              <bdi>{session.address}</bdi>
              {" · "}
            </>
          )}
          {t("account.seen", { when: formatRelativeTime(session.last_seen_at, now) })}
          {" · "}
          {t("account.since", { when: formatRelativeTime(session.created_at, now) })}
        </Text>
      </div>
      {!session.is_current && <SignOutDevice id={session.id} device={device} />}
    </li>
  );
};

const SignOutDevice = ({ id, device }: { id: number; device: string }) => {
  const { t } = useTranslation();
  const toast = useToast();
  const { write, isPending } = useWrite<"endSession">({
    readAgain: [["sessions"]],
    onDone: () => toast.done(t("device.signedOut", { device })),
  });
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={t("device.signOutNamed", { device })}
      loading={isPending}
      onClick={() => write({ id: "endSession", params: { id } })}
    >
      {t("device.signOut")}
    </Button>
  );
};
