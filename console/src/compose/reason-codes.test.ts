/** Every reason code has a text in both languages, and every text has a code. */
import { REASON_CODES } from "@comanda/contract/console/reason-codes.ts";
import { expect, test } from "vitest";
import { ar } from "./texts.ar.ts";
import { en } from "./texts.en.ts";

const differences = (codes: readonly string[], texts: Record<string, string>): string[] => [
  ...codes.filter((code) => !texts[code]?.trim()).map((code) => `no words for ${code}`),
  ...Object.keys(texts)
    .filter((code) => !codes.includes(code))
    .map((code) => `no code for ${code}`),
];

test.each(Object.entries({ en: en.reasons, ar: ar.reasons }))("every code that the service can send has words: %s", (_, texts) => {
  expect(REASON_CODES.length).toBeGreaterThan(20);
  expect(differences(REASON_CODES, texts)).toEqual([]);
});

test("planted: a code without a text, a text without a code and an empty text are found", () => {
  const { dns: _, ...fewer } = en.reasons;
  expect(differences(REASON_CODES, fewer)).toEqual(["no words for dns"]);
  expect(differences([...REASON_CODES, "moon"], ar.reasons)).toEqual(["no words for moon"]);
  expect(differences(REASON_CODES, { ...en.reasons, moon: "The moon." })).toEqual(["no code for moon"]);
  expect(differences(REASON_CODES, { ...ar.reasons, tls: " " })).toEqual(["no words for tls"]);
});
