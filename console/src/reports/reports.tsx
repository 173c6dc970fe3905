/** Reports: today against the same weekday, and any period by day, hour, channel, dish and payment method. */
import "./reports.css";
import type { ReportKind, TodayReport } from "@comanda/contract/console/reports.ts";
import { Button, Group, NativeSelect, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { FigureOrders } from "./figure-orders.tsx";
import { PRESETS, periodOf, type ShownPeriod } from "./report-periods.ts";
import { type ReportFigure, type ReportScope, todayQuery } from "./report-queries.ts";
import { SalesSection } from "./sales-sections.tsx";
import { ServiceSections } from "./service-sections.tsx";
import { enReports } from "./texts.en.ts";
import { Today } from "./today.tsx";

/** The kinds in the order of the page. Only the type comes from the contract, because its shapes are not shipped. */
const REPORT_KINDS: readonly ReportKind[] = ["day", "hour", "channel", "dish", "branch", "method"];

addEnglishTexts(enReports);

export const ReportsPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("reports.title")} lead="reports.only">
      <Reports />
    </RoleGuard>
  );
};

const Reports = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const { branch } = useSearch({ from: "/inside/v/$venue/reports" });
  const today = useQuery(todayQuery(venue, branch));
  return (
    <Page title={t("reports.title")} name={t("reports.title")} lead={t("reports.lead")}>
      {today.error && !today.data ? (
        <ErrorAlert error={today.error} onRetry={() => void today.refetch()} />
      ) : today.data ? (
        <ReportBody report={today.data} />
      ) : (
        <Skeleton height={320} radius="lg" role="status" aria-label={t("common.loading")} />
      )}
    </Page>
  );
};

const ReportBody = ({ report }: { report: TodayReport }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const { from, to, branch } = useSearch({ from: "/inside/v/$venue/reports" });
  const [opened, setOpened] = useState<{ scope: ReportScope; figure: ReportFigure } | null>(null);
  const now = report.today.date;
  const standard = periodOf("weeks", now);
  const scope: ReportScope = { venue, branch, from: from ?? standard.from, to: to ?? standard.to };
  const openDay = (date: string, title: string): void =>
    setOpened({ scope: { ...scope, from: date, to: date }, figure: { by: "day", key: date, title } });
  return (
    <div className="reports">
      {report.branches.length > 1 && <BranchChoice report={report} />}
      <Today report={report} onOpenDay={openDay} />
      <PeriodChoice period={scope} today={now} />
      {REPORT_KINDS.filter((by) => by !== "branch" || (report.branches.length > 1 && branch === undefined)).map((by) => (
        <SalesSection key={by} scope={scope} by={by} onOpen={(figure) => setOpened({ scope, figure })} />
      ))}
      <ServiceSections scope={scope} />
      <p className="report-clock">{t("reports.clock", { zone: report.zone })}</p>
      <FigureOrders scope={opened?.scope ?? scope} figure={opened?.figure ?? null} onClose={() => setOpened(null)} />
    </div>
  );
};

const BranchChoice = ({ report }: { report: TodayReport }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { branch } = useSearch({ from: "/inside/v/$venue/reports" });
  const navigate = useNavigate({ from: "/v/$venue/reports" });
  return (
    <NativeSelect
      className="report-branch"
      label={t("reports.branch")}
      value={branch === undefined ? "" : String(branch)}
      data={[
        { value: "", label: t("reports.allBranches") },
        ...report.branches.map(({ id, name }) => ({ value: String(id), label: pick(name) })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ search: ({ branch: _, ...rest }) => (value === "" ? rest : { ...rest, branch: Number(value) }), replace: true })
      }
    />
  );
};

const PeriodChoice = ({ period, today }: { period: ShownPeriod; today: string }) => {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/v/$venue/reports" });
  const show = ({ from, to }: ShownPeriod): void => void navigate({ search: (old) => ({ ...old, from, to }), replace: true });
  const isChosen = (preset: ShownPeriod): boolean => preset.from === period.from && preset.to === period.to;
  const change = (end: keyof ShownPeriod, date: string): void => {
    if (date === "") return;
    // The other end follows, so that a period is never reversed.
    const changed = { ...period, [end]: date };
    show(changed.from <= changed.to ? changed : { from: date, to: date });
  };
  return (
    <section className="report-period" aria-label={t("reports.period")}>
      <Group gap="sm" align="flex-end">
        {(["from", "to"] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            required
            withAsterisk={false}
            label={t(`reports.${end}`)}
            value={period[end]}
            max={end === "from" ? undefined : "9999-12-31"}
            onChange={(event) => change(end, event.currentTarget.value)}
          />
        ))}
        <Group gap="xs">
          {PRESETS.map((preset) => {
            const days = periodOf(preset, today);
            return (
              <Button key={preset} variant={isChosen(days) ? "light" : "default"} aria-pressed={isChosen(days)} onClick={() => show(days)}>
                {t(`reports.presets.${preset}`)}
              </Button>
            );
          })}
        </Group>
      </Group>
    </section>
  );
};
