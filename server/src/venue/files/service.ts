/** A venue as one file: read, checked and applied as a whole, or written out again. */
import { VENUE_FILE_FORMAT, VenueFile } from "@comanda/contract/venue-file.ts";
import type { Ctx } from "#lib/context.ts";
import { type Faults, Misuse } from "#lib/errors.ts";
import { createCheck } from "#lib/schema.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { applyStaff, collectStaff } from "#platform/staff/file.ts";
import { applyRestaurant, collectRestaurant } from "#platform/tenants/file.ts";
import { applyGuests, collectGuests } from "#venue/guests/file.ts";
import { applyMenu, collectMenu } from "#venue/menu/file.ts";
import { applySettings, collectSettings } from "#venue/settings/file.ts";
import { venueFileFaults } from "./rules.ts";

const FAULTS_SHOWN_MAX = 20;

const shapeFaults = createCheck(VenueFile);

export const parseVenueFile = (text: string): VenueFile => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Misuse(`The venue file is not valid JSON: ${(error as Error).message}`);
  }
  refuse(shapeFaults(value));
  const file = value as VenueFile;
  refuse(venueFileFaults(file));
  return file;
};

const refuse = (faults: Faults): void => {
  const lines = Object.entries(faults).flatMap(([path, sentences]) => sentences.map((sentence) => `  ${path}: ${sentence}`));
  if (lines.length === 0) return;
  const more = lines.length > FAULTS_SHOWN_MAX ? `\n  … and ${lines.length - FAULTS_SHOWN_MAX} more` : "";
  throw new Misuse(`The venue file cannot be used:\n${lines.slice(0, FAULTS_SHOWN_MAX).join("\n")}${more}`);
};

/** Makes the venue what the file says, or changes nothing. */
export const applyVenueFile = async (ctx: Ctx, file: VenueFile): Promise<void> => {
  // First what may end access: it waits for running writes, and must not hold rows that they want.
  await applyRestaurant(ctx, file.restaurant);
  await applyStaff(ctx, file.staff);
  await applySettings(ctx, file);
  await applyMenu(ctx, file);
  await applyGuests(ctx, file.guests);
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
