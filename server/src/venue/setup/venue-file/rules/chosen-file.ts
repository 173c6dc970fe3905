/** A file that an owner chose. Its checks and its comparison take seconds for a hostile one, so they run in a thread of their own. */
import type { AreaChange, FileComparison } from "@comanda/contract/console/venue-file.ts";
import { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { type FieldErrors, sentencesOf } from "#lib/errors.ts";
import { jsonFault } from "#lib/json-fault.ts";
import { type Check, createCheck } from "#lib/schema.ts";
import { versionOf } from "#venue/bookings/floor/rules.ts";
import { menuSizeErrors } from "#venue/menu/rules/menu-size.ts";
import { textErrors, venueFileErrors } from "./checks.ts";
import { compareFiles } from "./compare.ts";

export { versionOf };

let compiled: Check | undefined;

/** Compiled for the first file, not at the start: most processes never read one. */
export const schemaErrors = (value: unknown): FieldErrors => {
  compiled ??= createCheck(VenueFile);
  return sentencesOf(compiled(value));
};

/** Fills in the defaults. */
export const checkVenueFile = (value: unknown): { file: VenueFile } | { errors: FieldErrors } => {
  for (const check of [schemaErrors, textErrors, venueFileErrors] as ((value: unknown) => FieldErrors)[]) {
    const errors = check(value);
    if (Object.keys(errors).length > 0) return { errors };
  }
  return { file: value as VenueFile };
};

/** `too_large` names what is above the bounds of a menu. It may stay where the venue has it already. */
export type ReadChosen = { file: VenueFile; left_out: FileComparison["left_out"]; too_large: FieldErrors } | { errors: FieldErrors };

const countOf = (rows: unknown): number => (Array.isArray(rows) ? rows.length : 0);

/** People in the file are neither checked nor kept. */
export const readChosen = (text: string): ReadChosen => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { errors: { text: [`Is not valid JSON: ${jsonFault(error)}.`] } };
  }
  const { staff, guests, ...rest } = (value ?? {}) as Partial<VenueFile>;
  const checked = checkVenueFile(Array.isArray(value) || typeof value !== "object" ? value : rest);
  if ("errors" in checked) return checked;
  const { file } = checked;
  return { file, left_out: { staff: countOf(staff), guests: countOf(guests) }, too_large: menuSizeErrors(file) };
};

/** The version of the venue, and what the file would change. */
export const compareChosen = ({ venue, wanted }: { venue: VenueFile; wanted: VenueFile }): { version: string; areas: AreaChange[] } => ({
  version: versionOf(venue),
  areas: compareFiles(venue, wanted),
});
