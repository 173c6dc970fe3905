import "../developer-texts.ts";
import "../styles.ts";
import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { Alert, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { HookIcon, PlusIcon, ShieldIcon } from "#kit/icons.tsx";
import { LogSkeleton } from "#shell/log-pages.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useIsOwner, useVenue, useVenueName } from "#shell/venue.ts";
import { EditWebhook } from "./edit-webhook.tsx";
import { RemoveWebhook } from "./remove-webhook.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { type NewSigningSecret, SigningSecretModal } from "./signing-secret-modal.tsx";
import { WebhookItem } from "./webhook-item.tsx";
import { webhooksQuery } from "./webhook-queries.ts";

const STEPS = ["address", "secret", "ping"] as const;

const NoWebhooks = ({ action }: { action: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<HookIcon size={28} />} title={t("webhooks.emptyTitle")}>
      <Text c="dimmed" maw={540}>
        {t("webhooks.emptyLead")}
      </Text>
      <ol className="steps">
        {STEPS.map((step) => (
          <li key={step}>{t(`webhooks.emptySteps.${step}`)}</li>
        ))}
      </ol>
      {action ?? <Text size="sm">{t("webhooks.emptyManager")}</Text>}
    </EmptyState>
  );
};

type WebhookDialog = { what: "edit" | "rotate" | "remove"; webhook: WebhookRow } | { what: "add" } | null;

export const Webhooks = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const name = useVenueName();
  const isOwner = useIsOwner();
  const webhooks = useQuery(webhooksQuery(venue));
  const [doing, setDoing] = useState<WebhookDialog>(null);
  const [secret, setSecret] = useState<NewSigningSecret | null>(null);
  const [pings, setPings] = useState<Record<number, string>>({});
  const stop = () => setDoing(null);
  const show = (made: NewSigningSecret) => {
    stop();
    setSecret(made);
  };
  const add = (
    <Button leftSection={<PlusIcon size={17} />} onClick={() => setDoing({ what: "add" })}>
      {t("webhooks.add")}
    </Button>
  );
  const isEmpty = webhooks.data?.length === 0;
  return (
    <Page
      title={t("webhooks.title")}
      name={t("webhooks.title")}
      lead={<Trans t={t} i18nKey="webhooks.lead" values={{ venue: name }} components={{ bdi: <bdi /> }} />}
      action={isOwner && !isEmpty ? add : null}
    >
      {webhooks.isPending && <LogSkeleton rows={3} height={110} />}
      {webhooks.error && <ErrorAlert error={webhooks.error} onRetry={() => void webhooks.refetch()} />}
      {isEmpty && <NoWebhooks action={isOwner ? add : null} />}
      {webhooks.data && !isEmpty && (
        <Stack gap="md">
          {!isOwner && <OwnersOnly />}
          <ul className="sheet log">
            {webhooks.data.map((webhook) => (
              <WebhookItem
                key={webhook.id}
                webhook={webhook}
                ping={pings[webhook.id] ?? null}
                onPing={(eventId) => setPings((before) => ({ ...before, [webhook.id]: eventId }))}
                onDo={(what) => setDoing({ what, webhook })}
              />
            ))}
          </ul>
        </Stack>
      )}
      <EditWebhook
        isOpen={doing?.what === "add" || doing?.what === "edit"}
        webhook={doing?.what === "edit" ? doing.webhook : null}
        onClose={stop}
        onAdded={show}
      />
      <RotateSecret webhook={doing?.what === "rotate" ? doing.webhook : null} onClose={stop} onRotated={show} />
      <RemoveWebhook webhook={doing?.what === "remove" ? doing.webhook : null} onClose={stop} />
      <SigningSecretModal made={secret} onClose={() => setSecret(null)} />
    </Page>
  );
};

const OwnersOnly = () => {
  const { t } = useTranslation();
  return (
    <Alert color="gray" icon={<ShieldIcon />}>
      {t("webhooks.ownersOnly")}
    </Alert>
  );
};
