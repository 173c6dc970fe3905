/** Parses, checks, applies and exports a venue file. */
import type { FileComparison } from "@comanda/contract/console/venue-file.ts";
import { VENUE_FILE_FORMAT, type VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { keepAnswer } from "#db/kept-answers.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, type FieldErrors, UserError, validationError } from "#lib/errors.ts";
import { jsonFault } from "#lib/json-fault.ts";
import type { KeptJson } from "#lib/kept-json.ts";
import { recordChange } from "#lib/record-change.ts";
import { runAside } from "#lib/side-thread.ts";
import { listStaffEntries, recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { applyStaff, collectStaff } from "#platform/people/memberships/venue-file.ts";
import { findCurrency, lockRestaurant, lockWrites } from "#platform/tenants/service.ts";
import { applyRestaurant, collectRestaurant } from "#platform/tenants/venue-file.ts";
import { lockBookedExperiences, readBookedExperiences } from "#venue/bookings/experiences/service/experiences.ts";
import { applyExperiences, collectExperiences } from "#venue/bookings/experiences/venue-file.ts";
import { countBookingsOf, countBookingsOfBranches, lockTables } from "#venue/bookings/reservations/service/bookings.ts";
import { applyGuests, collectGuests } from "#venue/guests/venue-file.ts";
import { deleteEndedCounts } from "#venue/menu/item-counts/service.ts";
import { countMenu, lockMenu } from "#venue/menu/service/editor.ts";
import { applyMenu, collectMenu } from "#venue/menu/venue-file.ts";
import { hasCardsOutside } from "#venue/orders/gift-cards/service/cards.ts";
import { listBranches, lockSalesRules, readTables } from "#venue/settings/service.ts";
import { applySettings, collectSettings } from "#venue/settings/venue-file.ts";
import { firstWeekdayFault, lockShifts } from "#venue/shifts/service/weeks.ts";
import { planSoldOut } from "#venue/stock/service/booking.ts";
import { applyStock, collectStock } from "#venue/stock/venue-file.ts";
import { unitErrors, withoutControlsIn } from "./rules/checks.ts";
import { checkVenueFile, type compareChosen, type ReadChosen, versionOf } from "./rules/chosen-file.ts";
import { asFileOf } from "./rules/compare.ts";
import {
  bookedErrors,
  currencyErrors,
  importsSince,
  importWait,
  menuSizeErrors,
  removedRows,
  sizeErrors,
  sizesOf,
} from "./rules/refusals.ts";

export { checkVenueFile };

const ERRORS_SHOWN_MAX = 20;
const IMPORTED = "venue.imported";

export const parseVenueFile = (text: string): VenueFile => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`The venue file is not valid JSON: ${jsonFault(error)}.`);
  }
  const checked = checkVenueFile(value);
  if ("errors" in checked) throw unusable(checked.errors);
  return checked.file;
};

const unusable = (errors: FieldErrors): UserError => {
  const lines = Object.entries(errors).flatMap(([path, sentences]) => sentences.map((sentence) => `  ${path}: ${sentence}`));
  const more = lines.length > ERRORS_SHOWN_MAX ? `\n  … and ${lines.length - ERRORS_SHOWN_MAX} more` : "";
  return new UserError(`The venue file cannot be used:\n${lines.slice(0, ERRORS_SHOWN_MAX).join("\n")}${more}`);
};

/** Applies the whole file in the caller's transaction. */
export const applyVenueFile = async (ctx: Ctx, file: VenueFile): Promise<void> => {
  await refuseOtherCurrency(ctx, file.restaurant.currency);
  // First the parts that revoke access: they wait for running writes, and must not lock rows those writes need.
  await applyRestaurant(ctx, file.restaurant);
  await applyStaff(ctx, file.staff);
  await refuseOtherFirstWeekday(ctx, file.shifts.first_weekday);
  // Bookings are decided by the tables: none is decided by those that this file removes.
  lockTables(ctx);
  await refuseTooMuch(ctx, file);
  await refuseBooked(ctx, file);
  await applySettings(ctx, file);
  await applyMenu(ctx, file);
  deleteEndedCounts(ctx);
  await applyStock(ctx, file);
  if (file.ingredients.some(({ sells_out }) => sells_out)) await planSoldOut(ctx);
  await applyExperiences(ctx, file);
  await applyGuests(ctx, file.guests);
  for (const kind of ["item", "ingredient", "experience", "ticket", "staff", "guest", "reservation", "shift"] as const)
    recordChange(ctx, { kind, id: "all" });
  recordAudit(ctx, {
    action: IMPORTED,
    subject: { kind: "restaurant", id: ctx.tenant.id },
    after: { slug: file.restaurant.slug, menus: file.menus.length, guests: file.guests.length },
  });
};

