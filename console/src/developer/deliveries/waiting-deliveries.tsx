/** The number of waiting deliveries for each endpoint, the next attempt, and a button to send them now. */
import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { RollIcon } from "#kit/icons.tsx";
import { formatDateTime, formatRelativeTime, useNow } from "#kit/relative-time.tsx";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { StateMark } from "../state-mark.tsx";
import { webhooksQuery } from "../webhooks/webhook-queries.ts";
import { useRetry } from "./delivery-queries.ts";

/** Limited to one endpoint when the list is filtered by it. */
export const WaitingDeliveries = ({ webhook }: { webhook: number | undefined }) => {
  const { t } = useTranslation();
  const { data = [] } = useQuery(webhooksQuery(useVenue()));
  const waiting = data.filter((row) => row.waiting > 0 && (webhook === undefined || row.id === webhook));
  if (waiting.length === 0) return null;
  return (
    <ul className="sheet inset waiting" aria-label={t("retry.title")}>
      {waiting.map((row) => (
        <WaitingAtEndpoint key={row.id} webhook={row} />
      ))}
    </ul>
  );
};

const WaitingAtEndpoint = ({ webhook: { id, url, waiting, next_attempt_at } }: { webhook: WebhookRow }) => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  const retry = useRetry();
  return (
    <li>
      <div>
        <StateMark mark="wait">
          <b>{t("retry.waiting", { count: waiting })}</b> {next_attempt_at && <NextAttempt at={next_attempt_at} />}
        </StateMark>
        <span className="code hint ellipsis" title={url}>
          {url.replace(/^https:\/\//, "")}
        </span>
      </div>
      {isOwner && (
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<RollIcon size={14} />}
          loading={retry.isPending}
          onClick={() => retry.send({ webhook: id })}
        >
          {t("retry.all")}
        </Button>
      )}
    </li>
  );
};

export const NextAttempt = ({ at }: { at: string }) => {
  const { t } = useTranslation();
  const now = useNow(5000);
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {t("retry.next", { when: formatRelativeTime(at, now) })}
    </time>
  );
};
