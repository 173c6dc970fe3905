import type { Role } from "@comanda/contract/console/operation.ts";
import { sql } from "kysely";
import { builder, first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type StaffRow = { email: string; name: string; role: Role; locale: string | null };

/** `own` is the language that the user chose, `invited` the one of the invitation. `is_confirmed`: the person has accepted it. */
export type MailedMember = { email: string; name: string; own: string | null; invited: string | null; is_confirmed: boolean };

/** Members who have one of the roles, for mails to them. */
export const listMembers = (ctx: Ctx, roles: readonly StaffRow["role"][]): Promise<MailedMember[]> =>
  ctx.db.query(
    sql<MailedMember>`select s.email, s.name, p.locale as own, s.locale as invited, s.accepted_at is not null as is_confirmed
      from staff s left join users p on p.email = s.email
      where s.restaurant_id = ${ctx.tenant.id} and s.role = any(${roles}::text[]) order by s.id`,
  );

export const listStaff = (ctx: Ctx): Promise<(StaffRow & { id: number; created_at: Date })[]> =>
  ctx.db.query(
    sql<StaffRow & { id: number; created_at: Date }>`select id, email, name, role, locale, created_at from staff
      where restaurant_id = ${ctx.tenant.id} order by id`,
  );

/** An invitation, which begins again if it was not accepted yet. A member stays one. */
export const upsertStaff = async (ctx: Ctx, { email, ...row }: StaffRow, until: Date): Promise<void> => {
  const values = { restaurant_id: ctx.tenant.id, email, created_at: realNow(ctx), ...row, ...invitedBy(ctx, until) };
  await ctx.db.query(
    builder
      .insertInto("staff")
      .values(values)
      .onConflict((conflict) => conflict.columns(["restaurant_id", "email"]).doUpdateSet({ ...row, ...invitedBy(ctx, until) })),
  );
};

const invitedBy = ({ actor }: Ctx, until: Date) => ({
  invited_by: actor.email ?? null,
  invited_until: until,
  declined_at: null,
});

export type TeamRow = StaffRow & {
  id: number;
  created_at: Date;
  /** The last use of this venue in the console. Null: none yet. */
  seen_at: Date | null;
  /** Null: the person was invited, and has no access. */
  accepted_at: Date | null;
  declined_at: Date | null;
  invited_until: Date;
  /** The account of a member. Nothing is read of a person who did not accept. */
  user_id: number | null;
  /** Chosen by the person. */
  own_name: string | null;
  own_locale: string | null;
  has_second_factor: boolean;
};

/** Processes that were started before write no end. */
const INVITED_UNTIL = sql`coalesce(s.invited_until, s.created_at + interval '7 days')`;

/** Lists the members with their accounts. */
export const listTeam = (ctx: Ctx): Promise<TeamRow[]> =>
  ctx.db.query(
    sql<TeamRow>`select s.id, s.email, s.name, s.role, s.locale, s.created_at, s.seen_at, s.accepted_at, s.declined_at,
        ${INVITED_UNTIL} as invited_until, p.id as user_id, p.name as own_name, p.locale as own_locale,
        p.totp_confirmed_at is not null as has_second_factor
      from staff s left join users p on p.email = s.email and s.accepted_at is not null
      where s.restaurant_id = ${ctx.tenant.id} order by s.id`,
  );

export const findStaff = (ctx: Ctx, email: string): Promise<{ id: number } | undefined> =>
  first(ctx.db.query(sql<{ id: number }>`select id from staff where restaurant_id = ${ctx.tenant.id} and email = ${email}`));

/** False when the address is in the team. */
export const insertStaff = async (ctx: Ctx, { email, ...row }: StaffRow, until: Date): Promise<boolean> =>
  (
    await ctx.db.query(
      builder
        .insertInto("staff")
        .values({ restaurant_id: ctx.tenant.id, email, created_at: realNow(ctx), ...row, ...invitedBy(ctx, until) })
        .onConflict((conflict) => conflict.columns(["restaurant_id", "email"]).doNothing())
        .returning("id"),
    )
  ).length === 1;

/** False: it was accepted or withdrawn meanwhile. */
export const renewInvitation = async (ctx: Ctx, id: number, until: Date): Promise<boolean> =>
  (
    await ctx.db.query(
      sql`update staff set invited_until = ${until}, invited_by = ${ctx.actor.email ?? null}, declined_at = null
        where restaurant_id = ${ctx.tenant.id} and id = ${id} and accepted_at is null returning id`,
    )
  ).length === 1;

/** One update decides: of an acceptance, a refusal and a withdrawal at once, the first changes the row. False: it is not open with this role. */
export const acceptOpen = async (ctx: Ctx, { email, role }: Pick<StaffRow, "email" | "role">): Promise<boolean> =>
  (
    await ctx.db.query(
      sql`update staff s set accepted_at = ${realNow(ctx)} where ${openOf(ctx, email)} and s.role = ${role} returning s.id`,
    )
  ).length === 1;

export const declineOpen = async (ctx: Ctx, email: string): Promise<boolean> =>
  (await ctx.db.query(sql`update staff s set declined_at = ${realNow(ctx)} where ${openOf(ctx, email)} returning s.id`)).length === 1;

const openOf = (ctx: Ctx, email: string) => sql`s.restaurant_id = ${ctx.tenant.id} and s.email = ${email} and s.accepted_at is null
  and s.declined_at is null and ${INVITED_UNTIL} > ${realNow(ctx)}`;

/**
 * Accepts an invitation after its end too, because the person proved the address otherwise. Undefined: there is none, or it was accepted
 * before.
 */
export const acceptAny = async (ctx: Ctx, email: string): Promise<StaffRow | undefined> =>
  first(
    ctx.db.query(
      sql<StaffRow>`update staff set accepted_at = ${realNow(ctx)}, declined_at = null
        where restaurant_id = ${ctx.tenant.id} and email = ${email} and accepted_at is null returning email, name, role, locale`,
    ),
  );

/** Undefined when it was accepted, or there is none. */
export const deleteInvitation = (ctx: Ctx, id: number): Promise<StaffRow | undefined> =>
  first(
    ctx.db.query(
      sql<StaffRow>`delete from staff where restaurant_id = ${ctx.tenant.id} and id = ${id} and accepted_at is null
        returning email, name, role, locale`,
    ),
  );

/** Sessions that were opened until now give no more access to this venue. */
export const endSessionsUntilNow = (ctx: Ctx, email: string): void =>
  ctx.db.defer(sql`update staff set sessions_ended_at = ${realNow(ctx)} where restaurant_id = ${ctx.tenant.id} and email = ${email}`);

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

export const deleteStaff = (ctx: Ctx, email: string): Promise<(StaffRow & { accepted_at: Date | null }) | undefined> =>
  first(
    ctx.db.query(
      sql<StaffRow & { accepted_at: Date | null }>`delete from staff where restaurant_id = ${ctx.tenant.id} and email = ${email}
        returning email, name, role, locale, accepted_at`,
    ),
  );
