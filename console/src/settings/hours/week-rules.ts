/** The opening hours of a week as they are painted: which times are open, and the periods of a venue file that say so. */
import type { Hours, Weekday } from "@comanda/contract/venue-file/opening-hours.ts";

export const WEEK: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = WEEK.length * DAY_MINUTES;
/** A venue file has no more. */
export const PERIODS_MAX = 50;

/** Minutes since the midnight of the day on which it begins. It ends up to 24 hours later, also on the next day. */
export type OpenSpan = { from: number; to: number };
/**
 * The days of a week, Monday first. The spans of a day are in order and joined where they touch, and no time of the week is in two spans.
 */
export type PaintedWeek = readonly (readonly OpenSpan[])[];
/** A time of one day. From 24:00 on it is the night after that day. */
export type DayRange = OpenSpan & { day: number };

const EMPTY_WEEK: PaintedWeek = WEEK.map(() => []);

const dayAfter = (day: number): number => (day + 1) % WEEK.length;
const dayBefore = (day: number): number => (day + WEEK.length - 1) % WEEK.length;

const spansOf = (week: PaintedWeek, day: number): readonly OpenSpan[] => week[day] ?? [];

const withDay = (week: PaintedWeek, day: number, spans: readonly OpenSpan[]): PaintedWeek =>
  week.map((own, at) => (at === day ? joinTouching(spans) : own));

const joinTouching = (spans: readonly OpenSpan[]): OpenSpan[] => {
  const joined: OpenSpan[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last?.to === span.from && span.to - last.from <= DAY_MINUTES) joined.splice(-1, 1, { from: last.from, to: span.to });
    else joined.push(span);
  }
  return joined;
};

const rangesOf = (week: PaintedWeek): DayRange[] => week.flatMap((spans, day) => spans.map((span) => ({ day, ...span })));

/** In minutes of the week, which is a circle: Sunday's night goes on in Monday. */
const overlaps = (range: DayRange, other: DayRange): OpenSpan[] => {
  const [start, otherStart] = [range.day * DAY_MINUTES + range.from, other.day * DAY_MINUTES + other.from];
  const [end, otherEnd] = [start + range.to - range.from, otherStart + other.to - other.from];
  return [-WEEK_MINUTES, 0, WEEK_MINUTES]
    .map((shift) => ({ from: Math.max(start, otherStart + shift), to: Math.min(end, otherEnd + shift) }))
    .filter(({ from, to }) => from < to);
};

/** What is left of a span. A part that begins after midnight belongs to the next day. */
const cut = (span: DayRange, range: DayRange): DayRange[] => {
  const start = span.day * DAY_MINUTES + span.from;
  const pieces = overlaps(span, range).reduce<OpenSpan[]>(
    (left, gap) =>
      left
        .flatMap(({ from, to }) => [
          { from, to: Math.min(to, gap.from) },
          { from: Math.max(from, gap.to), to },
        ])
        .filter(({ from, to }) => from < to),
    [{ from: start, to: start + span.to - span.from }],
  );
  return pieces.map(({ from, to }) => {
    const midnight = Math.floor(from / DAY_MINUTES) * DAY_MINUTES;
    return { day: (midnight / DAY_MINUTES) % WEEK.length, from: from - midnight, to: to - midnight };
  });
};

export const eraseRange = (week: PaintedWeek, range: DayRange): PaintedWeek =>
  rangesOf(week)
    .flatMap((span) => cut(span, range))
    .reduce<PaintedWeek>((known, { day, from, to }) => withDay(known, day, [...spansOf(known, day), { from, to }]), EMPTY_WEEK);

/** A night that continues no span of its day begins on the next one. */
const insertRange = (week: PaintedWeek, { day, from, to }: DayRange): PaintedWeek => {
  const own = spansOf(week, day);
  const before = own.find((span) => span.to === from && to - span.from <= DAY_MINUTES);
  if (from < DAY_MINUTES) return withDay(week, day, [...own, { from, to }]);
  if (!before) return insertRange(week, { day: dayAfter(day), from: from - DAY_MINUTES, to: to - DAY_MINUTES });
  return withDay(week, day, [...own.filter((span) => span !== before), { from: before.from, to }]);
};

export const paintRange = (week: PaintedWeek, range: DayRange): PaintedWeek => {
  const { day, from, to } = range;
  if (to - from <= DAY_MINUTES) return insertRange(eraseRange(week, range), range);
  return paintRange(paintRange(week, { day, from, to: from + DAY_MINUTES }), { day, from: from + DAY_MINUTES, to });
};