/** The venue's menu is read only where the file's is too large. */
const sizeFaults = async (ctx: Ctx, file: VenueFile, tooLarge: FieldErrors): Promise<FieldErrors> => {
  const [menu, { tables }] = await Promise.all([countMenu(ctx), readTables(ctx)]);
  return {
    ...(Object.keys(tooLarge).length > 0 ? menuSizeErrors(file, await collectMenu(ctx)) : {}),
    ...sizeErrors({ ...menu, tables: tables.length }, sizesOf(file)),
  };
};

const refuseTooMuch = async (ctx: Ctx, file: VenueFile): Promise<void> => {
  const faults = await sizeFaults(ctx, file, menuSizeErrors(file));
  if (Object.keys(faults).length > 0) throw unusable(faults);
};

/** Refuses with the faults of the console: what guests have booked, or have tickets for, stays. */
const refuseBooked = async (ctx: Ctx, file: VenueFile): Promise<void> => {
  const faults = await bookedFaults(ctx, file, lockBookedExperiences);
  if (Object.keys(faults).length > 0) throw unusable(faults);
};

/** What is on a gift card is an amount of its currency. No card is sold while this is decided: writes are waited for. */
const refuseOtherCurrency = async (ctx: Ctx, currency: string): Promise<void> => {
  const before = await findCurrency(ctx);
  if (before === null || before === currency) return;
  lockWrites(ctx);
  if (await hasCardsOutside(ctx, currency))
    throw new UserError(`The venue has gift cards in ${before}: its currency cannot be changed to ${currency}.`);
};

/** Weeks do not change while changes of shifts wait for their publication, and none is planned or published meanwhile. */
const refuseOtherFirstWeekday = async (ctx: Ctx, firstWeekday: VenueFile["shifts"]["first_weekday"]): Promise<void> => {
  lockShifts(ctx);
  const fault = await firstWeekdayFault(ctx, firstWeekday);
  if (fault !== null) throw new UserError(`The first weekday of shifts cannot change now. ${fault}`);
};

export const collectVenueFile = async (ctx: Ctx): Promise<VenueFile> =>
  withoutControlsIn({ ...(await collectWithoutPeople(ctx)), staff: await collectStaff(ctx), guests: await collectGuests(ctx) });

/** The file of a venue without its people: access is given on the page of the team, and guests have rights of their own. */
const collectWithoutPeople = async (ctx: Ctx): Promise<VenueFile> => {
  const { branches, tables, table_combinations, ordering, booking, charges, reviews, shifts } = await collectSettings(ctx);
  const { modifier_groups, menus, happy_hours } = await collectMenu(ctx);
  const { ingredients, recipes } = await collectStock(ctx);
  const { experiences } = await collectExperiences(ctx);
  return withoutControlsIn({
    format: VENUE_FILE_FORMAT,
    restaurant: await collectRestaurant(ctx),
    branches,
    tables,
    table_combinations,
    modifier_groups,
    menus,
    happy_hours,
    ingredients,
    recipes,
    experiences,
    ordering,
    booking,
    charges,
    reviews,
    shifts,
    staff: [],
    guests: [],
  });
};

export const exportForOwner = async (ctx: Ctx): Promise<KeptJson<{ version: string; file: VenueFile }>> => {
  const make = async () => {
    const file = await collectWithoutPeople(ctx);
    return { data: { version: versionOf(file), file }, beside: null };
  };
  return (await keepAnswer(ctx, "venue file", make)).data;
};

const refuseFaults = (faults: FieldErrors): void => {
  if (Object.keys(faults).length > 0) throw validationError(faults);
};

const CHOSEN_FILE = new URL("./rules/chosen-file.ts", import.meta.url);

/** Applies the checks of `comanda-admin venue import`. */
const readChosenFile = async (ctx: Ctx, text: string): Promise<Exclude<ReadChosen, { errors: FieldErrors }>> => {
  const chosen = await runAside<ReadChosen>({ module: CHOSEN_FILE, name: "readChosen", venue: ctx.tenant.id }, text);
  if ("errors" in chosen) throw validationError(chosen.errors);
  return chosen;
};

