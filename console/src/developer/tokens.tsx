import "./developer-texts.ts";
import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { KeyIcon, PlusIcon } from "#kit/icons.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useIsSandbox, useVenue, useVenueName } from "#shell/venue.ts";
import { CreateToken } from "./create-token.tsx";
import { type CreatedToken, NewTokenModal } from "./new-token-modal.tsx";
import { RevokeToken } from "./revoke-token.tsx";
import { RollToken } from "./roll-token.tsx";
import { NewSandboxToken, NoSandboxToken } from "./sandbox-tokens.tsx";
import { TokenItem } from "./token-item.tsx";
import { tokensQuery } from "./token-queries.ts";

const STEPS = ["make", "put", "ask"] as const;

const NoTokens = ({ action }: { action: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<KeyIcon size={28} />} title={t("tokens.emptyTitle")}>
      <Text c="dimmed" maw={520}>
        {t("tokens.emptyLead")}
      </Text>
      <ol className="steps">
        {STEPS.map((step) => (
          <li key={step}>{t(`tokens.emptySteps.${step}`)}</li>
        ))}
      </ol>
      {action}
    </EmptyState>
  );
};

export const Tokens = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const name = useVenueName();
  const tokens = useQuery(tokensQuery(venue));
  const [isCreating, creating] = useDisclosure(false);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const show = (token: CreatedToken) => {
    creating.close();
    setCreated(token);
  };
  const isSandbox = useIsSandbox();
  const create = isSandbox ? (
    <NewSandboxToken hasToken={tokens.data?.some(({ state }) => state === "active") ?? false} onCreated={show} />
  ) : (
    <Button leftSection={<PlusIcon size={17} />} onClick={creating.open}>
      {t("tokens.create")}
    </Button>
  );
  const isEmpty = tokens.data?.length === 0;
  return (
    <Page
      title={t("tokens.title")}
      name={t("tokens.title")}
      lead={
        isSandbox ? t("place.tokensLead") : <Trans t={t} i18nKey="tokens.lead" values={{ venue: name }} components={{ bdi: <bdi /> }} />
      }
      action={isEmpty ? null : create}
    >
      {tokens.isPending && <ListSkeleton />}
      {tokens.error && <ErrorAlert error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {isEmpty && (isSandbox ? <NoSandboxToken onCreated={show} /> : <NoTokens action={create} />)}
      {tokens.data && !isEmpty && <TokenList tokens={tokens.data} onCreated={show} />}
      <CreateToken isOpen={isCreating} onClose={creating.close} onCreated={show} />
      <NewTokenModal title={t(isSandbox ? "shown.sandboxTitle" : "shown.title")} created={created} onClose={() => setCreated(null)} />
    </Page>
  );
};

const ListSkeleton = () => {
  const { t } = useTranslation();
  return (
    <Stack gap={0} className="sheet" role="status" aria-label={t("common.loading")}>
      {[0, 1, 2].map((row) => (
        <div key={row} className="token-item">
          <Skeleton height={40} width="70%" />
          <Skeleton height={24} width="80%" />
          <Skeleton height={30} width={144} />
          <Skeleton height={34} width="60%" />
        </div>
      ))}
    </Stack>
  );
};

const lastTouched = ({ last_used_at, created_at }: TokenRow): string => last_used_at ?? created_at;

const TokenList = ({ tokens, onCreated }: { tokens: TokenRow[]; onCreated: (token: CreatedToken) => void }) => {
  const { t } = useTranslation();
  const [isShowingEnded, { toggle }] = useDisclosure(false);
  const [rolling, setRolling] = useState<TokenRow | null>(null);
  const [revoking, setRevoking] = useState<TokenRow | null>(null);
  const sorted = tokens.toSorted((a, b) => (lastTouched(a) < lastTouched(b) ? 1 : -1));
  const active = sorted.filter(({ state }) => state === "active");
  const ended = sorted.filter(({ state }) => state !== "active");
  const items = (rows: TokenRow[]) =>
    rows.map((token) => <TokenItem key={token.id} token={token} onRoll={() => setRolling(token)} onRevoke={() => setRevoking(token)} />);
  return (
    <Stack gap="md" align="stretch">
      {active.length > 0 && <ul className="sheet token-list">{items(active)}</ul>}
      {ended.length > 0 && (
        <Button variant="subtle" color="gray" size="sm" onClick={toggle} aria-expanded={isShowingEnded} className="start">
          {isShowingEnded ? t("tokens.hideEnded") : t("tokens.showEnded", { count: ended.length })}
        </Button>
      )}
      {isShowingEnded && <ul className="sheet token-list">{items(ended)}</ul>}
      <RollToken token={rolling} onClose={() => setRolling(null)} onRolled={onCreated} />
      <RevokeToken token={revoking} onClose={() => setRevoking(null)} />
    </Stack>
  );
};