/** Whether all of it is open. */
export const isOpenDuring = (week: PaintedWeek, range: DayRange): boolean =>
  rangesOf(week)
    .flatMap((span) => overlaps(range, span))
    .reduce((sum, { from, to }) => sum + to - from, 0) ===
  range.to - range.from;

/** What a row of the painter shows: its own spans, and times of the days beside it that lie within the row. */
export const rowSpans = (week: PaintedWeek, day: number, lengthMinutes: number): { own: OpenSpan[]; others: OpenSpan[] } => {
  const clipped = ({ from, to }: OpenSpan): OpenSpan => ({ from: Math.max(0, from), to: Math.min(lengthMinutes, to) });
  const shifted = (spans: readonly OpenSpan[], by: number): OpenSpan[] =>
    spans.map(({ from, to }) => clipped({ from: from + by, to: to + by })).filter(({ from, to }) => from < to);
  return {
    own: shifted(spansOf(week, day), 0),
    others: [...shifted(spansOf(week, dayBefore(day)), -DAY_MINUTES), ...shifted(spansOf(week, dayAfter(day)), DAY_MINUTES)],
  };
};

export const removeSpan = (week: PaintedWeek, day: number, at: number): PaintedWeek =>
  withDay(
    week,
    day,
    spansOf(week, day).filter((_span, index) => index !== at),
  );

export const replaceSpan = (week: PaintedWeek, { day, at }: { day: number; at: number }, span: OpenSpan): PaintedWeek =>
  paintRange(removeSpan(week, day, at), { day, ...span });

/** Common periods first. */
const NEW_SPANS: readonly OpenSpan[] = [
  { from: 12 * 60, to: 15 * 60 },
  { from: 18 * 60, to: 22 * 60 },
  { from: 8 * 60, to: 11 * 60 },
];
const NEW_SPAN_MINUTES = 60;

/** A period that takes nothing from the others of the week. Null: the day is full. */
export const newSpan = (week: PaintedWeek, day: number): OpenSpan | null => {
  const isFree = ({ from, to }: OpenSpan): boolean => rangesOf(week).every((span) => overlaps(span, { day, from, to }).length === 0);
  const hours = Array.from({ length: 24 }, (_, hour) => ({ from: hour * 60, to: hour * 60 + NEW_SPAN_MINUTES }));
  return [...NEW_SPANS, ...hours].find((span) => isFree(span) && !touchesOwn(spansOf(week, day), span)) ?? hours.find(isFree) ?? null;
};

const touchesOwn = (own: readonly OpenSpan[], { from, to }: OpenSpan): boolean => own.some((span) => span.to === from || span.from === to);

/** The other days get the spans of this day instead of their own. */
export const copyDay = (week: PaintedWeek, day: number, targets: readonly number[]): PaintedWeek => {
  const emptied = targets.reduce((known, target) => withDay(known, target, []), week);
  return targets.reduce(
    (known, target) => spansOf(week, day).reduce((painted, span) => paintRange(painted, { day: target, ...span }), known),
    emptied,
  );
};

const two = (value: number): string => String(value).padStart(2, "0");

export const timeText = (minute: number): string => `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`;

/** Null while a field is not filled in. */
export const readTime = (text: string): number | null => {
  const [, hour, minute] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  return hour === undefined || minute === undefined ? null : Number(hour) * 60 + Number(minute);
};

/** An end at or before the beginning is on the next day. */
export const readSpan = (from: string, to: string): OpenSpan | null => {
  const [start, end] = [readTime(from), readTime(to)];
  if (start === null || end === null) return null;
  return { from: start, to: end > start ? end : end + DAY_MINUTES };
};

export const weekOfHours = (hours: Hours): PaintedWeek =>
  WEEK.reduce<PaintedWeek>(
    (week, name, day) =>
      hours
        .filter(({ days }) => days.includes(name))
        .flatMap(({ from, to }) => readSpan(from, to) ?? [])
        .reduce((known, span) => paintRange(known, { day, ...span }), week),
    EMPTY_WEEK,
  );

/** Days with the same times share a period. */
export const hoursOfWeek = (week: PaintedWeek): Hours => {
  const periods = Map.groupBy(rangesOf(week), ({ from, to }) => `${timeText(from)} ${to === DAY_MINUTES ? "24:00" : timeText(to)}`);
  return [...periods].map(([times, ranges]) => {
    const [from = "", to = ""] = times.split(" ");
    return { days: WEEK.filter((_name, day) => ranges.some((range) => range.day === day)), from, to };
  });
};

export const isSameWeek = (one: PaintedWeek, other: PaintedWeek): boolean => JSON.stringify(one) === JSON.stringify(other);
