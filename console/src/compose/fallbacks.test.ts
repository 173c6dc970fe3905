/** What a page shows where the reader's own is missing: texts in the venue's main language, names for codes, dates as the country writes them. */
import { afterEach, expect, test, vi } from "vitest";
import { codeNames, OFFERED_LANGUAGES } from "#kit/code-names.ts";
import { dateLocale } from "#kit/language.ts";
import { pickText } from "#kit/localized-name.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { COUNTRIES, languagesOfCountries } from "#sign-up/countries.ts";

afterEach(() => vi.unstubAllGlobals());

const DISH = { en: "Fried Squid", it: "Fritto di calamari" };

test("a text that is missing in the reader's language is in the venue's main one, then in any; an emptied text is missing", () => {
  expect(pickText(DISH, ["ar", "it"])).toBe("Fritto di calamari");
  expect(pickText({ ...DISH, ar: "كاليماري" }, ["ar", "it"])).toBe("كاليماري");
  expect(pickText({ ...DISH, ar: "" }, ["ar", "it"])).toBe("Fritto di calamari");
  expect(pickText({ ...DISH, ar: null }, ["ar", "de"])).toBe("Fried Squid");
  expect(pickText({}, ["ar", "it"])).toBe("");
});

test("planted: with English in front of the venue's language an Italian venue shows English dishes", () => {
  expect(pickText(DISH, ["ar", "en", "it"])).toBe("Fried Squid");
});

test("every language and currency that can be chosen has a name, also in a browser that leaves out the rarest", () => {
  const RARE = new Set(["XCG", "SLE", "ZWG", "rn", "pap", "dz", "sg", "kl", "tpi", "pau", "tvl", "bi"]);
  const languages = [...new Set([...OFFERED_LANGUAGES, ...languagesOfCountries()])];
  const currencies = [...new Set(COUNTRIES.map(({ currency }) => currency))];
  const nameless = (language: "en" | "ar", codes: string[], kind: "language" | "currency"): string[] => {
    const full = new Intl.DisplayNames([language], { type: kind });
    const nameOf = codeNames(kind, language, { of: (code) => (RARE.has(code) ? code : full.of(code)) });
    return codes.filter((code) => nameOf(code) === code);
  };
  for (const language of ["en", "ar"] as const)
    expect([nameless(language, languages, "language"), nameless(language, currencies, "currency")]).toEqual([[], []]);
  expect(codeNames("language", "en", { of: () => "xx" })("xx")).toBe("xx");
});

test("dates: the day comes first in an Italian venue in any browser, the month first in an American one, and the browser decides without a country", () => {
  const at = "2026-11-19T17:27:00Z";
  const shown = (browser: string, zone: string): string => {
    vi.stubGlobal("navigator", { language: browser });
    return formatDayAndClock(at, zone);
  };
  expect(["en-US", "en-GB", "it-IT"].map((browser) => shown(browser, "Europe/Rome"))).toEqual(Array(3).fill(shown("en-GB", "Europe/Rome")));
  expect(shown("en-US", "Europe/Rome")).toMatch(/^Thu,? 19 Nov,? (at )?18:27$/);
  expect(shown("en-GB", "America/New_York")).toMatch(/^Thu, Nov 19,? (at )?12:27$/);
  vi.stubGlobal("navigator", { language: "en-GB" });
  expect([dateLocale("UTC"), dateLocale()]).toEqual(["en-GB", "en-GB"]);
});
