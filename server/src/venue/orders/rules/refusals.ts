/** Refusals by field. The API shows their sentences, the console their reasons in the reader's language. */
import { type OrderRefusal, type OrderRefusalReason, refusalSentence } from "@comanda/contract/venue/order-refusals.ts";
import type { RefusalValues } from "@comanda/contract/venue/refusal-sentence.ts";
import type { FieldErrors } from "#lib/errors.ts";

export type Refusals = Record<string, OrderRefusal[]>;

export const refuse = (reason: OrderRefusalReason, values: RefusalValues = {}): OrderRefusal[] => [{ reason, values }];

export const sentencesOf = (refusals: Refusals): FieldErrors =>
  Object.fromEntries(
    Object.entries(refusals).map(([field, ofField]) => [field, [...new Set(ofField.map((refusal) => refusalSentence(refusal)))]]),
  );
