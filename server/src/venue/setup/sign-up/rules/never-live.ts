/** Decides when a venue that its owner never took live is removed. */
import { DAY_MS } from "./link-policy.ts";

const REMOVED_AFTER_DAYS = 30;
/** Between the mail to its owners and the removal, at least. */
const WARNED_DAYS = 7;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Venues that were opened before this are warned. */
export const warnOpenedBefore = (now: Date): Date => daysBefore(now, REMOVED_AFTER_DAYS - WARNED_DAYS);

/** Venues that were opened before the one and warned before the other are removed. */
export const removalLimits = (now: Date): { openedBefore: Date; warnedBefore: Date } => ({
  openedBefore: daysBefore(now, REMOVED_AFTER_DAYS),
  warnedBefore: daysBefore(now, WARNED_DAYS),
});

/** The moment that the mail names: the venue is not removed earlier. */
export const removalDay = (openedAt: Date, now: Date): Date =>
  new Date(Math.max(openedAt.getTime() + REMOVED_AFTER_DAYS * DAY_MS, now.getTime() + WARNED_DAYS * DAY_MS));
