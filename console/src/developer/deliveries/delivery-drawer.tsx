/** One delivery: its attempts, the body that was sent and the answers. */
import type { DeliveryDetail } from "@comanda/contract/console/webhooks.ts";
import { Alert, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { CopyBox } from "#kit/copy-box.tsx";
import { CopyId } from "#kit/copy-id.tsx";
import { SideDialog } from "#kit/dialog.tsx";
import { RollIcon } from "#kit/icons.tsx";
import { RelativeTime } from "#kit/relative-time.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { StateMark } from "../state-mark.tsx";
import { AttemptList } from "./attempts.tsx";
import { DELIVERY_MARKS, deliveryQuery, isReplayable, isRetryable, useReplay, useRetry } from "./delivery-queries.ts";
import { RetryTimeline } from "./retry-timeline-chart.tsx";

export const DeliveryDrawer = ({ id, onClose }: { id: number | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <SideDialog isOpen={id !== null} onClose={onClose} title={t("delivery.title")} size={680}>
      {id !== null && <DeliveryContent id={id} />}
    </SideDialog>
  );
};

const DeliveryContent = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  const delivery = useQuery(deliveryQuery(useVenue(), id));
  if (delivery.data) return <Detail delivery={delivery.data} />;
  if (delivery.error && hasErrorCode(delivery.error, "not_found")) return <Alert color="gray">{t("delivery.missing")}</Alert>;
  if (delivery.error) return <ErrorAlert error={delivery.error} onRetry={() => void delivery.refetch()} />;
  return (
    <Stack role="status" aria-label={t("common.loading")}>
      <Skeleton height={60} />
      <Skeleton height={120} />
      <Skeleton height={240} />
    </Stack>
  );
};

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const Detail = ({ delivery }: { delivery: DeliveryDetail }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <Stack gap="xl">
      <Head delivery={delivery} />
      <section aria-label={t("delivery.line")}>
        <RetryTimeline delivery={delivery} />
        <AttemptList log={delivery.log} cycles={delivery.cycle} />
      </section>
      <div className="tall-code">
        <CopyBox label={t("delivery.body")} text={pretty(delivery.body)} />
      </div>
      <div className="tall-code">
        <CopyBox label={t("delivery.curl")} text={delivery.curl} />
        <Text size="sm" c="dimmed" mt={6}>
          {t("delivery.curlHint")}{" "}
          <Link to="/v/$venue/signature" params={{ venue }} className="link">
            {t("delivery.checker")}
          </Link>
        </Text>
      </div>
    </Stack>
  );
};

const Head = ({ delivery }: { delivery: DeliveryDetail }) => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4}>
          <h3 className="item-title delivery-type">
            <span className="code">{delivery.event_type}</span>
          </h3>
          <StateMark mark={DELIVERY_MARKS[delivery.state]}>{t(`deliveries.states.${delivery.state}`)}</StateMark>
        </Stack>
        <SendAgain delivery={delivery} isOwner={isOwner} />
      </Group>
      {!isOwner && (
        <Text size="sm" c="dimmed">
          {t("delivery.replayOwners")}
        </Text>
      )}
      {isOwner && !isReplayable(delivery) && (
        <Text size="sm" c="dimmed">
          {t(isRetryable(delivery) ? "retry.hint" : "delivery.onTheWay")}
        </Text>
      )}
      <dl className="delivery-facts">
        <dt>{t("delivery.address")}</dt>
        <dd>
          <CopyId label={t("delivery.address")} text={delivery.url} />
        </dd>
        <dt>{t("delivery.eventId")}</dt>
        <dd>
          <CopyId label={t("delivery.eventId")} text={delivery.event_id} />
        </dd>
        <dt>{t("delivery.created")}</dt>
        <dd>
          <RelativeTime at={delivery.created_at} />
        </dd>
      </dl>
    </Stack>
  );
};

/** Retries a waiting delivery; replays a delivered or failed one. */
const SendAgain = ({ delivery, isOwner }: { delivery: DeliveryDetail; isOwner: boolean }) => {
  const { t } = useTranslation();
  const [replay, retry] = [useReplay(), useRetry()];
  const isWaiting = isRetryable(delivery);
  const { send, isPending } = isWaiting ? retry : replay;
  return (
    <Button
      leftSection={<RollIcon size={16} />}
      variant="light"
      disabled={!isOwner || !(isWaiting || isReplayable(delivery))}
      loading={isPending}
      onClick={() => send({ ids: [delivery.id] })}
    >
      {t(isWaiting ? "retry.now" : "delivery.replay")}
    </Button>
  );
};
