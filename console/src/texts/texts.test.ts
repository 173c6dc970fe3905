/** Both languages have the same keys and placeholders. */
import { expect, test } from "vitest";
import { ar } from "./ar.ts";
import { en } from "./en.ts";
import { enBookings } from "./en-bookings.ts";
import { enCharges } from "./en-charges.ts";
import { enDeveloper } from "./en-developer.ts";
import { enExperiences } from "./en-experiences.ts";
import { enFloor } from "./en-floor.ts";
import { enGiftCards } from "./en-gift-cards.ts";
import { enGuests } from "./en-guests.ts";
import { enHours } from "./en-hours.ts";
import { enKitchen } from "./en-kitchen.ts";
import { enLogs } from "./en-logs.ts";
import { enMemberships } from "./en-memberships.ts";
import { enMenu } from "./en-menu.ts";
import { enMenuToday } from "./en-menu-today.ts";
import { enMenuTools } from "./en-menu-tools.ts";
import { enMessages } from "./en-messages.ts";
import { enNewOrder } from "./en-new-order.ts";
import { enReports } from "./en-reports.ts";
import { enReviews } from "./en-reviews.ts";
import { enScreens } from "./en-screens.ts";
import { enService } from "./en-service.ts";
import { enShifts } from "./en-shifts.ts";
import { enSignUp } from "./en-sign-up.ts";
import { enSignature } from "./en-signature.ts";
import { enStock } from "./en-stock.ts";
import { enTeam } from "./en-team.ts";
import { enTill } from "./en-till.ts";
import { enVenueFile } from "./en-venue-file.ts";

const PLURAL = /_(?:zero|one|two|few|many|other)$/;

type Tree = { [key: string]: string | Tree };
const flatten = (tree: Tree, prefix = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
  );

const english = flatten({
  ...en,
  ...enDeveloper,
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
