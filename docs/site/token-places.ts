/** Marks where a reader's sandbox token belongs in the examples. The site's script puts it there (theme/sandbox-token.ts). */
import type { MarkdownOptions } from "vitepress";

/** The shell has quotes around the place; in the other languages the place is an expression. */
const PLACES = [
  { of: /\$TOKEN\b|2048\|svc_sbx_…/g, properties: { class: "token-place" } },
  { of: /process\.env\.TOKEN \?\? ""|os\.environ\["TOKEN"\]/g, properties: { class: "token-place quoted" } },
];

const LANGUAGES = ["sh", "ts", "python"];

/** A page with such a place has the field for the token. */
export const hasTokenPlace = (text: string): boolean => PLACES.some(({ of }) => text.search(of) !== -1);

export const tokenPlaces: NonNullable<MarkdownOptions["codeTransformers"]>[number] = {
  name: "comanda:token-places",
  preprocess(code, options) {
    if (!LANGUAGES.includes(options.lang)) return;
    options.decorations ??= [];
    for (const { of, properties } of PLACES)
      for (const { index, 0: found } of code.matchAll(of))
        options.decorations.push({ start: index, end: index + found.length, properties, alwaysWrap: true });
  },
};
