/** Whether and when a guest is asked for a review, whether a link still works, and what a posted form holds. */
import { COMMENT_LENGTH_MAX } from "@comanda/contract/console/review-limits.ts";
import type { ReviewRules } from "@comanda/contract/venue-file/review-rules.ts";
import { addDays, instantAt } from "#lib/instant.ts";
import { plainText } from "#lib/plain-text.ts";
import { wallClock } from "#lib/time-zone.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;

/** How long a link works. */
const LINK_DAYS = 14;
/** A guest is asked once in this time, also with an order and a booking on one evening. */
const ASKED_AGAIN_MS = DAY_MS;
/** No guest is asked about something that is longer ago, for instance after the service was down. */
const LATE_MS_MAX = 7 * DAY_MS;

/** The hours are on the venue's clock: no guest is asked at night. */
const [FIRST_HOUR, LAST_HOUR] = [10, 21];

export const expiryOf = (sentAt: Date): Date => new Date(sentAt.getTime() + LINK_DAYS * DAY_MS);

export const askedSince = (now: Date): Date => new Date(now.getTime() - ASKED_AGAIN_MS);

/** Now, or ten o'clock when it is night in the venue. */
export const daytimeFrom = (now: Date, zone: string): Date => {
  const clock = wallClock(zone, now);
  if (clock.hour >= FIRST_HOUR && clock.hour < LAST_HOUR) return now;
  return instantAt(zone, clock.hour < FIRST_HOUR ? clock : addDays(clock, 1), FIRST_HOUR * 60);
};

/** What is rated, as it is now. Without a name, a phone number and an address there is no guest to ask. */
export type Rated = {
  guestId: number | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  /** When it was over, or will be. Null: it was called off. */
  overAt: Date | null;
};

export const isReachable = ({ phone, email }: Pick<Rated, "phone" | "email">): boolean => Boolean(phone) || email !== null;

export type AskDecision = { step: "ask" } | { step: "wait"; until: Date } | { step: "skip"; reason: string };

const skip = (reason: string): AskDecision => ({ step: "skip", reason });

/** A party that stays longer is asked after it left. */
export const decideAsking = (
  { rated, dueAt }: { rated: Rated; dueAt: Date },
  { is_on, wait_minutes }: ReviewRules,
  { now, zone, isActive }: { now: Date; zone: string; isActive: boolean },
): AskDecision => {
  if (!isActive) return skip("the venue cannot be used");
  if (!is_on) return skip("reviews are switched off");
  if (!isReachable(rated)) return skip("there is no address");
  if (rated.overAt === null) return skip("it was called off");
  if (now.getTime() - dueAt.getTime() > LATE_MS_MAX) return skip("it is too long ago");
  if (rated.overAt > now) return { step: "wait", until: new Date(rated.overAt.getTime() + wait_minutes * MINUTE_MS) };
  const until = daytimeFrom(now, zone);
  return until > now ? { step: "wait", until } : { step: "ask" };
};

export type LinkState = "open" | "used" | "closed";

export const linkStateOf = (request: { state: string; expires_at: Date | null } | undefined, now: Date): LinkState => {
  if (request?.state === "used") return "used";
  return request?.state === "sent" && request.expires_at !== null && request.expires_at > now ? "open" : "closed";
};

export type GivenReview = { rating: number; comment: string | null };

/** Null when it is too long. A browser counts a line break as one character and sends two. */
export const readComment = (written: string): { comment: string | null } | null => {
  const comment = plainText(written.replaceAll(/\r\n?/g, "\n")).trim();
  if (comment.length > COMMENT_LENGTH_MAX) return null;
  return { comment: comment === "" ? null : comment };
};

export const readRating = (written: string): number | null => (/^[1-5]$/.test(written) ? Number(written) : null);
