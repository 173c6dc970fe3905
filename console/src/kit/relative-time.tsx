/** Relative times with the exact time as a tooltip. */
import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { durationParts, relativeParts } from "./date-time-format.ts";
import { dateLocale, numberLocale } from "./language.ts";

/** The current time, updated at an interval. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

export const formatDateTime = (at: string): string =>
  new Intl.DateTimeFormat(dateLocale(), { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }).format(new Date(at));

export const formatRelativeTime = (at: string, now: number): string => {
  const { value, unit } = relativeParts(new Date(at).getTime() - now);
  return new Intl.RelativeTimeFormat(numberLocale(), { numeric: "auto" }).format(value, unit);
};

export const RelativeTime = ({ at }: { at: string | null }) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  if (at === null) return <span>{t("common.never")}</span>;
  return (
    <Tooltip label={formatDateTime(at)}>
      <time dateTime={at} className="figures">
        {formatRelativeTime(at, now)}
      </time>
    </Tooltip>
  );
};

/** Counts down by the second: 7 h 04 min 09 s. */
export const Countdown = ({ until }: { until: string }) => {
  const now = useNow(1000);
  const parts = durationParts(Math.max(0, new Date(until).getTime() - now));
  const text = parts
    .map(({ value, unit }) => new Intl.NumberFormat(numberLocale(), { style: "unit", unit, unitDisplay: "narrow" }).format(value))
    .join(" ");
  return (
    <time dateTime={until} className="figures" title={formatDateTime(until)}>
      {text}
    </time>
  );
};
