import { type ParamsArgument, REASONS, type ReasonParams, type RefusalReason } from "../reasons.ts";

/** What the sentence of a refusal names, and the parameters of its reason. */
export type RefusalValues = Record<string, number | string>;

/** Parameters of the reason, and what else its sentence names. */
export type ValuesArgument<R extends RefusalReason> =
  ParamsArgument<R> extends [params: infer P] ? [values: P & RefusalValues] : [values?: RefusalValues];

/** Fills the braces of a sentence with values by their names. */
export const fillSentence = (sentence: string, values: RefusalValues): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** Those of the values that are parameters of the reason. `ValuesArgument` makes sure that they are there. */
export const paramsOf = <R extends RefusalReason>(reason: R, values: RefusalValues): ReasonParams<R> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(REASONS[reason].params.properties, name))) as ReasonParams<R>;
