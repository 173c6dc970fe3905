/** What the server refuses a person in these modules is said in Arabic too: the sentences are read from its source. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { translateFieldError } from "./server-texts.ar.ts";

const MODULES =
  "venue/{team,reports,shifts,setup/sign-up,bookings/deposits,bookings/experiences,orders/{gift-cards,payments,order-board},guest-records/guest-profiles}";
const SERVER = new URL("../../../server/src/", import.meta.url);

/** Field errors are sentences in a list, the result of a rule, or a constant in capitals. */
const SENTENCE = /(?:\[|refuse\(|bookingError\(|[A-Z_]+ = |\? )(?:"([A-Z][^"]*\.)"|`([A-Z][^`]*\.)`)/g;

const sentencesOf = (text: string): string[] =>
  [...text.matchAll(SENTENCE)].map(
    ([, plain, filled = ""]) => plain ?? filled.replaceAll(/\$\{order\.status\}/g, "rejected").replaceAll(/\$\{[^}]*\}/g, "7"),
  );

test("every sentence has its Arabic, with the number in it", () => {
  const files = globSync(`${MODULES}/**/*.ts`, { cwd: SERVER }).filter((path) => !path.endsWith(".test.ts") && !path.endsWith("texts.ts"));
  const sentences = new Set(files.flatMap((path) => sentencesOf(readFileSync(new URL(path, SERVER), "utf8"))));
  expect(sentences.size).toBeGreaterThan(25);
  expect([...sentences].filter((sentence) => !/[\u0600-\u06ff]/.test(translateFieldError(sentence)))).toEqual([]);
  expect(translateFieldError("The gift card has only USD 15.00 left.")).toContain("USD 15.00");
  expect(translateFieldError("The branch has tickets of 3 parties to come.")).toMatch(/[\u0600-\u06ff].*3/);
  expect(translateFieldError("A sentence that nothing knows.")).toBe("A sentence that nothing knows.");
});
