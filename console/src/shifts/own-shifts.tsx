/** My shifts: the person's own published shifts, laid out for a phone. */
import "./shifts.css";
import type { OwnShift, OwnShifts } from "@comanda/contract/console/shifts.ts";
import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { addDays } from "#kit/dates.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { RotaIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { endsNextDay } from "./plan-rules.ts";
import { ownShiftsQuery } from "./shift-queries.ts";
import { ClockRange, dateInZone, longDay } from "./shift-texts.tsx";
import { enShifts } from "./texts.en.ts";

addEnglishTexts(enShifts);

export const OwnShiftsPage = () => {
  const { t } = useTranslation();
  const own = useQuery(ownShiftsQuery(useVenue()));
  return (
    <Page title={t("ownShifts.title")} name={t("ownShifts.title")} lead={t("ownShifts.lead")} isNarrow>
      {own.error && !own.data && <ErrorAlert error={own.error} onRetry={() => void own.refetch()} />}
      {own.isPending && <Skeleton height={320} radius="lg" role="status" aria-label={t("common.loading")} />}
      {own.data && <Shifts own={own.data} />}
    </Page>
  );
};

const Shifts = ({ own }: { own: OwnShifts }) => {
  const { t } = useTranslation();
  const today = useOfClock((at) => dateInZone(at, own.zone));
  if (own.shifts.length === 0)
    return (
      <EmptyState icon={<RotaIcon size={28} />} title={t("ownShifts.emptyTitle")}>
        <Text c="dimmed">{t("ownShifts.emptyLead")}</Text>
      </EmptyState>
    );
  return (
    <>
      <ul className="own-shifts" aria-label={t("ownShifts.title")}>
        {own.shifts.map((shift) => (
          <OwnShiftCard key={shift.id} shift={shift} today={today} hasBranches={own.has_branches} />
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        {t("shifts.clock", { zone: own.zone.replaceAll("_", " ") })}
      </Text>
    </>
  );
};

type OwnShiftProps = { shift: OwnShift; today: string; hasBranches: boolean };

const OwnShiftCard = ({ shift, today, hasBranches }: OwnShiftProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const near = shift.date === today ? "today" : shift.date === addDays(today, 1) ? "tomorrow" : null;
  return (
    <li className="sheet own-shift">
      <h2 className="own-shift-day">
        {longDay(shift.date)}
        {near && <span className="own-shift-near">{t(`ownShifts.${near}`)}</span>}
      </h2>
      <p className="own-shift-time">
        <ClockRange from={shift.from} to={shift.to} />
        {endsNextDay(shift) && <span className="hint"> {t("shifts.nextDay")}</span>}
      </p>
      {(shift.role !== null || hasBranches) && (
        <p className="own-shift-where">
          {shift.role !== null && <bdi>{shift.role}</bdi>}
          {shift.role !== null && hasBranches && " · "}
          {hasBranches && <bdi>{pick(shift.branch)}</bdi>}
        </p>
      )}
      {shift.note !== null && (
        <p className="own-shift-note" dir="auto">
          {shift.note}
        </p>
      )}
    </li>
  );
};
