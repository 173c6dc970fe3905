/** Weekdays on which a week can begin, and bounds of shifts that the browser needs too. This file imports nothing, so that a page does not load the shapes. */
export const FIRST_WEEKDAYS = ["saturday", "sunday", "monday"] as const;
export type FirstWeekday = (typeof FIRST_WEEKDAYS)[number];

export const SHIFT_ROLE_LENGTH_MAX = 60;
export const SHIFT_NOTE_LENGTH_MAX = 200;
/** A branch has at most this many shifts in a week. */
export const SHIFTS_A_WEEK_MAX = 500;
export const SHIFT_HOURS_MAX = 24;
/** A rest between two shifts of a person that is shorter is marked. */
export const REST_HOURS_MIN = 11;
/** People see their own shifts of this many days ahead. */
export const OWN_SHIFT_DAYS = 28;
/**
 * A person gets at most this many mails about shifts in 24 hours: a publication that would send one more is refused. An address gets 20 mails
 * a day at most, and others are skipped, so the limit is below that.
 */
export const SHIFT_MAILS_A_DAY_MAX = 12;
