/** The week as a field of half hours, to paint on. The fields of the days say and change the same. */
import { useDirection, VisuallyHidden } from "@mantine/core";
import { type CSSProperties, useId } from "react";
import { useTranslation } from "react-i18next";
import { COLUMNS, type PaintStroke, ROW_MINUTES, rangesOfStroke, STEP_MINUTES, usePaintStroke, type WeekCell } from "./use-paint-stroke.ts";
import { isOpenDuring, type OpenSpan, type PaintedWeek, rowSpans, timeText, WEEK } from "./week-rules.ts";

const HOURS_SHOWN = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27];
const percent = (minute: number): string => `${(minute / ROW_MINUTES) * 100}%`;
const placeOf = ({ from, to }: OpenSpan): CSSProperties => ({ insetInlineStart: percent(from), width: percent(to - from) });

type WeekPainterProps = { week: PaintedWeek; order: readonly number[]; onPaint: (week: PaintedWeek) => void };

export const WeekPainter = ({ week, order, onPaint }: WeekPainterProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "openingHours" });
  const hint = useId();
  const { dir } = useDirection();
  const { stroke, cursor, preview, handlers } = usePaintStroke({ week, order, isMirrored: dir === "rtl", onPaint });
  return (
    <div className="week-painter">
      <div className="week-scale" aria-hidden="true">
        {HOURS_SHOWN.map((hour) => (
          <span key={hour} className="week-hour figures" style={{ insetInlineStart: percent(hour * 60) }}>
            {timeText(hour * 60)}
          </span>
        ))}
      </div>
      <ul className="week-names" aria-hidden="true">
        {order.map((day) => (
          <li key={day}>{t(`days.${WEEK[day] ?? "mon"}`)}</li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is a field to paint on, with keys of its own. */}
      <div className="week-field" role="application" tabIndex={0} aria-label={t("painter")} aria-describedby={hint} {...handlers}>
        {order.map((day) => (
          <WeekRow key={day} week={preview} day={day} />
        ))}
        <span
          className="week-cursor"
          style={{
            ...placeOf({ from: cursor.column * STEP_MINUTES, to: (cursor.column + 1) * STEP_MINUTES }),
            insetBlockStart: `${(cursor.row / WEEK.length) * 100}%`,
          }}
        />
      </div>
      <p className="hint week-hint" id={hint}>
        {t("painterHint")}
      </p>
      <PainterStatus week={preview} order={order} stroke={stroke} cursor={cursor} />
    </div>
  );
};

const WeekRow = ({ week, day }: { week: PaintedWeek; day: number }) => {
  const { own, others } = rowSpans(week, day, ROW_MINUTES);
  return (
    <div className="week-row" data-day={WEEK[day]}>
      {others.map((span) => (
        <span key={span.from} className="week-span week-span-beside" style={placeOf(span)} />
      ))}
      {own.map((span) => (
        <span key={span.from} className="week-span" style={placeOf(span)}>
          <bdi className="week-span-text figures">{`${timeText(span.from)}–${timeText(span.to)}`}</bdi>
        </span>
      ))}
    </div>
  );
};

type PainterStatusProps = { week: PaintedWeek; order: readonly number[]; stroke: PaintStroke | null; cursor: WeekCell };

/** Screen readers get the place of the keys, and whether it is open there. */
const PainterStatus = ({ week, order, stroke, cursor }: PainterStatusProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "openingHours" });
  const ranges = rangesOfStroke(stroke ?? { anchor: cursor, end: cursor }, order);
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last || cursor.column >= COLUMNS) return null;
  const name = (day: number): string => t(`days.${WEEK[day] ?? "mon"}`);
  const days = first === last ? name(first.day) : t("fromDayToDay", { from: name(first.day), to: name(last.day) });
  const isOpen = ranges.every((range) => isOpenDuring(week, range));
  return (
    <VisuallyHidden role="status">
      {t(isOpen ? "cellOpen" : "cellClosed", { days, from: timeText(first.from), to: timeText(first.to) })}
    </VisuallyHidden>
  );
};
