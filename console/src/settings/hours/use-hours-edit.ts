/** The hours of one branch while they are changed. Until then they follow what the server has. */
import type { VenueBranch, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import { useTranslation } from "react-i18next";
import { useDraft } from "#kit/draft.ts";
import { useToast } from "#kit/toast.ts";
import { useSaveBranches, wantedOf } from "../venue-settings/save-branches.ts";
import { hoursOfWeek, isSameWeek, type PaintedWeek, PERIODS_MAX, readSpan, replaceSpan, weekOfHours } from "./week-rules.ts";

/** Null: always open. */
type DraftWeek = PaintedWeek | null;
/** A period whose fields are being filled in. Its day keeps its rows until the fields are left. */
export type RowEdit = { day: number; at: number; from: string; to: string };
/** `weeks` are all states since the manager began to change these hours. */
type HoursEdit = { hours: Hours | null; weeks: DraftWeek[]; row: RowEdit | null };

const UNDO_MAX = 100;

const draftOf = (hours: Hours | null): DraftWeek => hours && weekOfHours(hours);
const isSameDraft = (one: DraftWeek, other: DraftWeek): boolean => (one && other ? isSameWeek(one, other) : one === other);
const isSameHours = (one: Hours | null, other: Hours | null): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The week with the period that is being filled in, as soon as it is complete. */
const withRow = (week: DraftWeek, row: RowEdit | null): DraftWeek => {
  const span = row && readSpan(row.from, row.to);
  return week && row && span ? replaceSpan(week, row, span) : week;
};

/** A history that returned to its beginning can still be undone. */
const isSameHistory = (): boolean => false;

const useHoursDraft = (hours: Hours | null) => {
  const stored: HoursEdit = { hours, weeks: [draftOf(hours)], row: null };
  const edit = useDraft({ version: "", value: stored }, isSameHistory);
  const { weeks, row } = edit.value;
  const begun = edit.begun.hours;
  const last = weeks.at(-1) ?? null;
  const week = withRow(last, row);
  const change = (next: DraftWeek): void => {
    if (!isSameDraft(next, last)) edit.change({ ...edit.value, weeks: [...weeks, next].slice(-UNDO_MAX), row: null });
    else if (edit.isChanged) edit.change({ ...edit.value, row: null });
  };
  return {
    begun,
    week,
    /** What the fields show: a row that is being changed does not move. */
    rows: last,
    row,
    isChanged: edit.isChanged && !isSameDraft(week, draftOf(begun)),
    canUndo: weeks.length > 1,
    change,
    editRow: (next: RowEdit): void => edit.change({ ...edit.value, row: next }),
    leaveRow: (): void => change(week),
    undo: (): void => {
      if (weeks.length > 1) edit.change({ ...edit.value, weeks: weeks.slice(0, -1), row: null });
    },
    drop: edit.drop,
  };
};

export const useHoursEdit = (venue: string, present: VenueSettingParts["branches"], branch: VenueBranch) => {
  const { t } = useTranslation();
  const toast = useToast();
  const draft = useHoursDraft(branch.hours);
  const { begun, week } = draft;
  const { save, dropErrors, ...saving } = useSaveBranches(venue, () => {
    draft.drop();
    toast.done(t("openingHours.saved"));
  });
  const hours = week && hoursOfWeek(week);
  const merge = (branches: readonly VenueBranch[]) =>
    branches.some(({ key, hours: known }) => key === branch.key && isSameHours(known, begun))
      ? branches.map((one) => wantedOf(one.key === branch.key ? { ...one, hours } : one))
      : null;
  return {
    ...draft,
    ...saving,
    isTooMany: (hours?.length ?? 0) > PERIODS_MAX,
    save: (): void => save(present, merge),
    discard: (): void => {
      draft.drop();
      dropErrors();
    },
  };
};

export type HoursEditing = ReturnType<typeof useHoursEdit>;
