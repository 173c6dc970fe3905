import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { Text, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { RollIcon } from "#kit/icons.tsx";
import { formatMs, formatPercent } from "#kit/number-format.ts";
import { formatRelativeTime, useNow } from "#kit/relative-time.tsx";
import { NextAttempt } from "../deliveries/waiting-deliveries.tsx";
import { StateMark } from "../state-mark.tsx";
import { PingResult } from "./ping-result.tsx";
import { WebhookMenu, type WebhookTask } from "./webhook-menu.tsx";
import { WEBHOOK_MARKS } from "./webhook-queries.ts";

type WebhookItemProps = { webhook: WebhookRow; ping: string | null; onPing: (eventId: string) => void; onDo: (task: WebhookTask) => void };

export const WebhookItem = ({ webhook, ping, onPing, onDo }: WebhookItemProps) => (
  <li className="hook-item">
    <div className="hook-head">
      <h2 className="item-title hook-url">
        <span className="code">{webhook.url}</span>
      </h2>
      {webhook.description && (
        <Text size="sm" c="dimmed">
          <bdi>{webhook.description}</bdi>
        </Text>
      )}
    </div>
    <WebhookMenu webhook={webhook} onPing={onPing} onDo={onDo} />
    <WebhookFigures webhook={webhook} />
    <LastFailure webhook={webhook} />
    {ping && <PingResult eventId={ping} />}
  </li>
);

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd className="figures">{children}</dd>
  </div>
);

const WebhookFigures = ({ webhook }: { webhook: WebhookRow }) => {
  const { t } = useTranslation();
  const { attempts, successes, p95_ms, pending, waiting, next_attempt_at } = webhook;
  return (
    <dl className="hook-figures">
      <Figure label={t("deliveries.state")}>
        <WebhookState webhook={webhook} />
      </Figure>
      <Figure label={t("webhooks.success")}>
        {attempts === 0 ? (
          <span className="quiet">{t("webhooks.successNone")}</span>
        ) : (
          <>
            <bdi className={successes < attempts ? "bad" : undefined}>{formatPercent(successes, attempts)}</bdi>{" "}
            <bdi className="hint">{t("webhooks.successOf", { good: successes, all: attempts })}</bdi>
          </>
        )}
      </Figure>
      <Figure label={t("webhooks.p95")}>{p95_ms === null ? <span className="quiet">–</span> : formatMs(p95_ms)}</Figure>
      <Figure label={t("webhooks.pending")}>
        {pending}
        {next_attempt_at && (
          <span className="hint waiting-note">
            {t("retry.short", { count: waiting })} · <NextAttempt at={next_attempt_at} />
          </span>
        )}
      </Figure>
      <Figure label={t("endpoint.events")}>
        <Subscription webhook={webhook} />
      </Figure>
    </dl>
  );
};

const WebhookState = ({ webhook: { state, failing_since } }: { webhook: WebhookRow }) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  return (
    <StateMark mark={WEBHOOK_MARKS[state]}>
      {t(`webhooks.state.${state}`)}
      {state === "failing" && failing_since && <span className="hint"> · {formatRelativeTime(failing_since, now)}</span>}
    </StateMark>
  );
};

const Subscription = ({ webhook: { events, secrets } }: { webhook: WebhookRow }) => {
  const { t } = useTranslation();
  return (
    <>
      <Tooltip label={<span className="event-names">{events.join("\n")}</span>} multiline>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the names must be reachable by keyboard too. */}
        <span tabIndex={0} className="dotted">
          {t("webhooks.events", { count: events.length })}
        </span>
      </Tooltip>
      {secrets > 1 && (
        <Tooltip label={t("webhooks.rotatingHint")} multiline w={260}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard too. */}
          <span tabIndex={0} className="rotating">
            <RollIcon size={13} /> {t("webhooks.rotating")}
          </span>
        </Tooltip>
      )}
    </>
  );
};

const LastFailure = ({ webhook: { state, last_failure, last_failure_at } }: { webhook: WebhookRow }) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  if (last_failure === null || last_failure_at === null) return null;
  return (
    <p className={state === "failing" || state === "unsteady" ? "hook-failure bad" : "hook-failure quiet"}>
      {t("webhooks.lastFailure", { when: formatRelativeTime(last_failure_at, now) })}{" "}
      <span dir="auto">{t(`reasons.${last_failure.code}`, last_failure.values)}</span>
    </p>
  );
};
