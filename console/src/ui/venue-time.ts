/** Times on the venue's clock. Without a zone they are on the device's clock. */
import { numberLocale } from "../texts/language.ts";

const format = (at: number | string, zone: string | undefined, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(numberLocale(), { ...options, ...(zone ? { timeZone: zone } : {}) }).format(new Date(at));

export const formatClock = (at: number | string, zone?: string): string =>
  format(at, zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export const formatClockSeconds = (at: number | string, zone?: string): string =>
  format(at, zone, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

export const formatDayAndClock = (at: number | string, zone?: string): string =>
  format(at, zone, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
