import "#developer/developer-texts.ts";
import "../apps.css";
import "./my-apps.css";
import type { OwnApp } from "@comanda/contract/console/apps.ts";
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { AppsIcon, PlusIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { LogSkeleton } from "#shell/log-pages.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { ownAppsQuery } from "../app-queries.ts";
import { enApps } from "../texts.en.ts";
import { ClientSecretModal, type NewClientSecret } from "./client-secret-modal.tsx";
import { EditApp } from "./edit-app.tsx";
import { HowToStart } from "./how-to-start.tsx";
import { MyAppItem } from "./my-app-item.tsx";
import { RollSecret } from "./roll-secret.tsx";
import { WithdrawApp } from "./withdraw-app.tsx";

addEnglishTexts(enApps);

type MyAppsDialog = { what: "edit" | "roll" | "withdraw"; app: OwnApp } | { what: "register" } | null;

export const MyApps = () => {
  const { t } = useTranslation();
  const apps = useQuery(ownAppsQuery);
  const [doing, setDoing] = useState<MyAppsDialog>(null);
  const [secret, setSecret] = useState<NewClientSecret | null>(null);
  const stop = () => setDoing(null);
  const show = (made: NewClientSecret) => {
    stop();
    setSecret(made);
  };
  const appOf = (what: "edit" | "roll" | "withdraw") => (doing?.what === what ? doing.app : null);
  const register = (
    <Button leftSection={<PlusIcon size={17} />} onClick={() => setDoing({ what: "register" })}>
      {t("ownApps.register")}
    </Button>
  );
  const isEmpty = apps.data?.length === 0;
  return (
    <Page title={t("ownApps.title")} name={t("ownApps.title")} lead={t("ownApps.lead")} action={isEmpty ? null : register} isNarrow>
      {apps.isPending && <LogSkeleton rows={2} height={180} />}
      {apps.error && <ErrorAlert error={apps.error} onRetry={() => void apps.refetch()} />}
      {isEmpty && <NoMyApps action={register} />}
      {apps.data && (
        <Stack gap="md">
          {apps.data.map((app) => (
            <MyAppItem key={app.id} app={app} onDo={(what) => setDoing({ what, app })} />
          ))}
          <HowToStart app={apps.data[0] ?? null} />
        </Stack>
      )}
      <EditApp isOpen={doing?.what === "register" || doing?.what === "edit"} app={appOf("edit")} onClose={stop} onRegistered={show} />
      <RollSecret app={appOf("roll")} onClose={stop} onRolled={show} />
      <WithdrawApp app={appOf("withdraw")} onClose={stop} />
      <ClientSecretModal made={secret} onClose={() => setSecret(null)} />
    </Page>
  );
};

const NoMyApps = ({ action }: { action: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<AppsIcon size={28} />} title={t("ownApps.emptyTitle")}>
      <Text c="dimmed" maw={480}>
        {t("ownApps.emptyLead")}
      </Text>
      {action}
    </EmptyState>
  );
};
