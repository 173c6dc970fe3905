/** What the server refuses of the rules, by the path of the field within them. */
import { fieldErrors } from "./error-text.ts";

export type RuleErrors = Readonly<Record<string, string>>;

export const readRuleErrors = (error: unknown): RuleErrors =>
  Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, sentence]) => [path.replace(/^rules\./, ""), sentence]));
