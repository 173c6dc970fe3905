/** Guests in a venue file: matched by key, added or changed, never removed by an import. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { upsertRows } from "#db/bulk-upsert.ts";
import { builder } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { insertChangedConsents } from "./store/consents.ts";

type GuestsPart = VenueFile["guests"];

/** An import never restores an erased guest, nor a profile that was merged. */
export const applyGuests = async (ctx: Ctx, guests: GuestsPart): Promise<void> => {
  await upsertRows(
    ctx,
    { table: "guests", stamp: "updated_at", birth: "created_at", touched: "changed_at", closed: ["erased_at", "merged_into"] },
    guests.map((guest) => ({ ...guest, created_at: ctx.now, updated_at: ctx.now })),
  );
  insertChangedConsents(ctx, "file");
};

export const collectGuests = async (ctx: Ctx): Promise<GuestsPart> => {
  const rows = await ctx.db.query(
    builder
      .selectFrom("guests")
      .select(["key", "name", "phone", "email", "locale", "marketing_opted_in", "marketing_opted_in_at", "staff_note"])
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("erased_at", "is", null)
      .where("merged_into", "is", null)
      .orderBy("id"),
  );
  return rows.map(({ marketing_opted_in_at: at, ...guest }) => ({
    ...guest,
    marketing_opted_in_at: at && formatInstant(ctx.tenant.zone, at),
  }));
};
