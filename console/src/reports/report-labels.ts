/** Names of days and hours in the reader's language. The dates are the venue's own, so no zone moves them. */
import { dateLocale } from "#kit/language.ts";

/** What a chart, its table and its file have in common. */
export type ReportCell = { shown: string; value: string | number };
export type ReportLine = {
  key: string;
  label: string;
  /** Cells are in the order of the columns after the first. */
  cells: ReportCell[];
  /** Null where no orders stand behind the figure. */
  figure: string | null;
};
export type ReportSheet = { columns: string[]; lines: ReportLine[] };

const dateFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(dateLocale(), { ...options, timeZone: "UTC" });

export const dayName = (date: string): string => dateFormat({ weekday: "short", day: "numeric", month: "short" }).format(new Date(date));

export const shortDay = (date: string): string => dateFormat({ day: "numeric", month: "short" }).format(new Date(date));

/** 0 is Monday; 5 January 1970 was one. */
export const weekdayName = (weekday: number): string => dateFormat({ weekday: "short" }).format(new Date(Date.UTC(1970, 0, 5 + weekday)));

export const weekdayOfDate = (date: string): string => dateFormat({ weekday: "long" }).format(new Date(date));

export const hourName = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
