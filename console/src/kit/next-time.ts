/** A time of day on the venue's clock as an instant. */
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

const minutesOf = (at: number, zone: string): number => {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).formatToParts(
    at,
  );
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  return part("hour") * 60 + part("minute");
};

/** The shorter way around the clock, from -12 to 12 hours. */
const difference = (minutes: number): number =>
  ((((minutes + DAY_MINUTES / 2) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES) - DAY_MINUTES / 2;

/** The next moment after `now` at which the venue's clock shows `time` (HH:MM). Null for a text that is no time. */
export const nextTime = (time: string, zone: string, now: number): string | null => {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (hour === undefined || minute === undefined) return null;
  const wanted = Number(hour) * 60 + Number(minute);
  const start = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const ahead = (wanted - minutesOf(start, zone) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const guess = start + ahead * MINUTE_MS;
  // Clocks that change in between are off by their change.
  return new Date(guess + difference(wanted - minutesOf(guess, zone)) * MINUTE_MS).toISOString();
};
