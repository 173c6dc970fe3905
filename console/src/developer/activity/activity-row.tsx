import type { ActivityEntry } from "@comanda/contract/console/logs.ts";
import { UnstyledButton } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { CopyId } from "#kit/copy-id.tsx";
import { diffOf, type FieldChange } from "#kit/diff.ts";
import { RelativeTime } from "#kit/relative-time.tsx";
import { actionKey, actorNameOf, subjectLabelOf, subjectNameOf } from "./activity-labels.ts";
import { fieldLabelOf, formatFieldValue } from "./field-labels.ts";

type ActivityListItemProps = { row: ActivityEntry; currency: string; onSubject: (subject: string) => void };

export const ActivityListItem = ({ row, currency, onSubject }: ActivityListItemProps) => {
  const { t } = useTranslation();
  const fields = diffOf(row.before, row.after, formatFieldValue(t, currency)).filter((field) => isWorthSaying(field, row));
  const key = actionKey(row);
  return (
    <li className="log-row activity-row">
      <div className="activity-what">
        <p className="activity-sentence">
          <span className="activity-who">
            <bdi>{actorNameOf(t, row)}</bdi>
          </span>{" "}
          {key === null ? (
            <span className="code">{row.action}</span>
          ) : (
            <Trans t={t} i18nKey={key} values={{ name: subjectNameOf(t, row) }} components={{ bdi: <bdi className="activity-name" /> }} />
          )}
        </p>
        <p className="hint activity-about">
          {row.actor_email ? <bdi>{row.actor_email}</bdi> : <span>{t(`activity.actors.${row.actor_kind}`)}</span>}
          {row.via && <span>{t(`activity.via.${row.via}`)}</span>}
          {row.address && <span>{t("activity.from", { address: row.address })}</span>}
          <UnstyledButton
            className="link subject"
            title={`${t("activity.onlyThis")}: ${row.subject_id}`}
            onClick={() => onSubject(row.subject_id)}
          >
            <Subject row={row} />
          </UnstyledButton>
        </p>
        {row.reason && (
          <p className="activity-reason">
            <Trans t={t} i18nKey="activity.reason" values={{ reason: row.reason }} components={{ bdi: <bdi /> }} />
          </p>
        )}
        {fields.length > 0 && <Changes fields={fields} />}
      </div>
      <div className="activity-when">
        <RelativeTime at={row.at} />
        {row.request_id && <CopyId label={t("activity.request")} text={row.request_id} shown={`…${row.request_id.slice(-6)}`} />}
      </div>
    </li>
  );
};

/** Hides unchanged fields, and a name that is the only field: the sentence already has it. */
const isWorthSaying = ({ kind, path }: FieldChange, { before, after }: ActivityEntry): boolean =>
  kind !== "context" && !(path === "name" && Object.keys({ ...before, ...after }).length === 1);

const SHORT_FROM = 20;

/** A link to the history if the subject has a name, else its kind and the end of its id. */
const Subject = ({ row }: { row: ActivityEntry }) => {
  const { t } = useTranslation();
  const { subject_id: id, subject_kind: kind } = row;
  if (row.subject_name !== null) return t("activity.history");
  if (kind === "restaurant") return <bdi>{subjectLabelOf(t, kind)}</bdi>;
  const isLong = id.length > SHORT_FROM && !id.includes("@");
  return (
    <bdi>
      {subjectLabelOf(t, kind)} <span className="code">{isLong ? `…${id.slice(-6)}` : id}</span>
    </bdi>
  );
};

const SHOWN_MAX = 4;

const Changes = ({ fields }: { fields: FieldChange[] }) => {
  const { t } = useTranslation();
  if (fields.length <= SHOWN_MAX) return <FieldList fields={fields} />;
  return (
    <details className="meanings">
      <summary>
        {t("activity.details")} ({fields.length})
      </summary>
      <FieldList fields={fields} />
    </details>
  );
};

const FieldList = ({ fields }: { fields: FieldChange[] }) => {
  const { t } = useTranslation();
  return (
    <dl className="diff">
      {fields.map(({ path, kind, from, to }) => (
        <div key={path} className={`diff-${kind}`}>
          <dt>
            <bdi title={path}>{fieldLabelOf(t, path)}</bdi>
          </dt>
          <dd>
            {from !== null && (
              <del>
                <span className="sr">{t("activity.was")} </span>
                <bdi>{from}</bdi>
              </del>
            )}
            {from !== null && to !== null && <span aria-hidden="true" className="diff-arrow" />}
            {to !== null && (
              <ins>
                <span className="sr">{t("activity.is")} </span>
                <bdi>{to}</bdi>
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
};
