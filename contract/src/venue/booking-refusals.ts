/** Why a booking is refused: one reason and its sentence for each rule of contract §4.3. Values of a refusal fill the sentence's braces. */
import type { RefusalReason } from "../reasons.ts";
import { fillSentence, type RefusalValues } from "./refusal-sentence.ts";

export const BOOKING_REFUSALS = {
  not_a_date: "Must be a valid date.",
  not_a_time: "Is not a time of day.",
  past: "Lies in the past.",
  too_far_ahead: "Is too far ahead.",
  closing_day: "The restaurant is closed on that day.",
  party_too_large: "At most {party_size_max} guests can be booked.",
  skipped_by_clocks: "The clocks skip that time on that day.",
  too_soon: "Is too soon, or already over.",
  closed_then: "The restaurant is closed at that time.",
  no_free_table: "No table is free for this party at that time.",
  unknown_table: "There is no such table.",
  table_too_small: "The table is too small for this party.",
  table_taken: "The table is taken at that time.",
  tables_apart: "The tables belong to different branches.",
  unknown_branch: "There is no such branch.",
} as const satisfies Partial<Record<RefusalReason, string>>;

export type BookingRefusalReason = keyof typeof BOOKING_REFUSALS;
export const BOOKING_REFUSAL_REASONS = Object.keys(BOOKING_REFUSALS) as BookingRefusalReason[];
export type BookingRefusal = { reason: BookingRefusalReason; values: RefusalValues };

export const bookingSentence = ({ reason, values }: BookingRefusal): string => fillSentence(BOOKING_REFUSALS[reason], values);

/** What the sentence adds for programs, beside what staff read in the console. */
const PROGRAM_HINTS: Partial<Record<BookingRefusalReason, string>> = {
  not_a_time: "A time of day is between 00:00 and 23:59, written HH:MM.",
  past: "It is {now} there.",
  too_far_ahead: "At most {days_max} days ahead can be booked.",
  closing_day: "Choose another day: GET /availability lists no time on a closing day.",
  skipped_by_clocks: "Choose a time an hour later.",
  too_soon: "A booking is made at least {lead_minutes} minutes ahead, and it is {now} there.",
  closed_then: "GET /availability lists the times of that day.",
  no_free_table: "GET /availability lists the free times of that day.",
  unknown_table: "GET /restaurant lists the tables.",
};

export const programBookingSentence = (refusal: BookingRefusal): string => {
  const hint = PROGRAM_HINTS[refusal.reason];
  return hint === undefined ? bookingSentence(refusal) : `${bookingSentence(refusal)} ${fillSentence(hint, refusal.values)}`;
};
