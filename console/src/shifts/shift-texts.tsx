/** Writes days, hours and states in words, because colour alone says too little. */
import type { PlannedShift, ShiftConflictKind } from "@comanda/contract/console/shifts.ts";
import { useTranslation } from "react-i18next";
import { dateLocale, numberLocale } from "#kit/language.ts";

const formatters = new Map<string, Intl.DateTimeFormat>();

/** A calendar day has no zone. */
const formatDay = (date: string, options: Intl.DateTimeFormatOptions): string => {
  const key = `${dateLocale()} ${Object.values(options).join()}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(dateLocale(), { ...options, timeZone: "UTC" });
  formatters.set(key, formatter);
  return formatter.format(new Date(`${date}T00:00:00Z`));
};

/** Its two parts, without the comma that some languages write between them. */
export const shortWeekday = (date: string): string => formatDay(date, { weekday: "short" });
export const dayOfMonth = (date: string): string => formatDay(date, { day: "numeric" });
export const longDay = (date: string): string => formatDay(date, { weekday: "long", day: "numeric", month: "long" });
export const dayAndMonth = (date: string): string => formatDay(date, { day: "numeric", month: "short" });

const zoneFormatters = new Map<string, Intl.DateTimeFormat>();

/** Today on the venue's clock, as YYYY-MM-DD. */
export const dateInZone = (at: number, zone: string): string => {
  const formatter = zoneFormatters.get(zone) ?? new Intl.DateTimeFormat("en-CA", { timeZone: zone });
  zoneFormatters.set(zone, formatter);
  return formatter.format(at);
};

export const useHours = (): ((hours: number) => string) => {
  const { t } = useTranslation();
  return (hours) => t("shifts.hours", { hours: new Intl.NumberFormat(numberLocale(), { maximumFractionDigits: 2 }).format(hours) });
};

export const ClockRange = ({ from, to }: { from: string; to: string }) => (
  <bdi className="figures" dir="ltr">
    {from}–{to}
  </bdi>
);

export const ShiftMarks = ({ state, conflicts }: { state: PlannedShift["state"]; conflicts: readonly ShiftConflictKind[] }) => {
  const { t } = useTranslation();
  return (
    <>
      {state !== "published" && <span className={`shift-mark shift-${state}`}>{t(`shifts.states.${state}`)}</span>}
      {conflicts.map((kind) => (
        <span key={kind} className="shift-mark shift-conflict">
          {t(`shifts.conflicts.${kind}`)}
        </span>
      ))}
    </>
  );
};
