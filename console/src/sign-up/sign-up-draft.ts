/** What the owner has said so far. It stays in this browser, so that the link in the mail finds it again. */
import type { FirstCategory, FirstVenue } from "@comanda/contract/console/sign-up.ts";
import { minor } from "@comanda/contract/minor.ts";
import type { Weekday } from "@comanda/contract/venue-file/opening-hours.ts";
import { readPrice } from "#kit/amounts.ts";
import { readStored, writeStored } from "#kit/stored.ts";
import { type Country, countryOf, countryOfZone, isSameZone, languageOf } from "./countries.ts";
import { sampleMenu } from "./sample-menu.ts";

/** Who opens the venue: a signed-in person, or the holder of a link. Null: the address is not confirmed yet. */
export type Opener = { email: string; secret: string | null; hasSession: boolean };

export type DishLine = { name: string; price: string };
export type SignUpDraft = {
  name: string;
  country: string;
  currency: string;
  zone: string;
  language: string;
  from: string;
  to: string;
  closed: Weekday[];
  isSample: boolean;
  lines: DishLine[];
};

const STORED = "comanda.sign-up";
const LINES_MAX = 60;
export const NO_LINE: DishLine = { name: "", price: "" };

const placeOf = ({ code, currency, zones }: Country, zone: string) => ({
  country: code,
  currency,
  zone: zones.find((one) => isSameZone(one, zone)) ?? zones[0] ?? "UTC",
  language: languageOf(code),
});

const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The region of the browser's language, or the country of its clock. */
const guessCountry = (): Country | undefined => {
  const zone = browserZone();
  const region = new Intl.Locale(navigator.language).region;
  const ofRegion = region === undefined ? undefined : countryOf(region);
  // Many use en-US everywhere, so the clock has to agree.
  return ofRegion?.zones.some((one) => isSameZone(one, zone)) ? ofRegion : countryOfZone(zone);
};

export const newDraft = (): SignUpDraft => {
  const country = guessCountry();
  const place = country ? placeOf(country, browserZone()) : { country: "", currency: "EUR", zone: "UTC", language: "en" };
  return { name: "", ...place, from: "11:00", to: "22:00", closed: [], isSample: true, lines: [NO_LINE, NO_LINE, NO_LINE] };
};

export const inCountry = (draft: SignUpDraft, code: string): SignUpDraft => {
  const country = countryOf(code);
  return country ? { ...draft, ...placeOf(country, browserZone()) } : draft;
};

const isText = (value: unknown): value is string => typeof value === "string";

/** Another version of the console may have written it. */
const isDraft = (value: unknown): value is SignUpDraft => {
  const draft = value as Partial<SignUpDraft> | null;
  return (
    [draft?.name, draft?.country, draft?.currency, draft?.zone, draft?.language, draft?.from, draft?.to].every(isText) &&
    Array.isArray(draft?.closed) &&
    Array.isArray(draft?.lines) &&
    draft.lines.every((line: Partial<DishLine> | null) => isText(line?.name) && isText(line?.price))
  );
};

export const readDraft = (): SignUpDraft => {
  try {
    const stored: unknown = JSON.parse(readStored(STORED) ?? "null");
    return isDraft(stored) ? stored : newDraft();
  } catch {
    return newDraft();
  }
};

export const keepDraft = (draft: SignUpDraft): void => writeStored(STORED, JSON.stringify(draft));

export const dropDraft = (): void => writeStored(STORED, "");

export const isNamed = ({ name, country }: SignUpDraft): boolean => name.trim() !== "" && country !== "";

const filled = ({ lines }: SignUpDraft): DishLine[] => lines.filter(({ name, price }) => name.trim() !== "" || price.trim() !== "");

export const isLineWrong = ({ name, price }: DishLine, currency: string): boolean =>
  (name.trim() !== "" || price.trim() !== "") && (name.trim() === "" || readPrice(price, currency) === null);

/** Whether hours and dishes can be sent. */
export const isMenuReady = (draft: SignUpDraft): boolean => {
  if (draft.from === "" || draft.to === "" || draft.closed.length > 6) return false;
  return draft.isSample || (filled(draft).length > 0 && filled(draft).every((line) => !isLineWrong(line, draft.currency)));
};

/** The last line is always an empty one. */
export const withLine = (lines: readonly DishLine[], at: number, change: Partial<DishLine>): DishLine[] => {
  const next = lines.map((line, index) => (index === at ? { ...line, ...change } : line));
  const last = next.at(-1);
  return last && (last.name !== "" || last.price !== "") && next.length < LINES_MAX ? [...next, NO_LINE] : next;
};

const ownMenu = (draft: SignUpDraft, category: string): FirstCategory[] => [
  {
    name: { [draft.language]: category },
    dishes: filled(draft).map(({ name, price }) => ({
      name: { [draft.language]: name.trim() },
      price_minor: readPrice(price, draft.currency) ?? minor(0),
    })),
  },
];

/** `category` is the name of the one category that holds the owner's own dishes. */
export const firstVenueOf = (draft: SignUpDraft, category: string): FirstVenue => ({
  name: draft.name.trim(),
  currency: draft.currency,
  zone: draft.zone,
  language: draft.language,
  hours: { from: draft.from, to: draft.to, closed: draft.closed },
  menu: draft.isSample ? sampleMenu(draft.language, draft.currency) : ownMenu(draft, category),
});
