/** Days and times on the venue's clock. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The date some days later, as YYYY-MM-DD. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

const formatters = new Map<string, Intl.DateTimeFormat>();

const formatterOf = (zone: string): Intl.DateTimeFormat => {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formatters.set(zone, made);
  return made;
};

/** Date and time of day on the venue's clock, as calls take them. */
export const dateAndTimeAt = (at: number, zone: string): { date: string; time: string } => {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` };
};

/** A day of service begins at this time on the venue's clock, so that an evening that ends after midnight is one day. */
const DAY_BEGINS = "05:00";

/** The day of service to which this moment belongs. */
export const serviceDayAt = (at: number, zone: string): string => {
  const { date, time } = dateAndTimeAt(at, zone);
  return time < DAY_BEGINS ? addDays(date, -1) : date;
};

export const serviceDaySpan = (date: string, zone: string): { from: number; to: number } => ({
  from: instantAt(date, DAY_BEGINS, zone),
  to: instantAt(addDays(date, 1), DAY_BEGINS, zone),
});

/** A time of a day as staff say it: half past midnight belongs to the night that began on that day. */
export const momentOfDay = (date: string, time: string, zone: string): number =>
  instantAt(time < DAY_BEGINS ? addDays(date, 1) : date, time, zone);

/** Where the clock of the venue shows that date and time. A time that the clocks skip is read as the one an hour later. */
export const instantAt = (date: string, time: string, zone: string): number => {
  const wanted = Date.parse(`${date}T${time}:00Z`);
  const shownAs = (at: number): number => {
    const shown = dateAndTimeAt(at, zone);
    return Date.parse(`${shown.date}T${shown.time}:00Z`);
  };
  // The second step is needed where the offset changes between the first guess and the answer.
  const guess = wanted - (shownAs(wanted) - wanted);
  return guess - (shownAs(guess) - wanted);
};
