/** Refusals of a booking by field. The API shows their sentences, the console their reasons in the reader's language. */
import { paramsOf } from "@comanda/contract/reasons.ts";
import {
  type BookingRefusal,
  type BookingRefusalReason,
  bookingSentence,
  programBookingSentence,
} from "@comanda/contract/venue/booking-refusals.ts";
import type { ValuesArgument } from "@comanda/contract/venue/refusal-sentence.ts";
import type { FieldRefusals, Refusal } from "#lib/errors.ts";

export type BookingRefusals = Record<string, BookingRefusal>;

export const refuseBooking = <R extends BookingRefusalReason>(
  field: string,
  reason: R,
  ...[values]: ValuesArgument<R>
): BookingRefusals => ({ [field]: { reason, values: values ?? {} } });

export const bookingErrors = (refusals: BookingRefusals, sentenceOf = bookingSentence): FieldRefusals =>
  Object.fromEntries(Object.entries(refusals).map(([field, refusal]) => [field, [reasonedOf(refusal, sentenceOf)]]));

/** Sentences for callers of the API name what to call next. */
export const programBookingErrors = (refusals: BookingRefusals): FieldRefusals => bookingErrors(refusals, programBookingSentence);

const reasonedOf = (refusal: BookingRefusal, sentenceOf: typeof bookingSentence): Refusal =>
  ({ sentence: sentenceOf(refusal), reason: refusal.reason, params: paramsOf(refusal.reason, refusal.values) }) as Refusal;
