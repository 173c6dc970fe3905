/** The week as plain fields: from and to for each period of a day. */

import { ActionIcon, Button, Text, Title } from "@mantine/core";
import { type FocusEvent, type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { BinIcon, CopyIcon, PlusIcon } from "#kit/icons.tsx";
import { TimeField } from "#kit/time-field.tsx";
import { CopyDay } from "./copy-day.tsx";
import type { RowEdit } from "./use-hours-edit.ts";
import {
  copyDay,
  DAY_MINUTES,
  newSpan,
  type OpenSpan,
  type PaintedWeek,
  paintRange,
  readSpan,
  removeSpan,
  timeText,
  WEEK,
} from "./week-rules.ts";

type DayFieldsProps = {
  week: PaintedWeek;
  order: readonly number[];
  row: RowEdit | null;
  onChange: (week: PaintedWeek) => void;
  onEditRow: (row: RowEdit) => void;
  onLeaveRow: () => void;
};

export const DayFields = ({ week, order, row, onChange, onEditRow, onLeaveRow }: DayFieldsProps) => {
  const [copied, setCopied] = useState<number | null>(null);
  return (
    <div className="hours-days">
      {order.map((day) => (
        <DayPeriods
          key={day}
          day={day}
          week={week}
          row={row?.day === day ? row : null}
          onChange={onChange}
          onEditRow={onEditRow}
          onLeaveRow={onLeaveRow}
          onCopy={() => setCopied(day)}
        />
      ))}
      <CopyDay
        day={copied}
        order={order}
        onClose={() => setCopied(null)}
        onCopy={(day, targets) => {
          onChange(copyDay(week, day, targets));
          setCopied(null);
        }}
      />
    </div>
  );
};

type DayPeriodsProps = Omit<DayFieldsProps, "order"> & { day: number; onCopy: () => void };

const DayPeriods = ({ day, week, row, onChange, onEditRow, onLeaveRow, onCopy }: DayPeriodsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "openingHours" });
  const name = t(`days.${WEEK[day] ?? "mon"}`);
  const spans = week[day] ?? [];
  const fresh = newSpan(week, day);
  return (
    <section className="hours-day" aria-label={name}>
      <Title order={3} className="hours-day-name">
        {name}
      </Title>
      <div className="hours-periods">
        {spans.length === 0 && <Text c="dimmed">{t("dayClosed")}</Text>}
        {spans.map((span, at) => (
          <PeriodRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a period is known by its place alone, and its fields hold no state.
            key={at}
            span={span}
            edit={row?.at === at ? row : null}
            name={t("periodOf", { day: name, number: at + 1 })}
            onEdit={(from, to) => onEditRow({ day, at, from, to })}
            onLeave={onLeaveRow}
            onRemove={() => onChange(removeSpan(week, day, at))}
          />
        ))}
      </div>
      <div className="hours-day-actions">
        <ActionIcon
          variant="default"
          size={44}
          aria-label={t("addPeriod", { day: name })}
          disabled={fresh === null}
          onClick={() => fresh && onChange(paintRange(week, { day, ...fresh }))}
        >
          <PlusIcon />
        </ActionIcon>
        <Button variant="default" size="md" leftSection={<CopyIcon size={18} />} aria-label={t("copyOf", { day: name })} onClick={onCopy}>
          {t("copy")}
        </Button>
      </div>
    </section>
  );
};

type PeriodRowProps = {
  span: OpenSpan;
  edit: RowEdit | null;
  name: string;
  onEdit: (from: string, to: string) => void;
  onLeave: () => void;
  onRemove: () => void;
};

/** What is typed counts when both fields are left: a beginning that is changed first is not yet a period over midnight. */
const PeriodRow = ({ span, edit, name, onEdit, onLeave, onRemove }: PeriodRowProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "openingHours" });
  const times = edit ?? { from: timeText(span.from), to: timeText(span.to) };
  const typed = readSpan(times.from, times.to);
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
    if (edit && !currentTarget.contains(relatedTarget)) onLeave();
  };
  const finish = ({ key }: KeyboardEvent): void => {
    if (key === "Enter" && edit) onLeave();
  };
  const write = (end: "from" | "to", text: string): void => {
    const next = { from: times.from, to: times.to, [end]: text.slice(0, 5) };
    onEdit(next.from, next.to);
  };
  return (
    <fieldset className="hours-period" onBlur={leave} onKeyDown={finish}>
      <legend className="hours-legend">{name}</legend>
      {(["from", "to"] as const).map((end) => (
        <TimeField
          key={end}
          size="md"
          aria-label={`${name}: ${t(end)}`}
          value={times[end]}
          error={times[end] === "" ? t("timeMissing") : null}
          onTime={(time) => write(end, time)}
        />
      ))}
      <ActionIcon variant="default" size={44} aria-label={t("removePeriod", { period: name })} onClick={onRemove}>
        <BinIcon />
      </ActionIcon>
      {typed && typed.to > DAY_MINUTES && <span className="hint hours-next-day">{t("nextDay")}</span>}
    </fieldset>
  );
};
