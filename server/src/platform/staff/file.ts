/** Staff in a venue file: matched by e-mail, added or changed, never removed by an import. */
import type { VenueFile } from "@comanda/contract/venue-file.ts";
import { q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

type StaffFile = VenueFile["staff"];

export const applyStaff = async (ctx: Ctx, staff: StaffFile): Promise<void> => {
  for (const { email, name, role, locale } of staff) {
    const row = { name, role, locale };
    await ctx.db.query(
      q
        .insertInto("staff")
        .values({ restaurant_id: ctx.tenant.id, email: email.toLowerCase(), created_at: ctx.now, ...row })
        .onConflict((conflict) => conflict.columns(["restaurant_id", "email"]).doUpdateSet(row)),
    );
  }
};

export const collectStaff = async (ctx: Ctx): Promise<StaffFile> => {
  const rows = await ctx.db.query(
    q.selectFrom("staff").select(["email", "name", "role", "locale"]).where("restaurant_id", "=", ctx.tenant.id).orderBy("id"),
  );
  return rows as StaffFile;
};
