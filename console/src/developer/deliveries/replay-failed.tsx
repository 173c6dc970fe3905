/** Replays all failed deliveries of one endpoint since a chosen time, after showing their number. */
import { Alert, Button, Group, Loader, Radio, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { Dialog } from "#kit/dialog.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { webhooksQuery } from "../webhooks/webhook-queries.ts";
import { useReplay } from "./delivery-queries.ts";

const HOURS = { "1h": 1, "6h": 6, "24h": 24, "7d": 168, "30d": 720 } as const;
type ReplayPeriod = keyof typeof HOURS;
const REPLAY_PERIODS = Object.keys(HOURS) as ReplayPeriod[];

/** The server accepts whole seconds only. */
const sinceOf = (span: ReplayPeriod, now: number): string => `${new Date(now - HOURS[span] * 3_600_000).toISOString().slice(0, 19)}Z`;

type ReplayFailedProps = { isOpen: boolean; webhook: number | null; onClose: () => void };

export const ReplayFailed = ({ isOpen, webhook, onClose }: ReplayFailedProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t("replayFailed.title")}>
      {isOpen && <ReplayForm webhook={webhook} onClose={onClose} />}
    </Dialog>
  );
};

const useReplayChoice = (preferred: number | null) => {
  const venue = useVenue();
  const { data: webhooks = [] } = useQuery(webhooksQuery(venue));
  const [picked, setPicked] = useState<number | null>(preferred);
  const [span, setSpan] = useState<ReplayPeriod>("24h");
  const [openedAt] = useState(Date.now);
  const failing = webhooks.find(({ state }) => state === "failing") ?? webhooks[0];
  const webhook = webhooks.find(({ id }) => id === picked)?.id ?? failing?.id ?? null;
  const since = sinceOf(span, openedAt);
  const count = useQuery({
    queryKey: ["replay-count", venue, webhook, since],
    queryFn: async () =>
      (await call("countReplays", { params: { venue }, body: { failed_at: { webhook: webhook ?? 0, since } } })).data.count,
    enabled: webhook !== null,
    staleTime: 0,
  });
  return { webhooks, webhook, setPicked, span, setSpan, since, count };
};

const ReplayForm = ({ webhook: preferred, onClose }: Omit<ReplayFailedProps, "isOpen">) => {
  const { t } = useTranslation();
  const { webhooks, webhook, setPicked, span, setSpan, since, count } = useReplayChoice(preferred);
  const replay = useReplay(onClose);
  const number = count.data ?? 0;
  return (
    <Stack gap="md">
      <Text c="dimmed" size="sm">
        {t("replayFailed.lead")}
      </Text>
      <Select
        label={t("replayFailed.address")}
        data={webhooks.map(({ id, url }) => ({ value: String(id), label: url }))}
        value={webhook === null ? null : String(webhook)}
        allowDeselect={false}
        data-autofocus
        onChange={(value) => setPicked(Number(value))}
      />
      <Radio.Group label={t("replayFailed.since")} value={span} onChange={(value) => setSpan(value as ReplayPeriod)}>
        <Group gap="md" mt="xs">
          {REPLAY_PERIODS.map((one) => (
            <Radio key={one} value={one} label={t(`replayFailed.spans.${one}`)} />
          ))}
        </Group>
      </Radio.Group>
      <div role="status">
        {count.error ? (
          <ErrorAlert error={count.error} onRetry={() => void count.refetch()} />
        ) : (
          <Alert color={number > 0 ? "wine" : "gray"}>
            {count.isPending && webhook !== null ? (
              <span className="state-mark">
                <Loader size={14} /> {t("replayFailed.counting")}
              </span>
            ) : (
              t(number > 0 ? "replayFailed.count" : "replayFailed.nothing", { count: number })
            )}
          </Alert>
        )}
      </div>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button
          disabled={number === 0 || webhook === null}
          loading={replay.isPending}
          onClick={() => webhook !== null && replay.send({ failed_at: { webhook, since } })}
        >
          {number === 0 ? t("deliveries.replay") : t("replayFailed.submit", { count: number })}
        </Button>
      </Group>
    </Stack>
  );
};
