import type { OpenInvitation } from "@comanda/contract/console/session.ts";
import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { Ctx, GlobalContext, WithDb } from "#lib/context.ts";
import type { SessionVenue, UserSession } from "#lib/principal.ts";
import { realNow } from "#lib/venue-clock.ts";

/** The device that the account knows. One query, whether the account exists or not. */
export const findDevice = async (
  { db }: WithDb,
  { email, hashes, now }: { email: string; hashes: readonly Buffer[]; now: Date },
): Promise<Buffer | undefined> =>
  (
    await first(
      db.query(
        sql<{ hash: Buffer }>`select d.hash from known_devices d join users p on p.id = d.user_id
          where d.hash = any(${hashes}::bytea[]) and d.expires_at > ${now} and p.email = ${email.toLowerCase()}`,
      ),
    )
  )?.hash;

export type MembershipRow = Omit<SessionVenue, "is_use_due" | "is_ended"> & {
  /** Sessions that were opened until then give no access. Null: none was ended. */
  sessions_ended_at: Date | null;
};

export const listMemberships = ({ db }: WithDb, email: string): Promise<MembershipRow[]> =>
  db.query(
    sql<MembershipRow>`select restaurant_id, slug, name, staff_id, staff_name, role, needs_second_factor, has_reservations, has_reporting,
        is_opening, sandbox_id, sessions_ended_at, language_of_venue(restaurant_id) as default_language
      from console_memberships_of(${email})`,
  );

export type InvitationRow = Pick<OpenInvitation, "slug" | "name" | "role" | "invited_by"> & {
  restaurant_id: number;
  staff_name: string;
  invited_at: Date;
  invited_until: Date;
  is_open: boolean;
};

/** Lists invitations that were not accepted, the open ones first. */
export const listInvitations = (ctx: Pick<GlobalContext, "db" | "now">, email: string): Promise<InvitationRow[]> =>
  ctx.db.query(
    sql<InvitationRow>`select restaurant_id, slug, name, staff_name, role, invited_by, invited_at, invited_until, is_open
      from invitations_of(${email}, ${realNow(ctx)})`,
  );

export type SessionQuery = { hash: Buffer; slug: string | null; now: Date; usedBefore: Date };

/** Session, user and memberships in one query. With a slug, only the membership of that venue. */
export const findSession = ({ db }: WithDb, { hash, slug, now, usedBefore }: SessionQuery): Promise<UserSession | undefined> =>
  first(
    db.query(
      sql<UserSession>`select p.id, p.email, p.name, p.locale,
          p.totp_confirmed_at is not null as has_second_factor, cardinality(p.recovery_hashes) as recovery_codes_left,
          s.id as session_id, s.password_at, s.created_at, s.last_seen_at, s.expires_at,
          coalesce((select jsonb_agg(to_jsonb(m) || jsonb_build_object('default_language', language_of_venue(m.restaurant_id), 'is_use_due',
              m.seen_at is null or m.seen_at <= ${usedBefore} or m.restaurant_id <> all(s.venue_ids),
              'is_ended', coalesce(m.sessions_ended_at >= s.created_at, false)))
            from console_memberships_of(p.email) m where ${slug}::text is null or m.slug = ${slug}), '[]') as venues
        from sessions s join users p on p.id = s.user_id where s.hash = ${hash} and s.expires_at > ${now}`,
    ),
  );

export type NewSession = {
  hash: Buffer;
  userId: number;
  expiresAt: Date;
  client: string | null;
  deviceHash: Buffer;
  passwordAt: Date | null;
};

export const insertSession = async (ctx: GlobalContext, row: NewSession): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(
        sql<{
          id: number;
        }>`insert into sessions (hash, user_id, created_at, last_seen_at, expires_at, address, client, device_hash, password_at)
          values (${row.hash}, ${row.userId}, ${realNow(ctx)}, ${realNow(ctx)}, ${row.expiresAt}, ${ctx.origin.address}, ${row.client},
            ${row.deviceHash}, ${row.passwordAt}) returning id`,
      ),
    )
  ).id;

export const touchSession = ({ db }: WithDb, hash: Buffer, now: Date, expiresAt: Date): Promise<unknown> =>
  db.query(sql`update sessions set last_seen_at = ${now}, expires_at = ${expiresAt} where hash = ${hash} and last_seen_at < ${now}`);

export const setPasswordAt = (ctx: GlobalContext, sessionId: number): void =>
  ctx.db.defer(sql`update sessions set password_at = ${realNow(ctx)} where id = ${sessionId}`);

export const deleteSession = (ctx: GlobalContext, hash: Buffer): void => ctx.db.defer(sql`delete from sessions where hash = ${hash}`);

export const deleteSessionsOf = (ctx: GlobalContext, userId: number): void =>
  ctx.db.defer(sql`delete from sessions where user_id = ${userId}`);