type ReadBooked = typeof lockBookedExperiences;
type CheckedFile = Awaited<ReturnType<typeof readChosenFile>>;

/** Throws where the venue cannot become what the file says. */
const fitToVenue = async (
  ctx: Ctx,
  { file, too_large }: CheckedFile,
  readBooked: ReadBooked,
): Promise<{ venue: VenueFile; wanted: VenueFile }> => {
  const venue = await collectWithoutPeople(ctx);
  const wanted = asFileOf(venue, file);
  const shiftFault = await firstWeekdayFault(ctx, wanted.shifts.first_weekday);
  refuseFaults({
    ...currencyErrors(venue, file),
    ...unitErrors(venue, file),
    ...(await sizeFaults(ctx, wanted, too_large)),
    ...(await bookedFaults(ctx, wanted, readBooked)),
    ...(shiftFault === null ? {} : { "shifts.first_weekday": [shiftFault] }),
  });
  return { venue, wanted };
};

const compare = async (ctx: Ctx, chosen: CheckedFile): Promise<FileComparison> => {
  const fitted = await fitToVenue(ctx, chosen, readBookedExperiences);
  const compared = { module: CHOSEN_FILE, name: "compareChosen", venue: ctx.tenant.id };
  return { ...(await runAside<ReturnType<typeof compareChosen>>(compared, fitted)), left_out: chosen.left_out };
};

/** One check for the comparison, for an owner's import and for `comanda-admin venue import`. */
const bookedFaults = async (ctx: Ctx, wanted: VenueFile, readBooked: ReadBooked): Promise<FieldErrors> => {
  const branches = removedRows(await listBranches(ctx), wanted.branches);
  const tables = removedRows((await readTables(ctx)).tables, wanted.tables);
  const [branchIds, keys] = [new Set(branches.map(({ id }) => id)), new Set(wanted.experiences.map(({ key }) => key))];
  const sold = await readBooked(ctx, ({ key, branch_id }) => !keys.has(key) || branchIds.has(branch_id));
  const [ofBranches, ofTables] = await Promise.all([
    countBookingsOfBranches(ctx, [...branchIds]),
    countBookingsOf(
      ctx,
      tables.map(({ id }) => id),
    ),
  ]);
  return bookedErrors({
    branches: branches.map(({ id, key }) => ({ key, bookings: ofBranches.get(id), tickets: sold.ofBranches.get(id) })),
    tables: tables.map(({ id, key }) => ({ key, bookings: ofTables.get(id) })),
    experiences: removedRows(sold.experiences, wanted.experiences).map(({ key, to_come, unrefunded }) => ({
      key,
      tickets: to_come,
      unrefunded,
    })),
  });
};

/** What an import would change. */
export const compareWithVenue = async (ctx: Ctx, text: string): Promise<FileComparison> => compare(ctx, await readChosenFile(ctx, text));

/** Until the commit, no user changes what a file holds: in the order in which pages of settings lock. */
const lockVenue = async (ctx: Ctx): Promise<void> => {
  await lockRestaurant(ctx);
  lockShifts(ctx);
  lockTables(ctx);
  lockMenu(ctx);
  await lockSalesRules(ctx);
};

/** Rows that a file no longer names are kept for past orders, so files with ever new keys would fill the database. Runs under the venue's lock. */
const countImport = async (ctx: Ctx): Promise<void> => {
  const seconds = importWait(await listStaffEntries(ctx, [IMPORTED], importsSince(ctx.now)), ctx.now);
  if (seconds > 0) throw apiError("rate_limited", {}, { "Retry-After": String(seconds) });
};

/**
 * All or nothing. The file is read and compared before anything is locked, because it waits for a thread that all venues share. The answer says
 * what was changed, and the version of the venue afterwards.
 */
export const importForOwner = async (ctx: Ctx, { seen_version, text }: { seen_version: string; text: string }): Promise<FileComparison> => {
  const chosen = await readChosenFile(ctx, text);
  const comparison = await compare(ctx, chosen);
  await lockVenue(ctx);
  const { venue, wanted } = await fitToVenue(ctx, chosen, lockBookedExperiences);
  const version = versionOf(venue);
  // The comparison is of this version, or nothing was decided by it.
  if (version !== seen_version || version !== comparison.version) throw await stateChanged(ctx, {}, { version });
  if (comparison.areas.length > 0) {
    await countImport(ctx);
    await applyVenueFile(ctx, wanted);
  }
  return { ...comparison, version: versionOf(await collectWithoutPeople(ctx)) };
};
