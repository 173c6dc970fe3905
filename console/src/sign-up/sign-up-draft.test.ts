/** Countries lead to a currency, a zone and a language that exist, and prices are in the digits of the currency. */
import { expect, test } from "vitest";
import { COUNTRIES, countryOfZone, languageOf } from "./countries.ts";
import { sampleMenu } from "./sample-menu.ts";
import { firstVenueOf, inCountry, isMenuReady, isNamed, type SignUpDraft, withLine } from "./sign-up-draft.ts";

const draft: SignUpDraft = {
  name: " Chez Zoë ",
  country: "IT",
  currency: "EUR",
  zone: "Europe/Rome",
  language: "it",
  from: "11:00",
  to: "01:00",
  closed: ["mon"],
  isSample: false,
  lines: [
    { name: "Ribollita", price: "9,50" },
    { name: "", price: "" },
  ],
};

test("every country is there once, with a known currency, zones and language", () => {
  const currencies = Intl.supportedValuesOf("currency");
  expect(new Set(COUNTRIES.map(({ code }) => code)).size).toBe(COUNTRIES.length);
  for (const { code, currency, zones } of COUNTRIES) {
    expect(currencies, code).toContain(currency);
    expect(zones.length, code).toBeGreaterThan(0);
    for (const zone of zones) expect(() => new Intl.DateTimeFormat("en", { timeZone: zone }), zone).not.toThrow();
    expect(languageOf(code), code).toMatch(/^[a-z]{2,3}$/);
  }
});

test("a zone leads to its country, also by an older name", () => {
  expect(["Asia/Kuwait", "Asia/Calcutta", "Europe/Kiev", "America/Chicago"].map((zone) => countryOfZone(zone)?.code)).toEqual([
    "KW",
    "IN",
    "UA",
    "US",
  ]);
  expect(inCountry(draft, "JP")).toMatchObject({ currency: "JPY", zone: "Asia/Tokyo", language: "ja" });
});

test("the sample has prices in the digits of each currency, and Arabic menus have English names too", () => {
  const priceOf = (currency: string) => sampleMenu("en", currency)[1]?.dishes[0]?.price_minor;
  expect(["EUR", "KWD", "JPY"].map(priceOf)).toEqual([1500, 4300, 2200]);
  expect(sampleMenu("ar", "KWD")[0]?.dishes[0]?.name).toEqual({ ar: "شوربة اليوم", en: "Soup of the day" });
  expect(sampleMenu("fr", "EUR")[0]?.name).toEqual({ fr: "Starters" });
  for (const { currency } of COUNTRIES)
    for (const { dishes } of sampleMenu("en", currency))
      for (const { price_minor } of dishes) expect(price_minor, currency).toBeGreaterThan(0);
});

test("empty lines are left out, wrong ones keep the step, and the last line is an empty one", () => {
  expect([isNamed(draft), isMenuReady(draft)]).toEqual([true, true]);
  expect(firstVenueOf(draft, "Piatti")).toEqual({
    name: "Chez Zoë",
    currency: "EUR",
    zone: "Europe/Rome",
    language: "it",
    hours: { from: "11:00", to: "01:00", closed: ["mon"] },
    menu: [{ name: { it: "Piatti" }, dishes: [{ name: { it: "Ribollita" }, price_minor: 950 }] }],
  });
  expect(isMenuReady({ ...draft, lines: [{ name: "Ribollita", price: "9.505" }] })).toBe(false);
  expect(isMenuReady({ ...draft, lines: [] })).toBe(false);
  expect(isMenuReady({ ...draft, closed: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] })).toBe(false);
  expect(withLine(draft.lines, 1, { name: "Pasta" })).toHaveLength(3);
});