export const deleteSessionsOfDevice = (ctx: GlobalContext, deviceHash: Buffer): void =>
  ctx.db.defer(sql`delete from sessions where device_hash = ${deviceHash}`);

/** Deletes all sessions but this one, and their devices. */
export const deleteOtherSessions = (ctx: GlobalContext, userId: number, sessionId: number): void => {
  ctx.db.defer(sql`delete from sessions where user_id = ${userId} and id <> ${sessionId}`);
  ctx.db.defer(
    sql`delete from known_devices where user_id = ${userId}
      and hash is distinct from (select device_hash from sessions where id = ${sessionId})`,
  );
};

/** False when the user has no such session. */
export const deleteSessionById = async (ctx: GlobalContext, userId: number, sessionId: number): Promise<boolean> => {
  const deleted = await ctx.db.query(
    sql<{ device_hash: Buffer | null }>`delete from sessions where id = ${sessionId} and user_id = ${userId} returning device_hash`,
  );
  for (const { device_hash } of deleted) if (device_hash) ctx.db.defer(sql`delete from known_devices where hash = ${device_hash}`);
  return deleted.length === 1;
};

export const upsertDevice = (ctx: GlobalContext, row: { hash: Buffer; userId: number; expiresAt: Date }): void =>
  ctx.db.defer(
    sql`insert into known_devices (hash, user_id, created_at, expires_at) values (${row.hash}, ${row.userId}, ${realNow(ctx)}, ${row.expiresAt})
      on conflict (hash) do update set expires_at = excluded.expires_at`,
  );

export const deleteDevicesOf = (ctx: GlobalContext, userId: number): void =>
  ctx.db.defer(sql`delete from known_devices where user_id = ${userId}`);

export type SessionListRow = { id: number; created_at: Date; last_seen_at: Date; address: string | null; client: string | null };

export const listSessionRows = ({ db }: WithDb, userId: number, now: Date) =>
  db.query(
    sql<SessionListRow>`
      select id, created_at, last_seen_at, address, client from sessions
      where user_id = ${userId} and expires_at > ${now} order by last_seen_at desc limit 100`,
  );

/** A row that another transaction holds is left out: the next call writes it. */
export const addSessionVenue = (ctx: Ctx, sessionId: number): void =>
  ctx.db.defer(sql`update sessions set venue_ids = array_append(venue_ids, ${ctx.tenant.id}::bigint)
    where hash = (select hash from sessions where id = ${sessionId} and ${ctx.tenant.id}::bigint <> all(venue_ids) for no key update skip locked)`);

/** The venue no longer sees these sessions, also when the person comes back. */
export const removeSessionVenue = (ctx: Ctx, userId: number): void =>
  ctx.db.defer(sql`update sessions set venue_ids = array_remove(venue_ids, ${ctx.tenant.id}::bigint)
    where user_id = ${userId} and ${ctx.tenant.id}::bigint = any(venue_ids)`);

/** Counts for each of these users the sessions that were used in the venue. */
export const countVenueSessions = (ctx: Ctx, userIds: readonly number[]): Promise<{ user_id: number; count: number }[]> =>
  ctx.db.query(sql<{ user_id: number; count: number }>`
    select user_id, count(*)::integer as count from sessions
    where user_id = any(${userIds}::bigint[]) and expires_at > ${realNow(ctx)} and ${ctx.tenant.id}::bigint = any(venue_ids) group by user_id`);

export const listVenueSessions = (ctx: Ctx, userId: number): Promise<SessionListRow[]> =>
  ctx.db.query(sql<SessionListRow>`
    select id, created_at, last_seen_at, address, client from sessions
    where user_id = ${userId} and expires_at > ${realNow(ctx)} and ${ctx.tenant.id}::bigint = any(venue_ids) order by last_seen_at desc limit 100`);

/** Returns for each session and venue, in this order, whether the session lives and its user has one of the roles there. */
export const listStillAllowed = async (
  { db }: WithDb,
  { hashes, restaurantIds, roles, now }: { hashes: Buffer[]; restaurantIds: number[]; roles: readonly string[]; now: Date },
): Promise<boolean[]> => {
  const rows = await db.query(sql<{ is_allowed: boolean }>`
    select exists (
      select from sessions s join users p on p.id = s.user_id cross join lateral console_memberships_of(p.email) m
      where s.hash = asked.hash and s.expires_at > ${now} and asked.restaurant_id in (m.restaurant_id, m.sandbox_id) and m.role = any(${roles}::text[])
        and (p.totp_confirmed_at is not null or not m.needs_second_factor)
        and (m.sessions_ended_at is null or m.sessions_ended_at < s.created_at)
    ) as is_allowed
    from unnest(${hashes}::bytea[], ${restaurantIds}::bigint[]) with ordinality as asked (hash, restaurant_id, place) order by asked.place`);
  return rows.map(({ is_allowed }) => is_allowed);
};
