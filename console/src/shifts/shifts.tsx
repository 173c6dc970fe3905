/** Shifts: a manager plans the week of a branch and publishes it. */
import "./shifts.css";
import type { ShiftWeek } from "@comanda/contract/console/shifts.ts";
import { Button, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { RotaIcon, UndoIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { FailedMessages } from "#messages/failed-messages.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { CopyDialog } from "./copy-dialog.tsx";
import { FirstWeekdaySetting } from "./first-weekday.tsx";
import { type RemovedShift, ShiftDialog } from "./shift-dialog.tsx";
import { type ChosenWeek, shiftWeekQuery } from "./shift-queries.ts";
import { dateInZone } from "./shift-texts.tsx";
import { enShifts } from "./texts.en.ts";
import { useRestore } from "./use-restore.ts";
import { type OpenShift, WeekGrid } from "./week-grid.tsx";
import { WeekHead } from "./week-head.tsx";

addEnglishTexts(enShifts);

export const ShiftsPage = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <RoleGuard title={t("shifts.title")} lead="shifts.onlyManagers">
      <ShiftsOfVenue key={venue} venue={venue} />
    </RoleGuard>
  );
};

/** Another venue has other branches: neither branch nor week is kept for it. */
const ShiftsOfVenue = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<ChosenWeek>({ branch: null, week: null });
  const week = useQuery(shiftWeekQuery(venue, chosen));
  return (
    <Page title={t("shifts.title")} name={t("shifts.title")} lead={t("shifts.lead")}>
      {week.error && !week.data && <ErrorAlert error={week.error} onRetry={() => void week.refetch()} />}
      {week.isPending && <Skeleton height={420} radius="lg" role="status" aria-label={t("common.loading")} />}
      <FailedMessages />
      {week.data && <Week week={week.data} onChoose={(part) => setChosen((before) => ({ ...before, ...part }))} />}
    </Page>
  );
};

type ShownDialog = OpenShift | { kind: "copy" } | null;

const Week = ({ week, onChoose }: { week: ShiftWeek; onChoose: (part: Partial<ChosenWeek>) => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [open, setOpen] = useState<ShownDialog>(null);
  const [removed, setRemoved] = useState<RemovedShift | null>(null);
  const today = useOfClock((at) => dateInZone(at, week.zone));
  const close = (): void => setOpen(null);
  const openWeek = (date: string): void => {
    onChoose({ week: date });
    close();
  };
  return (
    <>
      <WeekHead
        week={week}
        onWeek={(date) => onChoose({ week: date })}
        onBranch={(branch) => onChoose({ branch })}
        onCopy={() => setOpen({ kind: "copy" })}
      />
      {removed && <Removed removed={removed} onDone={() => setRemoved(null)} />}
      {week.people.length === 0 ? (
        <EmptyState icon={<RotaIcon size={28} />} title={t("shifts.emptyTitle")}>
          <Text c="dimmed">{t("shifts.emptyLead")}</Text>
          <Button size="md" renderRoot={(props) => <Link to="/v/$venue/team" params={{ venue }} {...props} />}>
            {t("shifts.openTeam")}
          </Button>
        </EmptyState>
      ) : (
        <WeekGrid week={week} today={today} onOpen={setOpen} />
      )}
      <Text size="sm" c="dimmed">
        {t("shifts.clock", { zone: week.zone.replaceAll("_", " ") })}
      </Text>
      <FirstWeekdaySetting rules={week.rules} onChanged={() => onChoose({ week: null })} />
      {open?.kind === "copy" && <CopyDialog week={week} onClose={close} onWeek={openWeek} />}
      {open && open.kind !== "copy" && <ShiftDialog week={week} open={open} onClose={close} onRemoved={setRemoved} />}
    </>
  );
};

/** The bar is shown until another shift is removed, or the page is left. */
const Removed = ({ removed, onDone }: { removed: RemovedShift; onDone: () => void }) => {
  const { t } = useTranslation();
  const { restore, isPending } = useRestore(onDone);
  return (
    <div className="sheet shift-removed-bar" role="status">
      <span>{t("shifts.removed", { name: removed.name })}</span>
      <Button variant="default" size="md" leftSection={<UndoIcon />} loading={isPending} onClick={() => restore(removed)}>
        {t("shifts.undo")}
      </Button>
    </div>
  );
};
