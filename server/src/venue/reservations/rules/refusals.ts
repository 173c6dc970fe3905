/** Refusals of a booking by field. The API shows their sentences, the console their reasons in the reader's language. */
import { type BookingRefusal, type BookingRefusalReason, bookingSentence } from "@comanda/contract/venue/booking-refusals.ts";
import type { RefusalValues } from "@comanda/contract/venue/refusal-sentence.ts";
import type { FieldErrors } from "#lib/errors.ts";

export type BookingRefusals = Record<string, BookingRefusal>;

export const refuseBooking = (field: string, reason: BookingRefusalReason, values: RefusalValues = {}): BookingRefusals => ({
  [field]: { reason, values },
});

export const bookingErrors = (refusals: BookingRefusals): FieldErrors =>
  Object.fromEntries(Object.entries(refusals).map(([field, refusal]) => [field, [bookingSentence(refusal)]]));
