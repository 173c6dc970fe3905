import type { Sandbox } from "@comanda/contract/console/tokens.ts";
import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { Countdown, formatRelativeTime, RelativeTime, useNow } from "#kit/relative-time.tsx";

const Card = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <section className="sheet card">
    <Group justify="space-between" mb="sm" mih={36}>
      <h2 className="item-title">{title}</h2>
      {action}
    </Group>
    {children}
  </section>
);

type ResetsProps = { sandbox: Sandbox; isPending: boolean; onReset: (onAnswer: () => void) => void };

export const SandboxResets = ({ sandbox, isPending, onReset }: ResetsProps) => {
  const { t } = useTranslation();
  const [isAsking, asking] = useDisclosure(false);
  return (
    <Card
      title={t("sandbox.resets")}
      action={
        <Button size="xs" variant="default" onClick={asking.open}>
          {t("sandbox.reset")}
        </Button>
      }
    >
      <dl className="facts">
        <dt>{t("sandbox.nextReset")}</dt>
        <dd>{sandbox.next_reset_at === null ? t("sandbox.notYet") : <Countdown until={sandbox.next_reset_at} />}</dd>
        <dt>{t("sandbox.lastReset")}</dt>
        <dd>{sandbox.reset_at === null ? t("sandbox.notYet") : <RelativeTime at={sandbox.reset_at} />}</dd>
        <dt>{t("sandbox.opened")}</dt>
        <dd>
          <RelativeTime at={sandbox.created_at} />
        </dd>
      </dl>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("sandbox.resetTitle")}
        lead={t("sandbox.resetLead")}
        action={t("sandbox.reset")}
        isPending={isPending}
        onConfirm={() => onReset(asking.close)}
        onClose={asking.close}
      />
    </Card>
  );
};

export const SandboxToken = ({ token, isPending, onRenew }: { token: Sandbox["token"]; isPending: boolean; onRenew: () => void }) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const [isAsking, asking] = useDisclosure(false);
  const renew = () => {
    asking.close();
    onRenew();
  };
  const used = token?.last_used_at ? formatRelativeTime(token.last_used_at, now) : t("common.never");
  return (
    <Card
      title={t("sandbox.token")}
      action={
        <Button size="xs" variant="default" loading={isPending} onClick={token ? asking.open : renew}>
          {t("sandbox.newToken")}
        </Button>
      }
    >
      {token ? (
        <>
          <span className="code sandbox-hint">{token.hint}</span>
          <Text size="sm" c="dimmed" mt={6}>
            {t("sandbox.tokenMade", { when: formatRelativeTime(token.created_at, now), used })}
          </Text>
        </>
      ) : (
        <Text c="dimmed">{t("sandbox.noToken")}</Text>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={t("sandbox.newTokenTitle")}
        lead={t("sandbox.newTokenLead")}
        action={t("sandbox.newToken")}
        isPending={isPending}
        onConfirm={renew}
        onClose={asking.close}
      />
    </Card>
  );
};

const KINDS = ["dishes", "tables", "guests", "reservations", "orders"] as const;

export const SandboxContents = ({ contents }: { contents: Sandbox["contents"] }) => {
  const { t } = useTranslation();
  return (
    <Card title={t("sandbox.contents")}>
      <ul className="contents">
        {KINDS.map((kind) => (
          <li key={kind} className="figures">
            {t(`sandbox.${kind}`, { count: contents[kind] })}
          </li>
        ))}
      </ul>
    </Card>
  );
};
