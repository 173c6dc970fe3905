import { Badge, Button, Group, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { Confirm } from "../ui/confirm.tsx";
import { DeviceIcon } from "../ui/icons.tsx";
import { Fault } from "../ui/states.tsx";
import { relativeMoment, useNow } from "../ui/time.tsx";
import { AccountCard } from "./card.tsx";
import { useSignOut } from "./sign-out.tsx";

export const Sessions = () => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const [isAsking, asking] = useDisclosure(false);
  const signOut = useSignOut("signOutEverywhere");
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: async () => (await call("listSessions")).data });
  return (
    <AccountCard id="sessions" title={t("account.sessions")} lead={t("account.sessionsLead")}>
      {sessions.isPending && <Skeleton height={96} />}
      {sessions.error && <Fault error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.data && (
        <ul className="sessions">
          {sessions.data.map((session) => (
            <li key={`${session.created_at} ${session.address}`} className="session">
              <DeviceIcon />
              <div className="grow">
                <Group gap="xs">
                  <Text size="sm" fw={550} dir="auto">
                    {session.client ?? t("account.unknownDevice")}
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
                  {t("account.seen", { when: relativeMoment(session.last_seen_at, now) })}
                  {" · "}
                  {t("account.since", { when: relativeMoment(session.created_at, now) })}
                </Text>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Group>
        <Button variant="default" onClick={asking.open}>
          {t("nav.signOutEverywhere")}
        </Button>
      </Group>
      <Confirm
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
