/** Fills the braces of a sentence with values by their names. */
export type RefusalValues = Record<string, number | string>;

export const fillSentence = (sentence: string, values: RefusalValues): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
