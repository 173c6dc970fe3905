/** History: what was changed on the menu, who changed it, and one change put back. */
import type { MenuChange, MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { Alert, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { CheckIcon, ClockIcon, WarningIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { useWrite } from "#kit/write.ts";
import { LogPages } from "#shell/log-pages.tsx";
import { changedFields, fieldName } from "./change-fields.ts";
import { menuPlanQuery } from "./menu-plan-query.ts";

type HistoryToolProps = { venue: string; plan: MenuPlan };
type PutBackResult = { kind: "done"; name: string } | { kind: "lost"; who: string | null };

const useChanges = (venue: string) =>
  useInfiniteQuery({
    queryKey: [...menuPlanQuery(venue).queryKey, "changes"],
    queryFn: ({ pageParam }) => call("listMenuChanges", { params: { venue }, query: pageParam > 0 ? { before: pageParam } : {} }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** The menu and its history are read again, also after a change that came first. */
const usePutBack = (venue: string, onResult: (result: PutBackResult) => void) => {
  const { write, isPending } = useWrite<"putBackMenu">({
    readAgain: [menuPlanQuery(venue).queryKey],
    onChanged: ({ changed_by: who }) => {
      onResult({ kind: "lost", who });
      return null;
    },
  });
  return {
    isPending,
    putBack: (change: MenuChange, name: string): void =>
      write({ id: "putBackMenu", params: { venue }, body: { entries: [change.id] } }, () => onResult({ kind: "done", name })),
  };
};

export const HistoryTool = ({ venue, plan }: HistoryToolProps) => {
  const { t } = useTranslation();
  const changes = useChanges(venue);
  const [result, setResult] = useState<PutBackResult | null>(null);
  const { isPending, putBack } = usePutBack(venue, setResult);
  const empty = (
    <EmptyState icon={<ClockIcon size={28} />} title={t("menuEditor.tools.history")}>
      <Text c="dimmed">{t("menuTools.historyEmpty")}</Text>
    </EmptyState>
  );
  return (
    <Stack gap="md" className="menu-form">
      <Text c="dimmed">
        {t("menuTools.historyLead")} {t("menuTools.clock", { zone: plan.zone })}
      </Text>
      {result?.kind === "done" && (
        <Alert color="green" icon={<CheckIcon />} role="status">
          <span dir="auto">{t("menuTools.putBackDone", { name: result.name })}</span>
        </Alert>
      )}
      {result?.kind === "lost" && (
        <Alert color="orange" icon={<WarningIcon />} role="alert">
          {result.who === null ? t("menuTools.fasterUnknown") : t("menuTools.faster", { who: result.who })}
        </Alert>
      )}
      <LogPages query={changes} empty={empty}>
        {(rows) => (
          <ul className="menu-history">
            {rows.map((change) => (
              <ChangeRow key={change.id} change={change} plan={plan} isBusy={isPending} onPutBack={putBack} />
            ))}
          </ul>
        )}
      </LogPages>
    </Stack>
  );
};

type ChangeRowProps = { change: MenuChange; plan: MenuPlan; isBusy: boolean; onPutBack: (change: MenuChange, name: string) => void };

const ChangeRow = ({ change, plan, isBusy, onPutBack }: ChangeRowProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const name = pick(change.name) || t("menuEditor.unnamed");
  const fields = changedFields({ t, pick, plan }, change);
  return (
    <li>
      <div className="grow">
        <p className="menu-history-head">
          <b dir="auto">{name}</b> <span className="menu-mark">{t(`menuEditor.forms.${change.list}`)}</span>
        </p>
        <p className="menu-detail">
          <bdi>{change.actor_name || t(`menuTools.actors.${change.actor_kind}`)}</bdi> · {t(`menuTools.kinds.${change.kind}`)} ·{" "}
          {formatDayAndClock(change.at, plan.zone)}
        </p>
        {change.kind === "changed" && fields.length === 0 && <p className="menu-detail">{t("menuTools.moved")}</p>}
        {fields.length > 0 && (
          <dl className="menu-history-fields">
            {fields.map(({ path, from, to }) => (
              <div key={path}>
                <dt>{fieldName(t, path)}</dt>
                <dd>
                  {from !== null && (
                    <del>
                      <span className="menu-hidden">{t("menuTools.was")} </span>
                      <bdi>{from}</bdi>
                    </del>
                  )}
                  {from !== null && to !== null && <span aria-hidden="true"> → </span>}
                  {to !== null && (
                    <ins>
                      <span className="menu-hidden">{t("menuTools.is")} </span>
                      <bdi>{to}</bdi>
                    </ins>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {change.can_put_back ? (
        <button
          type="button"
          className="menu-button"
          disabled={isBusy}
          aria-label={t("menuTools.putBackOf", { name })}
          onClick={() => onPutBack(change, name)}
        >
          {t("menuTools.putBack")}
        </button>
      ) : (
        fields.length + (change.kind === "changed" ? 0 : 1) > 0 && <span className="menu-detail">{t("menuTools.changedSince")}</span>
      )}
    </li>
  );
};
