import type { Role } from "@comanda/contract/console/operation.ts";
import { sql } from "kysely";
import { builder, first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type StaffRow = { email: string; name: string; role: Role; locale: string | null };

/** `own` is the language that the user chose, `invited` the one of the invitation. */
export type MailedMember = { email: string; name: string; own: string | null; invited: string | null };

/** Members who have one of the roles, for mails to them. */
export const listMembers = (ctx: Ctx, roles: readonly StaffRow["role"][]): Promise<MailedMember[]> =>
  ctx.db.query(
    sql<MailedMember>`select s.email, s.name, p.locale as own, s.locale as invited from staff s left join users p on p.email = s.email
      where s.restaurant_id = ${ctx.tenant.id} and s.role = any(${roles}::text[]) order by s.id`,
  );

export const listStaffRows = (ctx: Ctx): Promise<(StaffRow & { id: number; created_at: Date })[]> =>
  ctx.db.query(
    sql<StaffRow & { id: number; created_at: Date }>`select id, email, name, role, locale, created_at from staff
      where restaurant_id = ${ctx.tenant.id} order by id`,
  );

export const upsertStaff = async (ctx: Ctx, { email, ...row }: StaffRow): Promise<void> => {
  await ctx.db.query(
    builder
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
