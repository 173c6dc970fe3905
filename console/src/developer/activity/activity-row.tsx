import type { ActivityRow } from "@comanda/contract/console-logs.ts";
import { UnstyledButton } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { CopyId } from "../../ui/copy-id.tsx";
import { Ago } from "../../ui/time.tsx";
import { diffOf, type Field } from "./diff.ts";
import { sayAction } from "./words.ts";

type Props = { row: ActivityRow; onSubject: (subject: string) => void };

export const ActivityLine = ({ row, onSubject }: Props) => {
  const { t } = useTranslation();
  const fields = diffOf(row.before, row.after);
  return (
    <li className="log-row activity-row">
      <div className="activity-what">
        <p className="activity-sentence">
          <bdi className="activity-who">{row.actor_name || t(`activity.actors.${row.actor_kind}`)}</bdi> {sayAction(t, row.action)}
        </p>
        <p className="hint activity-about">
          {row.actor_email ? <bdi>{row.actor_email}</bdi> : <span>{t(`activity.actors.${row.actor_kind}`)}</span>}
          {row.via && <span>{t(`activity.via.${row.via}`)}</span>}
          {row.address && <span>{t("activity.from", { address: row.address })}</span>}
          <UnstyledButton className="link subject" title={t("activity.onlyThis")} onClick={() => onSubject(row.subject_id)}>
            <bdi className="code">
              {row.subject_kind} {row.subject_id}
            </bdi>
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
        <Ago at={row.at} />
        {row.request_id && <CopyId label={t("activity.request")} text={row.request_id} shown={`…${row.request_id.slice(-6)}`} />}
      </div>
    </li>
  );
};

const SHOWN_MAX = 4;

/** What changed comes first; a long change is folded. */
const Changes = ({ fields }: { fields: Field[] }) => {
  const { t } = useTranslation();
  const sorted = [...fields.filter(({ kind }) => kind !== "context"), ...fields.filter(({ kind }) => kind === "context")];
  if (sorted.length <= SHOWN_MAX) return <FieldList fields={sorted} />;
  return (
    <details className="meanings">
      <summary>
        {t("activity.details")} ({sorted.length})
      </summary>
      <FieldList fields={sorted} />
    </details>
  );
};

const FieldList = ({ fields }: { fields: Field[] }) => {
  const { t } = useTranslation();
  return (
    <dl className="diff">
      {fields.map(({ path, kind, from, to }) => (
        <div key={path} className={`diff-${kind}`}>
          <dt>
            <span className="code">{path}</span>
          </dt>
          <dd>
            {kind === "context" ? (
              <bdi>{from}</bdi>
            ) : (
              <>
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
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
};
