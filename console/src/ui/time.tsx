/** Moments as people say them; the exact one is a hover or a long press away. */
import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { numberLocale } from "../texts/language.ts";
import { durationParts, relativeParts } from "./moments.ts";

/** The present, renewed as often as the words on the page need it. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};

export const exactMoment = (at: string): string =>
  new Intl.DateTimeFormat(numberLocale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

export const relativeMoment = (at: string, now: number): string => {
  const { value, unit } = relativeParts(new Date(at).getTime() - now);
  return new Intl.RelativeTimeFormat(numberLocale(), { numeric: "auto" }).format(value, unit);
};

export const Ago = ({ at }: { at: string | null }) => {
  const { t } = useTranslation();
  const now = useNow(30_000);
  if (at === null) return <span>{t("common.never")}</span>;
  return (
    <Tooltip label={exactMoment(at)}>
      <time dateTime={at} className="figures">
        {relativeMoment(at, now)}
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
    <time dateTime={until} className="figures" title={exactMoment(until)}>
      {text}
    </time>
  );
};
