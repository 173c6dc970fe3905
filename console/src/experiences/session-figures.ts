/** What is left of a session, when it is, and how long a hold still lasts. */
import type { ExperienceSession } from "@comanda/contract/console/experiences.ts";
import { dateLocale } from "#kit/language.ts";

export const leftOf = ({ capacity, sold, held }: Pick<ExperienceSession, "capacity" | "sold" | "held">): number => capacity - sold - held;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Shows the year, because sessions are planned two years ahead. */
export const formatSession = (at: string, zone: string): string => {
  const key = `${dateLocale(zone)} ${zone}`;
  const formatter =
    formatters.get(key) ??
    new Intl.DateTimeFormat(dateLocale(zone), {
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: zone,
    });
  formatters.set(key, formatter);
  return formatter.format(new Date(at));
};

/** Whole seconds, none after the end. */
export const secondsLeft = (endsAt: string, now: number): number => Math.max(0, Math.ceil((Date.parse(endsAt) - now) / 1000));

/** 4:05 */
export const formatSeconds = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

type ListedGuest = { name: string; phone: string | null };

/** Searches a part of the name, or of the phone number without its spaces. */
export const findGuests = <T extends ListedGuest>(guests: readonly T[], written: string): T[] => {
  const text = written.trim().toLowerCase();
  const digits = text.replaceAll(/[^0-9]/g, "");
  return guests.filter(
    ({ name, phone }) => name.toLowerCase().includes(text) || (digits !== "" && (phone ?? "").replaceAll(/[^0-9]/g, "").includes(digits)),
  );
};
