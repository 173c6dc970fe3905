/** Staff in a venue file. An import matches members by e-mail, adds and changes them, and never removes one. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";
import { invitationEnd } from "./rules.ts";
import { listStaff, upsertStaff } from "./store.ts";

type StaffFile = VenueFile["staff"];

export const applyStaff = async (ctx: Ctx, staff: StaffFile): Promise<void> => {
  for (const { email, name, role, locale } of staff)
    await upsertStaff(ctx, { email: email.toLowerCase(), name, role, locale }, invitationEnd(realNow(ctx)));
};

export const collectStaff = async (ctx: Ctx): Promise<StaffFile> =>
  (await listStaff(ctx)).map(({ email, name, role, locale }) => ({ email, name, role, locale }));
