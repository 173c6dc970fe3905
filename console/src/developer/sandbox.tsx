import "./developer-texts.ts";
import type { Sandbox } from "@comanda/contract/console/tokens.ts";
import { Button, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { FlaskIcon } from "#kit/icons.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useLiveVenue, useVenue } from "#shell/venue.ts";
import { type CreatedToken, NewTokenModal } from "./new-token-modal.tsx";
import { SandboxContents, SandboxResets, SandboxToken } from "./sandbox-cards.tsx";
import { sandboxKey, useOpenSandbox } from "./sandbox-queries.ts";

export const SandboxPage = () => {
  const { t } = useTranslation();
  const [venue, live] = [useVenue(), useLiveVenue()];
  const sandbox = useQuery({
    queryKey: sandboxKey(venue),
    queryFn: async () => (await call("readSandbox", { params: { venue: live } })).data,
  });
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const { open, isPending } = useOpenSandbox(setCreated);
  return (
    <Page name={t("sandbox.title")} title={t("sandbox.title")} lead={t("sandbox.lead")}>
      {sandbox.isPending && <Skeleton height={280} radius="lg" role="status" aria-label={t("common.loading")} />}
      {sandbox.error && <ErrorAlert error={sandbox.error} onRetry={() => void sandbox.refetch()} />}
      {sandbox.data === null && <NoSandbox isPending={isPending} onOpen={open} />}
      {sandbox.data && <OpenSandbox sandbox={sandbox.data} isRenewing={isPending} onRenew={open} />}
      <NewTokenModal title={t("shown.sandboxTitle")} created={created} onClose={() => setCreated(null)} />
    </Page>
  );
};

const NoSandbox = ({ isPending, onOpen }: { isPending: boolean; onOpen: () => void }) => {
  const { t } = useTranslation();
  return (
    <div className="sandbox-frame">
      <EmptyState icon={<FlaskIcon size={28} />} title={t("sandbox.emptyTitle")}>
        <Text c="dimmed" maw={520}>
          {t("sandbox.emptyLead")}
        </Text>
        <Button className="sandbox-button" loading={isPending} onClick={onOpen}>
          {t("sandbox.create")}
        </Button>
      </EmptyState>
    </div>
  );
};

const OpenSandbox = ({ sandbox, isRenewing, onRenew }: { sandbox: Sandbox; isRenewing: boolean; onRenew: () => void }) => {
  const { t } = useTranslation();
  const [venue, live] = [useVenue(), useLiveVenue()];
  const toast = useToast();
  const reset = useWrite<"resetSandbox">({
    readAgain: [sandboxKey(venue)],
    onDone: () => toast.done(t("sandbox.resetDone")),
  });
  return (
    <Stack gap="md" className="sandbox-frame">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <SandboxResets
          sandbox={sandbox}
          isPending={reset.isPending}
          onReset={(onAnswer) => reset.write({ id: "resetSandbox", params: { venue: live } }, onAnswer)}
        />
        <SandboxToken token={sandbox.token} isPending={isRenewing} onRenew={onRenew} />
      </SimpleGrid>
      <SandboxContents contents={sandbox.contents} />
      <Text size="sm" c="dimmed">
        {t("sandbox.header")}
      </Text>
    </Stack>
  );
};
