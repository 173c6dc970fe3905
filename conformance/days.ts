/** Calendar days on a restaurant's clock, written as the API writes them. A venue without a zone counts as UTC. */
import type { Venue } from "./target.ts";

const DAY_MS = 86_400_000;

/** The day `shift` days after this one. */
export const shiftDay = (day: string, shift: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + shift * DAY_MS).toISOString().slice(0, 10);

/** Day and minute in the venue, some minutes from now. */
export const clockOf = ({ zone = "UTC" }: Venue, minutes = 0): { date: string; time: string } => {
  const form = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  const [date = "", time = ""] = form.format(Date.now() + minutes * 60_000).split(" ");
  return { date, time };
};

export const dayAhead = (venue: Venue, days: number): string => shiftDay(clockOf(venue).date, days);

/** Values that are no date: days that do not exist, and other forms. */
export const NO_DAYS = [
  "2026-02-30",
  "2027-02-29",
  "2027-13-01",
  "2027-04-31",
  "2027-00-10",
  "14.11.2026",
  "2027-1-5",
  "tomorrow",
  "20270105",
];
