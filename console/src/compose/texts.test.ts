/** Both languages have the same keys and placeholders, name every code, and say things as people do. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { enAccess } from "#account/texts-access.en.ts";
import { enMemberships } from "#account/texts-memberships.en.ts";
import { enApps } from "#apps/texts.en.ts";
import { enBills } from "#bills/texts.en.ts";
import { enBookings } from "#bookings/texts.en.ts";
import { enTryBooking } from "#bookings/texts-try.en.ts";
import { enSignature } from "#developer/signature/texts.en.ts";
import { enDeveloper } from "#developer/texts.en.ts";
import { enLogs } from "#developer/texts-logs.en.ts";
import { enExperiences } from "#experiences/texts.en.ts";
import { enGiftCards } from "#gift-cards/texts.en.ts";
import { enGuests } from "#guests/texts.en.ts";
import { enForms } from "#kit/texts-forms.en.ts";
import { enKitchen } from "#kitchen/texts.en.ts";
import { enMenu } from "#menu/texts.en.ts";
import { enMenuTools } from "#menu/texts-tools.en.ts";
import { enMenuToday } from "#menu-today/texts.en.ts";
import { enMessages } from "#messages/texts.en.ts";
import { enNewOrder } from "#orders/new-order/texts.en.ts";
import { enService } from "#orders/texts-service.en.ts";
import { enReports } from "#reports/texts.en.ts";
import { enReviews } from "#reviews/texts.en.ts";
import { enScreens } from "#screen/texts.en.ts";
import { enCharges } from "#settings/charges/texts.en.ts";
import { enFloor } from "#settings/floor/texts.en.ts";
import { enHours } from "#settings/hours/texts.en.ts";
import { enTill } from "#settings/till/texts.en.ts";
import { enVenueFile } from "#settings/venue-file/texts.en.ts";
import { enShifts } from "#shifts/texts.en.ts";
import { enSignUp } from "#sign-up/texts.en.ts";
import { enStock } from "#stock/texts.en.ts";
import { enTeam } from "#team/texts.en.ts";
import { ar } from "./texts.ar.ts";
import { en } from "./texts.en.ts";

const PLURAL = /_(?:zero|one|two|few|many|other)$/;

type Tree = { [key: string]: string | Tree };
const flatten = (tree: Tree, prefix = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
  );

const english = flatten({
  ...en,
  ...enDeveloper,
  ...enBills,
  ...enApps,
  ...enAccess,
  ...enForms,
  ...enTryBooking,
  ...enLogs,
  ...enSignature,
  ...enMenu,
  ...enMenuToday,
  ...enMenuTools,
  ...enService,
  ...enScreens,
  ...enGuests,
  ...enGiftCards,
  ...enReviews,
  ...enStock,
  ...enShifts,
  ...enMessages,
  ...enExperiences,
  ...enFloor,
  ...enHours,
  ...enCharges,
  ...enTill,
  ...enVenueFile,
  ...enMemberships,
  ...enTeam,
  ...enReports,
  newOrder: enNewOrder,
  kitchen: enKitchen,
  bookings: enBookings,
  signUp: enSignUp,
});
const arabic = flatten(ar);
const keysOf = (texts: [string, string][]): string[] => [...new Set(texts.map(([key]) => key.replace(PLURAL, "")))].sort();

test("the same keys in both languages", () => {
  expect(keysOf(arabic)).toEqual(keysOf(english));
});

test("no text is empty, and Arabic texts are in Arabic", () => {
  const sameInBoth = ["languages.en", "languages.ar"];
  for (const [key, text] of [...english, ...arabic]) expect(text.trim(), key).not.toBe("");
  const latin = arabic.filter(([key, text]) => !/[\u0600-\u06ff]/.test(text) && !sameInBoth.includes(key));
  expect(latin).toEqual([]);
});

test("every Arabic plural has its six forms", () => {
  const counted = [...new Set(arabic.filter(([key]) => PLURAL.test(key)).map(([key]) => key.replace(PLURAL, "")))];
  const present = new Set(arabic.map(([key]) => key));
  const missing = counted.flatMap((key) =>
    ["zero", "one", "two", "few", "many", "other"].filter((form) => !present.has(`${key}_${form}`)).map((form) => `${key}_${form}`),
  );
  expect(missing).toEqual([]);
});

test("placeholders are the same, except for a count written as a word", () => {
  const placeholders = (text: string): string =>
    [...text.matchAll(/\{\{(\w+)\}\}/g)]
      .map(([, name]) => name)
      .filter((name) => name !== "count")
      .toSorted((a = "", b = "") => a.localeCompare(b))
      .join();
  const byKey = new Map(english.map(([key, text]) => [key.replace(PLURAL, ""), placeholders(text)]));
  for (const [key, text] of arabic) expect([key, placeholders(text)]).toEqual([key, byKey.get(key.replace(PLURAL, ""))]);
});

const CONTRACT = join(import.meta.dirname, "../../../contract/src");
/** Lists of codes in the contract, by their names. */
const codeLists = new Map(
  globSync("{venue,console}/**/*.ts", { cwd: CONTRACT }).flatMap((path) =>
    [...readFileSync(join(CONTRACT, path), "utf8").matchAll(/const ([A-Z][A-Z_]+) = \[((?:\s*"[a-z_]+",?)+\s*)\] as const/g)].map(
      ([, name = "", members = ""]): [string, string[]] => [name, [...members.matchAll(/"([a-z_]+)"/g)].map(([, code = ""]) => code)],
    ),
  ),
);

