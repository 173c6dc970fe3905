/** When a session takes place, whether tickets for it are sold, and how long they are held. */
import { HOLD_MINUTES, type TicketsState } from "@comanda/contract/console/experience-limits.ts";
import type { SessionSheet } from "@comanda/contract/console/experiences.ts";
import { EXPERIENCES_MAX } from "@comanda/contract/venue-file/experiences.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { ReportError } from "#lib/collect-errors.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { addDays, formatDate, instantAt, parseDate } from "#lib/instant.ts";
import { endOfServiceDay } from "#lib/service-day.ts";
import { wallClock } from "#lib/time-zone.ts";

const MINUTE_MS = 60_000;
const WEEK_DAYS = 7;
/** A session is at most this many days ahead. */
const DAYS_AHEAD_MAX = 730;
/** Sessions to come of one experience. */
const SESSIONS_MAX = 200;
/** Cancelled sessions of one experience without a sale, and removed experiences of a venue without one, until they are deleted. */
const CANCELLED_SESSIONS_MAX = 400;
const REMOVED_EXPERIENCES_MAX = 400;

export const holdEnd = (now: Date): Date => new Date(now.getTime() + HOLD_MINUTES * MINUTE_MS);

/** Free tickets are sold at once, because there is nothing to pay. All others are held first. */
export const firstStateOf = (amountMinor: number): "paid" | "held" => (amountMinor === 0 ? "paid" : "held");

type Hold = { state: TicketsState; hold_ends_at: Date };

/** A hold has run out even while no job has recorded it yet. */
export const hasRunOut = ({ state, hold_ends_at }: Hold, now: Date): boolean =>
  state === "expired" || (state === "held" && hold_ends_at <= now);

export const todayIn = (zone: string, now: Date): string => formatDate(wallClock(zone, now));

export type SessionPlan = { date: string; time: string; weeks: number };

const minuteOf = (time: string): number | null => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour > 23 ? null : hour * 60 + minute;
};

/** Week by week at the same time on the venue's clock, also over a change of the clocks. */
export const momentsOf = ({ date, time, weeks }: SessionPlan, zone: string): Date[] => {
  const [day, minute] = [parseDate(date), minuteOf(time)];
  if (day === null || minute === null) return [];
  return Array.from({ length: weeks }, (_, week) => instantAt(zone, addDays(day, week * WEEK_DAYS), minute));
};

type PlannedBefore = { to_come: number; cancelled: number };

const plannedErrors = (weeks: number, { to_come, cancelled }: PlannedBefore): FieldErrors => {
  if (to_come + weeks > SESSIONS_MAX) return { weeks: [`An experience has at most ${SESSIONS_MAX} sessions to come.`] };
  return cancelled < CANCELLED_SESSIONS_MAX
    ? {}
    : {
        weeks: [`The experience has ${cancelled} cancelled sessions. Plan more when they are deleted, 30 days after they were cancelled.`],
      };
};

export const planErrors = (plan: SessionPlan, at: { zone: string; now: Date }, planned: PlannedBefore): FieldErrors => {
  const { zone, now } = at;
  if (parseDate(plan.date) === null) return { date: ["The date is not a day of the calendar."] };
  if (minuteOf(plan.time) === null) return { time: ["The time is not a time of day."] };
  const moments = momentsOf(plan, zone);
  const [first = now, last = now] = [moments[0], moments.at(-1)];
  if (first <= now) return { date: ["The session lies in the past."] };
  if (last.getTime() - now.getTime() > DAYS_AHEAD_MAX * 24 * 60 * MINUTE_MS)
    return { date: ["The last session is more than two years ahead."] };
  return plannedErrors(plan.weeks, planned);
};

/** Why no experience is added. Null when one can be. */
export const additionErrors = ({ count, removed_count }: { count: number; removed_count: number }): FieldErrors | null => {
  if (count >= EXPERIENCES_MAX) return { experience: [`A venue has at most ${EXPERIENCES_MAX} experiences.`] };
  return removed_count < REMOVED_EXPERIENCES_MAX
    ? null
    : {
        experience: [
          `The venue has ${removed_count} removed experiences. Add more when they are deleted, 30 days after they were removed.`,
        ],
      };
};

/** Why an experience stays: how many bookings have tickets to come, and how many are not refunded. Null when it can be removed. */
export const removalErrors = (booked: { to_come: number; unrefunded: number } | undefined): FieldErrors | null => {
  const sentences = [
    ...((booked?.to_come ?? 0) > 0 ? ["Tickets are held or sold for a session to come. Cancel the session and refund them first."] : []),
    ...((booked?.unrefunded ?? 0) > 0 ? ["Tickets of a cancelled session are not refunded. Refund them first."] : []),
  ];
  return sentences.length === 0 ? null : { sessions: sentences };
};

type SoldSession = { starts_at: Date; capacity: number; sold: number; held: number; cancelled_at: Date | null; is_active: boolean };

export const seatsLeft = ({ capacity, sold, held }: Pick<SoldSession, "capacity" | "sold" | "held">): number => capacity - sold - held;

/** Guests who come late are sold tickets until the day of service is over. */
export const closedBecause = (
  { cancelled_at, starts_at, is_active }: Pick<SoldSession, "cancelled_at" | "starts_at" | "is_active">,
  { zone, now }: { zone: string; now: Date },
): SessionSheet["closed_because"] => {
  if (cancelled_at !== null) return "cancelled";
  if (now >= endOfServiceDay(zone, starts_at)) return "over";
  return is_active ? null : "inactive";
};

const ticketCount = (count: number): string => `${count} ${count === 1 ? "ticket" : "tickets"}`;

const CLOSED_TEXTS: Record<NonNullable<SessionSheet["closed_because"]>, string[]> = {
  cancelled: ["The session is cancelled."],
  over: ["The session is over."],
  inactive: ["No tickets are sold for this experience."],
};

/** Why these tickets cannot be held. Null when they can. */
export const holdErrors = (session: SoldSession, tickets: number, at: { zone: string; now: Date }): FieldErrors | null => {
  const closed = closedBecause(session, at);
  if (closed !== null) return { session: CLOSED_TEXTS[closed] };
  const left = seatsLeft(session);
  if (tickets <= left) return null;
  return { tickets: left === 0 ? ["No ticket is left."] : [`The session has ${ticketCount(left)} left.`] };
};

/** Tickets that are sold or held have their seats. */
export const capacityErrors = (capacity: number, { sold, held }: { sold: number; held: number }): FieldErrors | null =>
  capacity >= sold + held ? null : { capacity: [`The session has ${ticketCount(sold + held)} sold or held, and needs as many seats.`] };

/** At most as many guests arrive as the party has tickets. */
export const arrivalErrors = (arrived: number, { tickets }: { tickets: number }): FieldErrors | null =>
  arrived <= tickets ? null : { arrived: [`The party has ${ticketCount(tickets)}.`] };

type ExperienceList = Pick<VenueFile, "branches" | "experiences">;

/** Experiences of a file, against its branches. */
export const checkExperiences = ({ branches, experiences }: ExperienceList, report: ReportError): void => {
  const known = new Set(branches.map(({ key }) => key));
  for (const [index, { branch }] of experiences.entries())
    if (!known.has(branch)) report(`experiences.${index}.branch`, `There is no branch ${branch}.`);
};
