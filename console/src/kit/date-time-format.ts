/** Splits time spans into units. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS: readonly [limitMs: number, unitMs: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [MINUTE, SECOND, "second"],
  [HOUR, MINUTE, "minute"],
  [DAY, HOUR, "hour"],
  [30 * DAY, DAY, "day"],
  [365 * DAY, 30 * DAY, "month"],
  [Number.POSITIVE_INFINITY, 365 * DAY, "year"],
];

export const relativeParts = (differenceMs: number): { value: number; unit: Intl.RelativeTimeFormatUnit } => {
  const span = Math.abs(differenceMs);
  // Clocks differ by seconds: a difference below ten seconds is "now".
  if (span < 10 * SECOND) return { value: 0, unit: "second" };
  const [, unitMs, unit] = STEPS.find(([limitMs]) => span < limitMs) ?? [0, DAY, "day" as const];
  return { value: Math.sign(differenceMs) * Math.floor(span / unitMs), unit };
};

export const durationParts = (ms: number): { value: number; unit: "hour" | "minute" | "second" }[] => {
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  const seconds = Math.floor((ms % MINUTE) / SECOND);
  return [
    ...(hours > 0 ? [{ value: hours, unit: "hour" as const }] : []),
    ...(hours > 0 || minutes > 0 ? [{ value: minutes, unit: "minute" as const }] : []),
    { value: seconds, unit: "second" },
  ];
};

export const daysBetween = (earlier: string, now: number): number => Math.floor((now - new Date(earlier).getTime()) / DAY);
