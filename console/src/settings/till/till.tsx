/** The till: where new orders are sent, its secret, and the last orders on their way. */
import "#developer/styles.ts";
import "./till.css";
import type { VenueTill } from "@comanda/contract/console/till.ts";
import { Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { TillIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { RelativeTime } from "#kit/relative-time.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { PushList } from "./push-list.tsx";
import { enTill } from "./texts.en.ts";
import { ConnectTill, DisconnectTill, NewTillSecret, TillSecretModal } from "./till-dialogs.tsx";
import { tillQuery } from "./till-query.ts";

addEnglishTexts(enTill);

export const TillPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("till.title")} lead="venues.settingsOnly">
      <TillOfVenue />
    </RoleGuard>
  );
};

type TillDialog = "connect" | "secret" | "disconnect" | null;

const TillOfVenue = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const till = useQuery(tillQuery(venue));
  const [dialog, setDialog] = useState<TillDialog>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = (): void => setDialog(null);
  const show = (made: string): void => {
    close();
    setSecret(made);
  };
  const url = till.data?.till?.url ?? null;
  return (
    <Page title={t("till.title")} name={t("till.title")} lead={t("till.lead")} isNarrow>
      {till.isPending && <Skeleton height={260} radius="lg" role="status" aria-label={t("common.loading")} />}
      {till.error && !till.data && <ErrorAlert error={till.error} onRetry={() => void till.refetch()} />}
      {till.data && (
        <Stack gap="lg">
          <ConnectedTill till={till.data.till} onDo={setDialog} />
          <PushList pushes={till.data.pushes} isConnected={url !== null} />
        </Stack>
      )}
      <ConnectTill key={`${url} ${dialog}`} isOpen={dialog === "connect"} url={url} onClose={close} onConnected={show} />
      <NewTillSecret url={dialog === "secret" ? url : null} onClose={close} onConnected={show} />
      <DisconnectTill url={dialog === "disconnect" ? url : null} onClose={close} />
      <TillSecretModal secret={secret} onClose={() => setSecret(null)} />
    </Page>
  );
};

type ConnectedTillProps = { till: VenueTill["till"]; onDo: (dialog: TillDialog) => void };

const ConnectedTill = ({ till, onDo }: ConnectedTillProps) => {
  const { t } = useTranslation();
  if (!till)
    return (
      <EmptyState icon={<TillIcon size={28} />} title={t("till.emptyTitle")}>
        <Text c="dimmed">{t("till.emptyLead")}</Text>
        <Button size="md" onClick={() => onDo("connect")}>
          {t("till.connect")}
        </Button>
      </EmptyState>
    );
  return (
    <section className="sheet till-card" aria-labelledby="till-connected">
      <Title order={2} className="item-title" id="till-connected">
        {t("till.connected")}
      </Title>
      <Text className="break">
        <span className="code">{till.url}</span>
      </Text>
      <Text size="sm" c="dimmed">
        <bdi>{till.connected_by}</bdi> · <RelativeTime at={till.connected_at} />
      </Text>
      <Group gap="sm">
        <Button size="md" variant="default" onClick={() => onDo("connect")}>
          {t("till.change")}
        </Button>
        <Button size="md" variant="default" onClick={() => onDo("secret")}>
          {t("till.newSecret")}
        </Button>
        <Button size="md" variant="light" color="red" onClick={() => onDo("disconnect")}>
          {t("till.disconnect")}
        </Button>
      </Group>
    </section>
  );
};
