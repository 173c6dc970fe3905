import type { Role } from "@comanda/contract/console-operation.ts";
import { sql } from "kysely";
import { first, q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type StaffRow = { email: string; name: string; role: Role; locale: string | null };

export const listOwners = (ctx: Ctx): Promise<{ email: string; name: string; locale: string | null }[]> =>
  ctx.db.query(
    q
      .selectFrom("staff")
      .select(["email", "name", "locale"])
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("role", "=", "owner")
      .orderBy("id"),
  );

export const listStaffRows = (ctx: Ctx): Promise<(StaffRow & { id: number; created_at: Date })[]> =>
  ctx.db.query(
    sql<StaffRow & { id: number; created_at: Date }>`select id, email, name, role, locale, created_at from staff
      where restaurant_id = ${ctx.tenant.id} order by id`,
  );

export const upsertStaff = async (ctx: Ctx, { email, ...row }: StaffRow): Promise<void> => {
  await ctx.db.query(
    q
      .insertInto("staff")
      .values({ restaurant_id: ctx.tenant.id, email, created_at: ctx.now, ...row })
      .onConflict((conflict) => conflict.columns(["restaurant_id", "email"]).doUpdateSet(row)),
  );
};

export const deleteStaff = (ctx: Ctx, email: string): Promise<StaffRow | undefined> =>
  first(
    ctx.db.query(
      sql<StaffRow>`delete from staff where restaurant_id = ${ctx.tenant.id} and email = ${email} returning email, name, role, locale`,
    ),
  );
