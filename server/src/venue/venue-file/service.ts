/** Parses, checks, applies and exports a venue file. */
import type { FileComparison } from "@comanda/contract/console/venue-file.ts";
import { VENUE_FILE_FORMAT, VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, type FieldErrors, UserError, validationError } from "#lib/errors.ts";
import { recordChange } from "#lib/record-change.ts";
import { type Check, createCheck } from "#lib/schema.ts";
import { readActivity, recordAudit } from "#platform/audit/service.ts";
import { applyStaff, collectStaff } from "#platform/memberships/venue-file.ts";
import { lockRestaurant } from "#platform/tenants/service.ts";
import { applyRestaurant, collectRestaurant } from "#platform/tenants/venue-file.ts";
import { applyGuests, collectGuests } from "#venue/guests/venue-file.ts";
import { dropEndedCounts } from "#venue/item-counts/service.ts";
import { lockDishTaxes } from "#venue/menu/service/taxes.ts";
import { applyMenu, collectMenu } from "#venue/menu/venue-file.ts";
import { lockAllBookings, readBookingCounts, readBookingCountsOfBranches } from "#venue/reservations/service/holds.ts";
import { readBranches, readSalesRulesForChange, readTables } from "#venue/settings/service.ts";
import { applySettings, collectSettings } from "#venue/settings/venue-file.ts";
import { asFileOf, bookedErrors, compareFiles, currencyErrors, removedRows, venueFileErrors, versionOf } from "./rules.ts";

const ERRORS_SHOWN_MAX = 20;

let compiled: Check | undefined;

/** Compiled for the first file, not at the start: most processes never read one. */
const schemaErrors: Check = (value) => {
  compiled ??= createCheck(VenueFile);
  return compiled(value);
};

export const parseVenueFile = (text: string): VenueFile => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`The venue file is not valid JSON: ${(error as Error).message}`);
  }
  const checked = checkVenueFile(value);
  if ("errors" in checked) throw unusable(checked.errors);
  return checked.file;
};

/** Fills in the defaults. */
export const checkVenueFile = (value: unknown): { file: VenueFile } | { errors: FieldErrors } => {
  const ofSchema = schemaErrors(value);
  if (Object.keys(ofSchema).length > 0) return { errors: ofSchema };
  const file = value as VenueFile;
  const errors = venueFileErrors(file);
  return Object.keys(errors).length > 0 ? { errors } : { file };
};

const unusable = (errors: FieldErrors): UserError => {
  const lines = Object.entries(errors).flatMap(([path, sentences]) => sentences.map((sentence) => `  ${path}: ${sentence}`));
  const more = lines.length > ERRORS_SHOWN_MAX ? `\n  … and ${lines.length - ERRORS_SHOWN_MAX} more` : "";
  return new UserError(`The venue file cannot be used:\n${lines.slice(0, ERRORS_SHOWN_MAX).join("\n")}${more}`);
};

/** Applies the whole file in the caller's transaction. */
export const applyVenueFile = async (ctx: Ctx, file: VenueFile): Promise<void> => {
  // First the parts that revoke access: they wait for running writes, and must not lock rows those writes need.
  await applyRestaurant(ctx, file.restaurant);
  await applyStaff(ctx, file.staff);
  // Bookings are decided by the tables: none is decided by those that this file removes.
  lockAllBookings(ctx);
  await applySettings(ctx, file);
  await applyMenu(ctx, file);
  dropEndedCounts(ctx);
  await applyGuests(ctx, file.guests);
  for (const kind of ["item", "ticket", "staff", "guest", "reservation"] as const) recordChange(ctx, { kind, id: "all" });
  recordAudit(ctx, {
    action: "venue.imported",
    subject: { kind: "restaurant", id: ctx.tenant.id },
    after: { slug: file.restaurant.slug, menus: file.menus.length, guests: file.guests.length },
  });
};

export const collectVenueFile = async (ctx: Ctx): Promise<VenueFile> => ({
  ...(await collectWithoutPeople(ctx)),
  staff: await collectStaff(ctx),
  guests: await collectGuests(ctx),
});

