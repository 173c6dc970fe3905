/** Refusals by field. The API shows their sentences, the console their reasons in the reader's language. */
import { paramsOf } from "@comanda/contract/reasons.ts";
import { type OrderRefusal, type OrderRefusalReason, refusalSentence } from "@comanda/contract/venue/order-refusals.ts";
import type { ValuesArgument } from "@comanda/contract/venue/refusal-sentence.ts";
import type { FieldRefusals, Refusal } from "#lib/errors.ts";

export type Refusals = Record<string, OrderRefusal[]>;

export const refuse = <R extends OrderRefusalReason>(reason: R, ...[values]: ValuesArgument<R>): OrderRefusal[] => [
  { reason, values: values ?? {} },
];

/** Two groups of options may give the same sentence: it is said once. */
export const orderErrors = (refusals: Refusals): FieldRefusals =>
  Object.fromEntries(
    Object.entries(refusals).map(([field, ofField]) => [
      field,
      [...new Map(ofField.map((refusal) => [refusalSentence(refusal), reasonedOf(refusal)])).values()],
    ]),
  );

export const reasonedOf = (refusal: OrderRefusal): Refusal =>
  ({ sentence: refusalSentence(refusal), reason: refusal.reason, params: paramsOf(refusal.reason, refusal.values) }) as Refusal;
