/** Times on the venue's clock. Without a zone they are on the device's clock. */
import { dateLocale } from "./language.ts";

/** Making a formatter takes a hundred times as long as using it. There are few: languages, zones and the forms below. */
const formatters = new Map<string, Intl.DateTimeFormat>();

const formatterOf = (zone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${dateLocale(zone)} ${zone ?? ""} ${Object.keys(options).join()}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(dateLocale(zone), { ...options, ...(zone ? { timeZone: zone } : {}) });
  formatters.set(key, formatter);
  return formatter;
};

const format = (at: number | string, zone: string | undefined, options: Intl.DateTimeFormatOptions): string =>
  formatterOf(zone, options).format(new Date(at));

export const formatClock = (at: number | string, zone?: string): string =>
  format(at, zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export const formatClockSeconds = (at: number | string, zone?: string): string =>
  format(at, zone, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

export const formatDayAndClock = (at: number | string, zone?: string): string =>
  format(at, zone, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
