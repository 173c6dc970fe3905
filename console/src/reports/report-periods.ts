/** Days on the venue's calendar, written as 2026-11-14. */
import { addDays } from "#kit/dates.ts";

export type ShownPeriod = { from: string; to: string };

export const PRESETS = ["today", "week", "weeks", "month", "year"] as const;
export type PeriodPreset = (typeof PRESETS)[number];

/** All end today, because a report of today is right at once. */
export const periodOf = (preset: PeriodPreset, today: string): ShownPeriod => {
  const from: Record<PeriodPreset, string> = {
    today,
    week: addDays(today, -6),
    weeks: addDays(today, -27),
    month: `${today.slice(0, 8)}01`,
    year: addDays(today, -364),
  };
  return { from: from[preset], to: today };
};

/** Every day of the period: a day without sales is a day too. */
export const daysOf = ({ from, to }: ShownPeriod): string[] => {
  const days: string[] = [];
  for (let day = from; day <= to && days.length < 366; day = addDays(day, 1)) days.push(day);
  return days;
};