const camel = (code: string): string => code.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const unnamedIn = (texts: [string, string][], codes: readonly string[]): string[] => {
  const names = new Set(texts.map(([key]) => key.replace(PLURAL, "").split(".").at(-1)));
  return codes.filter((code) => !names.has(code) && !names.has(camel(code)));
};

/** Lists, or members of them, that no page shows. */
const UNSHOWN = ["TICKET_CHANGES", "QUOTE_RULES", "PASSING_CHANGES", "REPORT_KINDS hour"];
const unnamedCodes = (texts: [string, string][], lists: ReadonlyMap<string, string[]>): string[] =>
  [...lists].flatMap(([list, codes]) =>
    UNSHOWN.includes(list)
      ? []
      : unnamedIn(texts, codes)
          .map((code) => `${list} ${code}`)
          .filter((one) => !UNSHOWN.includes(one)),
  );
const rawCodes = (texts: [string, string][]): string[] =>
  texts.filter(([, text]) => /^[a-z]+(?:_[a-z]+)+$/.test(text)).map(([, text]) => text);

test("every code of the contract that pages show has a name in each language; planted: one without is found", () => {
  expect(codeLists.size).toBeGreaterThan(30);
  for (const texts of [english, arabic]) {
    expect(unnamedCodes(texts, codeLists)).toEqual([]);
    expect(rawCodes(texts)).toEqual([]);
    expect(unnamedCodes(texts, new Map([["PLANTED", ["card_terminal", "gone_fishing"]]]))).toEqual(["PLANTED gone_fishing"]);
  }
  expect(rawCodes([["planted", "no_show"]])).toEqual(["no_show"]);
});

/** A field of the contract with a code, written as it is: <span>{order.channel}</span>. */
const RAW_IN_PAGE = />\s*\{[\w.]+\.(?:status|channel|kind|dietary|phase|source|purpose|order_type|method)\}\s*</g;

test("no page shows a code in place of its name; planted: one that does is found", () => {
  const root = join(import.meta.dirname, "..");
  // The request log has the words of HTTP.
  const pages = globSync("**/*.tsx", { cwd: root, exclude: ["developer/requests/**"] });
  const raw = pages.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(RAW_IN_PAGE)].map(([found]) => `${path} ${found}`),
  );
  expect([pages.length > 200, raw]).toEqual([true, []]);
  expect("<bdi>{order.channel}</bdi>".match(RAW_IN_PAGE)).toHaveLength(1);
});

/** Words of another language put into English, and sentences of which a newcomer must guess the other half. */
const UNSAID = [
  /\bmeanwhile\b/i,
  /\bTake over \d|\bTake over \{\{/,
  /\bto arm\b/i,
  /\(empty: /i,
  /\bWent away\b/,
  /^Waits$/,
  /\bNot gone yet\b/,
  /\bNothing waits\b/,
  /\bsmallest coin\b/,
  /\bSet up here\b/,
  /\bWho has an?\b/,
  /, then the next$/,
  /\btake by their recipes\b/,
  /\bso many (?:minutes|days)\b/,
  /\bgets? a mail\b/,
  /\bits time is over\b/,
  /^(?:At|For|From|To|Up to) (?:guests|persons)$/,
  /^At$/,
];
const unsaid = (texts: [string, string][]): string[] =>
  texts.flatMap(([key, text]) => (UNSAID.some((phrase) => phrase.test(text)) ? [`${key}: ${text}`] : []));

test("English texts are said as people of the trade say them; planted: sentences that were replaced are found", () => {
  expect(unsaid(english)).toEqual([]);
  const replaced = ["Take over 197 rows", "Sound is off – tap to arm", "Went away", "Waits", "Save, then the next", "At", "From guests"];
  expect(unsaid(replaced.map((text) => ["planted", text]))).toHaveLength(replaced.length);
});

test("a moment that something was seen at is no end in Arabic; planted: one that is written as an end is found", () => {
  const asOf = english.filter(([, text]) => /\bas of\b/i.test(text)).map(([key]) => key);
  const ends = (texts: [string, string][]): string[] =>
    texts.filter(([key, text]) => asOf.includes(key) && text.includes("حتى")).map(([key]) => key);
  expect([asOf.length > 0, ends(arabic)]).toEqual([true, []]);
  expect(ends(asOf.map((key) => [key, "حتى {{time}}"]))).toEqual(asOf);
});
