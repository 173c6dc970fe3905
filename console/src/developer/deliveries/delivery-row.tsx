import type { DeliverySummary } from "@comanda/contract/console/webhooks.ts";
import { Button, Checkbox, UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatMs } from "#kit/number-format.ts";
import { formatRelativeTime, RelativeTime, useNow } from "#kit/relative-time.tsx";
import { StateMark } from "../state-mark.tsx";
import { DELIVERY_MARKS, isReplayable, isRetryable, useRetry } from "./delivery-queries.ts";

type DeliveryListItemProps = { delivery: DeliverySummary; isSelected: boolean; onSelect: (() => void) | null; onOpen: () => void };

export const DeliveryListItem = ({ delivery, isSelected, onSelect, onOpen }: DeliveryListItemProps) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const state = t(`deliveries.states.${delivery.state}`);
  return (
    <li className={onSelect ? "log-row delivery-row selectable" : "log-row delivery-row"}>
      {onSelect && (
        <Checkbox
          size="sm"
          className="row-check"
          aria-label={t("deliveries.select", { type: delivery.event_type, when: formatRelativeTime(delivery.created_at, now) })}
          checked={isSelected}
          disabled={!isReplayable(delivery)}
          title={isReplayable(delivery) ? undefined : t("deliveries.notSelectable")}
          onChange={onSelect}
        />
      )}
      <div className="delivery-state">
        <StateMark mark={DELIVERY_MARKS[delivery.state]}>{state}</StateMark>
      </div>
      <div className="delivery-what">
        <UnstyledButton className="row-open code" onClick={onOpen} aria-label={t("deliveries.open", { type: delivery.event_type, state })}>
          {delivery.event_type}
        </UnstyledButton>
        <span className="code hint ellipsis" title={delivery.url}>
          {delivery.url.replace(/^https:\/\//, "")}
        </span>
      </div>
      <Outcome delivery={delivery} />
      <div className="delivery-when">
        <RelativeTime at={delivery.created_at} />
        <NextTry delivery={delivery} />
        {onSelect && isRetryable(delivery) && <RetryNow delivery={delivery} />}
      </div>
    </li>
  );
};

const Outcome = ({ delivery: { attempts, cycle, last_status, last_failure, last_duration_ms } }: { delivery: DeliverySummary }) => {
  const { t } = useTranslation();
  return (
    <div className="delivery-outcome">
      <span>
        {last_status !== null && <span className={last_failure ? "status-bad figures" : "status-good figures"}>{last_status}</span>}
        {last_duration_ms !== null && <span className="hint figures">{formatMs(last_duration_ms)}</span>}
        <span className="hint">
          {attempts === 0 ? t("deliveries.notTried") : t("deliveries.attempts", { count: attempts })}
          {cycle > 1 && ` · ${t("deliveries.again")}`}
        </span>
      </span>
      {last_failure && <bdi>{t(`reasons.${last_failure.code}`, last_failure.values)}</bdi>}
    </div>
  );
};

const NextTry = ({ delivery: { state, due_at } }: { delivery: DeliverySummary }) => {
  const { t } = useTranslation();
  const now = useNow(15_000);
  if (state === "held") return <span className="hint">{t("deliveries.heldHint")}</span>;
  if (state !== "waiting" || due_at === null) return null;
  return <span className="hint">{t("deliveries.next", { when: formatRelativeTime(due_at, now) })}</span>;
};

const RetryNow = ({ delivery: { id, event_type } }: { delivery: DeliverySummary }) => {
  const { t } = useTranslation();
  const retry = useRetry();
  return (
    <Button
      size="compact-xs"
      variant="default"
      className="row-retry"
      aria-label={t("retry.one", { type: event_type })}
      loading={retry.isPending}
      onClick={() => retry.send({ ids: [id] })}
    >
      {t("retry.now")}
    </Button>
  );
};
