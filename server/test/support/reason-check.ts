/** What holds for the reasons of every error: each sentence of `details` has one, and its parameters are those that the contract names. */
import { REASONS, type RefusalReason } from "@comanda/contract/reasons.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export type SentReason = { field: string; reason: string; params: Record<string, unknown> };
type SentError = { code: string; details: Record<string, unknown>; reasons?: SentReason[] };

const ajv = new Ajv2020();
addFormats.default(ajv);
const checks = new Map(
  (Object.keys(REASONS) as RefusalReason[]).map((reason) => [
    reason as string,
    ajv.compile({ ...REASONS[reason].params, additionalProperties: false }),
  ]),
);

const paramProblems = ({ field, reason, params }: SentReason): string[] => {
  const check = checks.get(reason);
  if (!check) return [`${field} has the unknown reason ${reason}`];
  return check(params) ? [] : [`${field} ${reason} has the params ${JSON.stringify(params)}: ${ajv.errorsText(check.errors)}`];
};

/** Checks an error that was requested with reasons. */
export const reasonProblems = (status: number, { code, details, reasons = [] }: SentError): string[] => {
  if (status === 429) return reasons.flatMap(paramProblems);
  if (status !== 422 && status !== 409) return reasons.length === 0 ? [] : [`${code} has reasons`];
  if (code !== "validation_failed")
    return reasons.length === 1 ? reasons.flatMap(paramProblems) : [`${code} has ${reasons.length} reasons`];
  const countOf = (field: string) => reasons.filter((one) => one.field === field).length;
  return [
    ...Object.entries(details).flatMap(([field, sentences]) =>
      countOf(field) === (sentences as string[]).length ? [] : [`${field} has ${countOf(field)} reasons for ${JSON.stringify(sentences)}`],
    ),
    ...reasons.filter(({ field }) => !Object.hasOwn(details, field)).map(({ field }) => `${field} has a reason and no sentence`),
    ...reasons.flatMap(paramProblems),
  ];
};
