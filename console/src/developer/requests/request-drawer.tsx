import type { RequestReason, RequestRow } from "@comanda/contract/console/logs.ts";
import { REQUEST_LOG_DAYS } from "@comanda/contract/console/request-log-days.ts";
import { Alert, Button, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { CopyId } from "#kit/copy-id.tsx";
import { SideDialog } from "#kit/dialog.tsx";
import { formatMs } from "#kit/number-format.ts";
import { formatDateTime, formatRelativeTime, useNow } from "#kit/relative-time.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { StateMark } from "../state-mark.tsx";
import { isUnknownPath } from "./advice.ts";
import { explainMissing } from "./request-id.ts";
import { Advice, markOf } from "./request-row.tsx";

export const RequestDrawer = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <SideDialog isOpen={id !== null} onClose={onClose} title={t("requests.detail")} size={560}>
      {id !== null && <RequestContent id={id} />}
    </SideDialog>
  );
};

const RequestContent = ({ id }: { id: string }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const request = useQuery({
    queryKey: ["request", venue, id],
    queryFn: async () => (await call("listRequests", { params: { venue }, query: { request: id, rows: 1 } })).data[0] ?? null,
  });
  if (request.data) return <Detail row={request.data} />;
  if (request.data === null) return <MissingRequest id={id} onRetry={() => void request.refetch()} />;
  if (request.error) return <ErrorAlert error={request.error} onRetry={() => void request.refetch()} />;
  return (
    <Stack role="status" aria-label={t("common.loading")}>
      <Skeleton height={40} />
      <Skeleton height={160} />
    </Stack>
  );
};

const MissingRequest = ({ id, onRetry }: { id: string; onRetry: () => void }) => {
  const { t } = useTranslation();
  const now = useNow(1000);
  const { reason, at } = explainMissing(id, now);
  const when = at === null ? "" : formatRelativeTime(new Date(at).toISOString(), now);
  return (
    <Stack gap="md" align="flex-start">
      <Alert color="gray" className="request-missing">
        {reason === "old" ? t("requests.missing.old", { when, count: REQUEST_LOG_DAYS }) : t(`requests.missing.${reason}`)}
      </Alert>
      {reason === "new" && (
        <Button variant="default" onClick={onRetry}>
          {t("common.retry")}
        </Button>
      )}
      <CopyId label={t("requests.id")} text={id} />
    </Stack>
  );
};

const RefusedBy = ({ row }: { row: RequestRow }) => {
  const { t } = useTranslation();
  if (row.gate === null) return null;
  return (
    <p className="request-gate">
      {t("requests.refusedBy")}: <b>{t(`requests.gates.${row.gate}`)}</b>
    </p>
  );
};

/** Names and values of a reason's parameters, as the API sends them. */
const writeParams = (params: Record<string, unknown>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

const Reasons = ({ reasons }: { reasons: readonly RequestReason[] }) => {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="request-reasons">
      <h4 className="item-title" id="request-reasons">
        {t("requests.reasons")}
      </h4>
      <ul className="plain-list request-reasons">
        {reasons.map(({ field, reason, params }) => (
          <li key={`${field} ${reason}`}>
            <span className="code">{field}</span>
            <a className="link code" href="/docs/guide/reasons" target="_blank" rel="noreferrer">
              {reason}
            </a>
            {Object.keys(params).length > 0 && <span className="code quiet break">{writeParams(params)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
};

const GuideLink = ({ code }: { code: string }) => {
  const { t } = useTranslation();
  return (
    <a className="link" href={`/docs/guide/errors#${code}`} target="_blank" rel="noreferrer">
      {t("requests.guide")}
    </a>
  );
};

const Detail = ({ row }: { row: RequestRow }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <h3 className="item-title break">
          <span className="code">
            {row.method} {row.route}
          </span>
        </h3>
        {isUnknownPath(row) && <p className="quiet">{t("requests.unknownRoute")}</p>}
        <StateMark mark={markOf(row.status)}>
          <span className="figures">{row.status}</span>
        </StateMark>
        <RefusedBy row={row} />
        <Advice row={row} />
        {row.code !== null && <GuideLink code={row.code} />}
      </Stack>
      {row.reasons && <Reasons reasons={row.reasons} />}
      <dl className="delivery-facts">
        <dt>{t("requests.id")}</dt>
        <dd>
          <CopyId label={t("requests.id")} text={row.request_id} />
        </dd>
        <dt>{t("requests.time")}</dt>
        <dd className="figures">{formatDateTime(row.at)}</dd>
        <dt>{t("requests.duration")}</dt>
        <dd className="figures">{formatMs(row.ms)}</dd>
        <dt>{t("requests.token")}</dt>
        <dd>
          <bdi>{row.token_name}</bdi>{" "}
          <Link to="/v/$venue/requests" params={{ venue }} search={{ token: row.token_id }} className="link">
            {t("requests.onlyToken")}
          </Link>
        </dd>
        <dt>{t("requests.client")}</dt>
        <dd className="break" dir="auto">
          {row.client ?? t("requests.unknownClient")}
        </dd>
        <dt>{t("requests.address")}</dt>
        <dd>
          <CopyId label={t("requests.address")} text={row.address} />
        </dd>
      </dl>
    </Stack>
  );
};
