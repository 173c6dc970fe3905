import type { ParamsArgument, RefusalReason } from "../reasons.ts";

/** What the sentence of a refusal names, and the parameters of its reason. */
export type RefusalValues = Record<string, number | string>;

/** Parameters of the reason, and what else its sentence names. */
export type ValuesArgument<R extends RefusalReason> =
  ParamsArgument<R> extends [params: infer P] ? [values: P & RefusalValues] : [values?: RefusalValues];

/** Fills the braces of a sentence with values by their names. */
export const fillSentence = (sentence: string, values: RefusalValues): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
