/** The result of a ping. */
import type { DeliverySummary } from "@comanda/contract/console/webhooks.ts";
import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { formatMs } from "#kit/number-format.ts";
import { useNow } from "#kit/relative-time.tsx";
import { useVenue } from "#shell/venue.ts";
import { StateMark } from "../state-mark.tsx";
import { useWebhooksChanged } from "./webhook-queries.ts";

const SLOW_AFTER_MS = 20_000;

const usePing = (eventId: string) => {
  const venue = useVenue();
  const webhooksChanged = useWebhooksChanged(venue);
  return useQuery({
    queryKey: ["ping", venue, eventId],
    queryFn: async () => {
      const { data } = await call("listDeliveries", { params: { venue }, query: { event: eventId, rows: 1 } });
      if (data[0] && data[0].attempts > 0) void webhooksChanged();
      return data[0] ?? null;
    },
    refetchInterval: ({ state }) => ((state.data?.attempts ?? 0) > 0 ? false : 1000),
  }).data;
};

export const PingResult = ({ eventId }: { eventId: string }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const delivery = usePing(eventId);
  const now = useNow(5000);
  const [startedAt] = useState(Date.now);
  return (
    <div className="ping-result" role="status">
      {delivery && delivery.attempts > 0 ? (
        <PingOutcome delivery={delivery} />
      ) : (
        <span className="state-mark">
          <Loader size={14} />
          <span>{t(now - startedAt > SLOW_AFTER_MS ? "webhooks.pingSlow" : "webhooks.pinging")}</span>
        </span>
      )}
      {delivery && (
        <Link to="/v/$venue/deliveries" params={{ venue }} search={{ open: delivery.id }} className="link">
          {t("webhooks.pingWatch")}
        </Link>
      )}
    </div>
  );
};

const PingOutcome = ({ delivery }: { delivery: DeliverySummary }) => {
  const { t } = useTranslation();
  const { last_failure: failure } = delivery;
  if (failure === null)
    return (
      <StateMark mark="good">
        {t("webhooks.pingGood", { status: delivery.last_status ?? "", ms: formatMs(delivery.last_duration_ms ?? 0) })}
      </StateMark>
    );
  if (delivery.last_status !== null)
    return (
      <StateMark mark="bad">
        {t("webhooks.pingAnswered", { status: delivery.last_status })}
        {failure.code !== "status" && <span dir="auto"> {t(`reasons.${failure.code}`, failure.values)}</span>}
      </StateMark>
    );
  return (
    <StateMark mark="bad">
      {t("webhooks.pingBad")} <span dir="auto">{t(`reasons.${failure.code}`, failure.values)}</span>
    </StateMark>
  );
};
