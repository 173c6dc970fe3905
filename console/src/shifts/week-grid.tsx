/** The week as a table of people and days. On a phone one day is shown at a time. */
import type { OtherShift, PlannedShift, ShiftConflictKind, ShiftWeek } from "@comanda/contract/console/shifts.ts";
import { UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { PlusIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { hoursOf, type PersonRow, rowsOf } from "./plan-rules.ts";
import { ClockRange, dayOfMonth, longDay, ShiftMarks, shortWeekday, useHours } from "./shift-texts.tsx";

export type OpenShift = { kind: "add"; staffId: number; date: string } | { kind: "change"; id: number };

type WeekGridProps = { week: ShiftWeek; today: string; onOpen: (open: OpenShift) => void };

/** Arrows go to the next cell, in the direction that the reader sees. */
const moveFocus = (event: KeyboardEvent<HTMLTableElement>): void => {
  const cell = (event.target as HTMLElement).closest("td");
  const row = cell?.parentElement;
  const isMirrored = document.documentElement.dir === "rtl";
  const steps: Record<string, [number, number]> = {
    ArrowRight: [0, isMirrored ? -1 : 1],
    ArrowLeft: [0, isMirrored ? 1 : -1],
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
  };
  const [down, along] = steps[event.key] ?? [];
  if (!cell || !row || down === undefined || along === undefined) return;
  const rows = [...(row.parentElement?.children ?? [])];
  const target = rows[rows.indexOf(row) + down]?.children[cell.cellIndex + along]?.querySelector("button");
  if (!target) return;
  event.preventDefault();
  target.focus();
};

export const WeekGrid = ({ week, today, onOpen }: WeekGridProps) => {
  const { t } = useTranslation();
  const hours = useHours();
  const dates = week.days.map(({ date }) => date);
  const [chosen, setChosen] = useState<string | null>(null);
  const shownDay = [chosen, today].find((date) => date !== null && dates.includes(date)) ?? dates[0] ?? "";
  const columnOf = (date: string): string => (date === shownDay ? "shift-day shift-day-shown" : "shift-day");
  return (
    <>
      <DayChips dates={dates} shown={shownDay} onChoose={setChosen} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className="sheet shift-scroll" tabIndex={0} aria-label={t("shifts.grid")}>
        <table className="shift-grid" onKeyDown={moveFocus}>
          <thead>
            <tr>
              <th scope="col" className="shift-person">
                {t("shifts.person")}
              </th>
              {week.days.map(({ date, is_closed }) => (
                <th key={date} scope="col" className={columnOf(date)} aria-current={date === today ? "date" : undefined}>
                  {shortWeekday(date)} {dayOfMonth(date)}
                  {is_closed && <span className="hint">{t("shifts.closed")}</span>}
                </th>
              ))}
              <th scope="col" className="amount-cell">
                {t("shifts.sum")}
              </th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(week).map((row) => (
              <WeekRow key={row.person.id} row={row} week={week} columnOf={columnOf} onOpen={onOpen} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className="shift-person">
                {t("shifts.sum")}
              </th>
              {dates.map((date) => (
                <td key={date} className={columnOf(date)}>
                  {hours(hoursOf(week.shifts.filter((shift) => shift.date === date)))}
                </td>
              ))}
              <td className="amount-cell">{hours(hoursOf(week.shifts))}</td>
            </tr>
          </tfoot>
        </table>
      </section>
    </>
  );
};

type WeekDayChipsProps = { dates: readonly string[]; shown: string; onChoose: (date: string) => void };

/** The chips are shown on a phone only. */
const DayChips = ({ dates, shown, onChoose }: WeekDayChipsProps) => {
  const { t } = useTranslation();
  return (
    <fieldset className="shift-days">
      <legend className="shift-legend">{t("shifts.day")}</legend>
      {dates.map((date) => (
        <UnstyledButton key={date} className="shift-chip" aria-pressed={date === shown} onClick={() => onChoose(date)}>
          <span>{shortWeekday(date)}</span> <span className="shift-chip-day">{dayOfMonth(date)}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
};

type WeekRowProps = Pick<WeekGridProps, "week" | "onOpen"> & { row: PersonRow; columnOf: (date: string) => string };

const WeekRow = ({ row: { person, shifts, otherShifts }, week, columnOf, onOpen }: WeekRowProps) => {
  const { t } = useTranslation();
  const hours = useHours();
  const isOpen = !person.has_left && !week.branches.find(({ id }) => id === week.branch_id)?.is_removed;
  return (
    <tr>
      <th scope="row" className="shift-person">
        <bdi>{person.name}</bdi>
        {person.has_left && <span className="hint">{t("shifts.left")}</span>}
        {!person.has_left && !person.has_accepted && <span className="hint">{t("shifts.notAccepted")}</span>}
      </th>
      {week.days.map(({ date }) => (
        <td key={date} className={columnOf(date)}>
          <div className="shift-cell">
            {shifts
              .filter((shift) => shift.date === date)
              .map((shift) => (
                <ShiftButton key={shift.id} shift={shift} conflicts={conflictsOf(week, shift.id)} onOpen={onOpen} />
              ))}
            {otherShifts
              .filter((shift) => shift.date === date)
              .map((shift) => (
                <ShiftAtOtherBranch key={shift.id} shift={shift} week={week} />
              ))}
            {isOpen && (
              <UnstyledButton
                className="shift-add"
                aria-label={t("shifts.addFor", { name: person.name, day: longDay(date) })}
                onClick={() => onOpen({ kind: "add", staffId: person.id, date })}
              >
                <PlusIcon size={16} />
              </UnstyledButton>
            )}
          </div>
        </td>
      ))}
      <td className="amount-cell">{hours(hoursOf(shifts))}</td>
    </tr>
  );
};

const conflictsOf = ({ conflicts }: ShiftWeek, id: number): ShiftConflictKind[] =>
  conflicts.filter(({ shift_id }) => shift_id === id).map(({ kind }) => kind);

type ShiftButtonProps = { shift: PlannedShift; conflicts: readonly ShiftConflictKind[]; onOpen: (open: OpenShift) => void };

const ShiftButton = ({ shift, conflicts, onOpen }: ShiftButtonProps) => (
  <UnstyledButton className={`shift-block is-${shift.state}`} onClick={() => onOpen({ kind: "change", id: shift.id })}>
    <ClockRange from={shift.from} to={shift.to} />
    {shift.role !== null && <bdi className="shift-role"> {shift.role}</bdi>}
    <ShiftMarks state={shift.state} conflicts={conflicts} />
  </UnstyledButton>
);

const ShiftAtOtherBranch = ({ shift, week }: { shift: OtherShift; week: ShiftWeek }) => {
  const pick = useLocalizedName();
  const branch = week.branches.find(({ id }) => id === shift.branch_id);
  return (
    <span className="shift-other-branch hint">
      <bdi>{branch ? pick(branch.name) : ""}</bdi> <ClockRange from={shift.from} to={shift.to} />
    </span>
  );
};
