import type { RequestRow } from "@comanda/contract/console/logs.ts";
import { UnstyledButton } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { CopyId } from "#kit/copy-id.tsx";
import { formatMs } from "#kit/number-format.ts";
import { RelativeTime } from "#kit/relative-time.tsx";
import { StateMark, type StateMarkKind } from "../state-mark.tsx";
import { advisedCode, isUnknownPath, scopeNeeded } from "./advice.ts";

export const markOf = (status: number): StateMarkKind => (status < 400 ? "good" : status === 429 ? "wait" : "bad");

export const RequestListItem = ({ row, onOpen }: { row: RequestRow; onOpen: () => void }) => {
  const { t } = useTranslation();
  return (
    <li className="log-row request-row">
      <div className="request-status">
        <StateMark mark={markOf(row.status)}>
          <span className="figures">{row.status}</span>
        </StateMark>
      </div>
      <div className="request-what">
        <p className="break">
          <UnstyledButton
            className="row-open code"
            onClick={onOpen}
            aria-label={t("requests.open", { method: row.method, route: row.route ?? "", status: row.status })}
          >
            <b>{row.method}</b>
            {row.route && ` ${row.route}`}
          </UnstyledButton>
          {isUnknownPath(row) && (
            <>
              {" "}
              <span className="quiet">{t("requests.unknownRoute")}</span>
            </>
          )}
        </p>
        <Advice row={row} />
        <p className="hint request-about">
          <bdi>{row.token_name}</bdi>
          <span className="ellipsis" dir="auto" title={row.client ?? undefined}>
            {row.client ?? t("requests.unknownClient")}
          </span>
          <span className="code">{row.address}</span>
        </p>
      </div>
      <div className="request-when">
        <span className="figures quiet">{formatMs(row.ms)}</span>
        <RelativeTime at={row.at} />
        <CopyId label={t("requests.id")} text={row.request_id} shown={`…${row.request_id.slice(-6)}`} />
      </div>
    </li>
  );
};

export const Advice = ({ row }: { row: RequestRow }) => {
  const { t } = useTranslation();
  if (row.code === null) return null;
  const known = advisedCode(row);
  const scope = row.code === "insufficient_scope" ? scopeNeeded(row) : null;
  return (
    <p className="request-advice">
      <span className="code pill">{row.code}</span>{" "}
      {row.fields?.map((field) => (
        <span key={field}>
          <span className="code">{field}</span>{" "}
        </span>
      ))}
      <span className="request-advice-text">
        {scope ? (
          <Trans t={t} i18nKey="requests.needsScope" values={{ scope }} components={{ code: <code className="code" /> }} />
        ) : (
          known && t(`requests.advice.${known}`)
        )}
      </span>
    </p>
  );
};
