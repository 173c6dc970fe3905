/** Paints or erases times by pointer, or by keys: Space begins and ends, arrows move. The first cell decides which of both. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { eraseRange, isOpenDuring, type PaintedWeek, paintRange } from "./week-rules.ts";

export const STEP_MINUTES = 30;
/** A row shows a day and the night after it. */
export const ROW_MINUTES = 30 * 60;
export const COLUMNS = ROW_MINUTES / STEP_MINUTES;
const ROWS = 7;
const FIRST_COLUMN = 18;
const COLUMNS_FAR = 4;

export type WeekCell = { row: number; column: number };
export type PaintStroke = { anchor: WeekCell; end: WeekCell; isErasing: boolean; pointerId: number | null };

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max);

/** `order` are the days from the first row to the last. */
export const rangesOfStroke = ({ anchor, end }: Pick<PaintStroke, "anchor" | "end">, order: readonly number[]) => {
  const [from, to] = [Math.min(anchor.column, end.column) * STEP_MINUTES, (Math.max(anchor.column, end.column) + 1) * STEP_MINUTES];
  return order.slice(Math.min(anchor.row, end.row), Math.max(anchor.row, end.row) + 1).map((day) => ({ day, from, to }));
};

export const applyStroke = (week: PaintedWeek, stroke: PaintStroke, order: readonly number[]): PaintedWeek =>
  rangesOfStroke(stroke, order).reduce((known, range) => (stroke.isErasing ? eraseRange : paintRange)(known, range), week);

/** Time runs from the reading side. */
const cellAt = (event: PointerEvent<HTMLElement>, isMirrored: boolean): WeekCell => {
  const box = event.currentTarget.getBoundingClientRect();
  const along = isMirrored ? box.right - event.clientX : event.clientX - box.left;
  return {
    row: clamp(Math.floor(((event.clientY - box.top) / box.height) * ROWS), ROWS - 1),
    column: clamp(Math.floor((along / box.width) * COLUMNS), COLUMNS - 1),
  };
};

const moveCell = ({ row, column }: WeekCell, { key, shiftKey }: KeyboardEvent, isMirrored: boolean): WeekCell | null => {
  const forward = isMirrored ? "ArrowLeft" : "ArrowRight";
  const far = shiftKey ? COLUMNS_FAR : 1;
  if (key === "ArrowUp" || key === "ArrowDown") return { row: clamp(row + (key === "ArrowUp" ? -1 : 1), ROWS - 1), column };
  if (key === "ArrowLeft" || key === "ArrowRight") return { row, column: clamp(column + (key === forward ? far : -far), COLUMNS - 1) };
  if (key === "Home" || key === "End") return { row, column: key === "Home" ? 0 : COLUMNS - 1 };
  return null;
};

type PaintOptions = { week: PaintedWeek; order: readonly number[]; isMirrored: boolean; onPaint: (week: PaintedWeek) => void };

/** The stroke that is being drawn, and where the next one would begin by keys. */
const useStroke = ({ week, order, onPaint }: Omit<PaintOptions, "isMirrored">) => {
  const [stroke, setStroke] = useState<PaintStroke | null>(null);
  const [cursor, setCursor] = useState<WeekCell>({ row: 0, column: FIRST_COLUMN });
  // Several moves can arrive before the next rendering.
  const latest = useRef<PaintStroke | null>(null);
  const show = (next: PaintStroke | null): void => {
    latest.current = next;
    setStroke(next);
  };
  const begin = (cell: WeekCell, pointerId: number | null): void => {
    const isErasing = rangesOfStroke({ anchor: cell, end: cell }, order).every((range) => isOpenDuring(week, range));
    setCursor(cell);
    show({ anchor: cell, end: cell, isErasing, pointerId });
  };
  const extend = (end: WeekCell): void => {
    setCursor(end);
    if (latest.current) show({ ...latest.current, end });
  };
  const finish = (): void => {
    if (latest.current) onPaint(applyStroke(week, latest.current, order));
    show(null);
  };
  return { stroke, cursor, latest, show, begin, extend, finish };
};

export const usePaintStroke = ({ week, order, isMirrored, onPaint }: PaintOptions) => {
  const { stroke, cursor, latest, show, begin, extend, finish } = useStroke({ week, order, onPaint });
  const beginOrFinish = (): void => (latest.current ? finish() : begin(cursor, null));
  const isOwn = ({ pointerId }: PointerEvent): boolean => latest.current?.pointerId === pointerId;
  return {
    stroke,
    cursor,
    preview: stroke ? applyStroke(week, stroke, order) : week,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>): void => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        begin(cellAt(event, isMirrored), event.pointerId);
      },
      onPointerMove: (event: PointerEvent<HTMLElement>): void => {
        if (isOwn(event)) extend(cellAt(event, isMirrored));
      },
      onPointerUp: (event: PointerEvent<HTMLElement>): void => {
        if (isOwn(event)) finish();
      },
      // The finger scrolls the page instead.
      onPointerCancel: (): void => show(null),
      onBlur: (): void => show(null),
      onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const moved = moveCell(cursor, event, isMirrored);
        if (moved) extend(moved);
        else if (event.key === " " || event.key === "Enter") beginOrFinish();
        else if (event.key === "Escape" && latest.current) show(null);
        else return;
        event.preventDefault();
      },
    },
  };
};
