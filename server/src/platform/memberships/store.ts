import type { Role } from "@comanda/contract/console/operation.ts";
import { sql } from "kysely";
import { builder, first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type StaffRow = { email: string; name: string; role: Role; locale: string | null };

/** `own` is the language that the user chose, `invited` the one of the invitation. `is_confirmed`: the person has opened the venue. */
export type MailedMember = { email: string; name: string; own: string | null; invited: string | null; is_confirmed: boolean };

/** Members who have one of the roles, for mails to them. */
export const listMembers = (ctx: Ctx, roles: readonly StaffRow["role"][]): Promise<MailedMember[]> =>
  ctx.db.query(
    sql<MailedMember>`select s.email, s.name, p.locale as own, s.locale as invited, s.seen_at is not null as is_confirmed
      from staff s left join users p on p.email = s.email
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
      .values({ restaurant_id: ctx.tenant.id, email, created_at: realNow(ctx), ...row })
      .onConflict((conflict) => conflict.columns(["restaurant_id", "email"]).doUpdateSet(row)),
  );
};

export type TeamRow = StaffRow & {
  id: number;
  created_at: Date;
  /** The last use of this venue in the console. Null: none yet. */
  seen_at: Date | null;
  user_id: number | null;
  /** Chosen by the person. */
  own_name: string | null;
  own_locale: string | null;
  has_second_factor: boolean;
};

export const listTeamRows = (ctx: Ctx): Promise<TeamRow[]> =>
  ctx.db.query(
    sql<TeamRow>`select s.id, s.email, s.name, s.role, s.locale, s.created_at, s.seen_at, p.id as user_id, p.name as own_name,
        p.locale as own_locale, p.totp_confirmed_at is not null as has_second_factor
      from staff s left join users p on p.email = s.email where s.restaurant_id = ${ctx.tenant.id} order by s.id`,
  );

export const findStaff = (ctx: Ctx, email: string): Promise<{ id: number } | undefined> =>
  first(ctx.db.query(sql<{ id: number }>`select id from staff where restaurant_id = ${ctx.tenant.id} and email = ${email}`));

/** False when the address is in the team. */
export const insertStaff = async (ctx: Ctx, { email, ...row }: StaffRow): Promise<boolean> =>
  (
    await ctx.db.query(
      builder
        .insertInto("staff")
        .values({ restaurant_id: ctx.tenant.id, email, created_at: realNow(ctx), ...row })
        .onConflict((conflict) => conflict.columns(["restaurant_id", "email"]).doNothing())
        .returning("id"),
    )
  ).length === 1;

export const updateRole = (ctx: Ctx, id: number, role: Role): void =>
  ctx.db.defer(sql`update staff set role = ${role} where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

/**
 * A row that another transaction holds is left out: the next call writes it. The key does not change, so rows that refer to this person
 * need not wait: with a stronger lock two writes of one person could wait for each other.
 */
export const touchStaff = (ctx: Ctx, id: number): void =>
  ctx.db.defer(sql`update staff set seen_at = ${realNow(ctx)} where restaurant_id = ${ctx.tenant.id} and id = (
    select id from staff where restaurant_id = ${ctx.tenant.id} and id = ${id} and (seen_at is null or seen_at < ${realNow(ctx)})
    for no key update skip locked)`);

/** Invitations of a venue are counted one after the other. */
export const lockInvitations = (ctx: Ctx): void =>
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`invitations ${ctx.tenant.id}`}, 0))`);

export const deleteStaff = (ctx: Ctx, email: string): Promise<StaffRow | undefined> =>
  first(
    ctx.db.query(
      sql<StaffRow>`delete from staff where restaurant_id = ${ctx.tenant.id} and email = ${email} returning email, name, role, locale`,
    ),
  );
