/** A secret in every form in which it could have been written down, and looking for all of them. */

export type Secret = {
  name: string;
  text: string;
  /** A few digits stand in many places by chance: looked for as a value of its own only. */
  isShort?: boolean;
};

/** Whatever stands before it, base64 writes the middle of a text in one of three ways. */
const base64Forms = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((shift) => {
    const written = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const inner = written.slice(shift === 0 ? 0 : shift + 1, -1);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });

/** The text and the parts of it that are worth as much: what stands behind the number of a token or the prefix of a key. */
const partsOf = (text: string): string[] =>
  [text, text.split("|")[1], /^(?:\d+\|)?(?:svc_(?:sbx_|oat_|ort_|ac_|cs_)?|whsec_)(.{40})/.exec(text)?.[1]].filter(
    (part) => part !== undefined,
  );

const formsOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), hex, hex.toUpperCase(), ...base64Forms(bytes)];
};

/** Names of the secrets that stand in the text. */
export const secretsIn = (text: string, secrets: readonly Secret[]): string[] =>
  secrets.filter((secret) => isIn(text, secret)).map(({ name }) => name);

const isIn = (haystack: string, { text, isShort = false }: Secret): boolean =>
  isShort
    ? new RegExp(`(?<![\\w.-])${text}(?![\\w.-])`).test(haystack) ||
      formsOf(text)
        .slice(3)
        .some((form) => haystack.includes(form))
    : partsOf(text)
        .flatMap(formsOf)
        .some((form) => haystack.includes(form));
