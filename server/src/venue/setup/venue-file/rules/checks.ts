/** Checks that the JSON Schema cannot express: references to existing keys, and exactly one default. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { checkUnique, collectErrors, type KeyedLists, type ReportError } from "#lib/collect-errors.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { hasControls, textFault, withoutControls } from "#lib/plain-text.ts";
import { checkExperiences } from "#venue/bookings/experiences/rules.ts";
import { menuErrors } from "#venue/menu/rules/menu-parts.ts";
import { branchErrors, chargesErrors, orderingErrors, restaurantErrors } from "#venue/settings/rules/checks.ts";
import { tableErrors } from "#venue/settings/rules/tables.ts";
import { checkStock, unitErrors } from "#venue/stock/rules.ts";

export { unitErrors };

/**
 * Texts that cannot be stored, by the check of the console's fields, and control characters: a file is also made by other programs. Its
 * shape was checked before, so it is not nested deeply.
 */
export const textErrors = (file: VenueFile): FieldErrors => collectErrors((report) => reportTexts(file, "", report));

const reportTexts = (value: unknown, path: string, report: ReportError): void => {
  if (typeof value === "string") {
    const fault = textFault(value)?.sentence ?? (hasControls(value) ? "Must not contain control characters." : null);
    if (fault !== null) report(path, fault);
  } else if (value !== null && typeof value === "object")
    for (const [name, member] of Object.entries(value)) reportTexts(member, path === "" ? name : `${path}.${name}`, report);
};

/** An export is a valid import, also where the API stored control characters. */
export const withoutControlsIn = <T>(value: T): T =>
  (typeof value === "string"
    ? withoutControls(value)
    : Array.isArray(value)
      ? value.map(withoutControlsIn)
      : value !== null && typeof value === "object"
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutControlsIn(member)]))
        : value) as T;

export const venueFileErrors = (file: VenueFile): FieldErrors => ({
  ...restaurantErrors(file),
  ...branchErrors(file),
  ...orderingErrors(file),
  ...tableErrors(file),
  ...chargesErrors(file),
  ...collectErrors((report) => {
    checkUnique(otherLists(file), report);
    checkGuests(file, report);
    checkStock(file, report);
    checkExperiences(file, report);
  }),
  ...menuErrors(file),
});

const otherLists = (file: VenueFile): KeyedLists => ({
  tables: file.tables,
  guests: file.guests,
  ingredients: file.ingredients,
  experiences: file.experiences,
  staff: file.staff.map(({ email }) => ({ key: email.toLowerCase() })),
});

const checkGuests = ({ guests }: VenueFile, report: ReportError): void => {
  const phones = guests.flatMap(({ phone }) => (phone === null ? [] : [phone.replaceAll(/[^0-9+]/g, "").replace(/^00/, "+")]));
  const seen = new Set<string>();
  const isSecond = (number: string): boolean => number !== "" && seen.size === seen.add(number).size;
  for (const phone of new Set(phones.filter(isSecond))) report("guests", `Two guests have the phone number ${phone}.`);
  for (const [index, guest] of guests.entries())
    if (guest.marketing_opted_in === (guest.marketing_opted_in_at === null))
      report(`guests.${index}.marketing_opted_in_at`, "Is set exactly when the guest has opted in.");
};
