/** Parses, checks, applies and exports a venue file. */
import { VENUE_FILE_FORMAT, VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { Ctx } from "#lib/context.ts";
import { type FieldErrors, UserError } from "#lib/errors.ts";
import { recordChange } from "#lib/record-change.ts";
import { type Check, createCheck } from "#lib/schema.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { applyStaff, collectStaff } from "#platform/memberships/venue-file.ts";
import { applyRestaurant, collectRestaurant } from "#platform/tenants/venue-file.ts";
import { applyGuests, collectGuests } from "#venue/guests/venue-file.ts";
import { dropEndedCounts } from "#venue/item-counts/service.ts";
import { applyMenu, collectMenu } from "#venue/menu/venue-file.ts";
import { lockAllBookings } from "#venue/reservations/service/holds.ts";
import { applySettings, collectSettings } from "#venue/settings/venue-file.ts";
import { venueFileErrors } from "./rules.ts";

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

export const collectVenueFile = async (ctx: Ctx): Promise<VenueFile> => {
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
    staff: await collectStaff(ctx),
    guests: await collectGuests(ctx),
  };
};