/** The file of a venue without its people: access is given on the page of the team, and guests have rights of their own. */
const collectWithoutPeople = async (ctx: Ctx): Promise<VenueFile> => {
  const { branches, tables, table_combinations, ordering, booking, charges } = await collectSettings(ctx);
  const { modifier_groups, menus, happy_hours } = await collectMenu(ctx);
  return {
    format: VENUE_FILE_FORMAT,
    restaurant: await collectRestaurant(ctx),
    branches,
    tables,
    table_combinations,
    modifier_groups,
    menus,
    happy_hours,
    ordering,
    booking,
    charges,
    staff: [],
    guests: [],
  };
};

export const exportForOwner = async (ctx: Ctx): Promise<{ version: string; file: VenueFile }> => {
  const file = await collectWithoutPeople(ctx);
  return { version: versionOf(file), file };
};

const refuseFaults = (faults: FieldErrors): void => {
  if (Object.keys(faults).length > 0) throw validationError(faults);
};

/** With the checks of `comanda venue import`. People in the file are neither checked nor kept. */
const readChosenFile = (text: string): { file: VenueFile; left_out: FileComparison["left_out"] } => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw validationError({ text: [`Is not valid JSON: ${(error as Error).message}`] });
  }
  const { staff, guests, ...rest } = (value ?? {}) as Partial<VenueFile>;
  const chosen = Array.isArray(value) || typeof value !== "object" ? value : rest;
  refuseFaults(schemaErrors(chosen));
  const file = chosen as VenueFile;
  refuseFaults(venueFileErrors(file));
  const count = (rows: unknown): number => (Array.isArray(rows) ? rows.length : 0);
  return { file, left_out: { staff: count(staff), guests: count(guests) } };
};

const compare = async (ctx: Ctx, text: string): Promise<{ wanted: VenueFile; comparison: FileComparison }> => {
  const { file, left_out } = readChosenFile(text);
  const venue = await collectWithoutPeople(ctx);
  const wanted = asFileOf(venue, file);
  refuseFaults({ ...currencyErrors(venue, file), ...(await bookedFaults(ctx, wanted)) });
  return { wanted, comparison: { version: versionOf(venue), areas: compareFiles(venue, wanted), left_out } };
};

const bookedFaults = async (ctx: Ctx, wanted: VenueFile): Promise<FieldErrors> => {
  const branches = removedRows(await readBranches(ctx), wanted.branches);
  const tables = removedRows((await readTables(ctx)).tables, wanted.tables);
  const ids = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);
  const [ofBranches, ofTables] = [await readBookingCountsOfBranches(ctx, ids(branches)), await readBookingCounts(ctx, ids(tables))];
  return { ...bookedErrors("branches", branches, ofBranches), ...bookedErrors("tables", tables, ofTables) };
};

/** What an import would change. */
export const compareWithVenue = async (ctx: Ctx, text: string): Promise<FileComparison> => (await compare(ctx, text)).comparison;

/** Until the commit, no user changes what a file holds: in the order in which pages of settings lock. */
const lockVenue = async (ctx: Ctx): Promise<void> => {
  await lockRestaurant(ctx);
  lockAllBookings(ctx);
  lockDishTaxes(ctx);
  await readSalesRulesForChange(ctx);
};

/** All or nothing. The answer says what was changed, and the version of the venue afterwards. */
export const importForOwner = async (ctx: Ctx, { seen_version, text }: { seen_version: string; text: string }): Promise<FileComparison> => {
  await lockVenue(ctx);
  const { wanted, comparison } = await compare(ctx, text);
  if (comparison.version !== seen_version) throw await venueChanged(ctx, comparison.version);
  if (comparison.areas.length > 0) await applyVenueFile(ctx, wanted);
  return { ...comparison, version: (await exportForOwner(ctx)).version };
};

const venueChanged = async (ctx: Ctx, version: string) => {
  const [entry] = await readActivity(ctx, {}, 1);
  return apiError("state_changed", { version, changed_by: entry?.actor_name ?? null, changed_at: entry?.at.toISOString() ?? null });
};
