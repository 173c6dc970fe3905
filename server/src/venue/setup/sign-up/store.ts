import { sql } from "kysely";
import { type Db, first, oneRow, type Row } from "#db/query.ts";
import type { Ctx, GlobalContext, WithDb } from "#lib/context.ts";
import { mailboxOf } from "#lib/mailbox.ts";
import type { SignUpSource } from "./rules/link-policy.ts";

export type SignUpRow = Pick<Row<"sign_ups">, "id" | "email" | "plan" | "locale" | "created_at" | "expires_at"> & { source: SignUpSource };

const SIGN_UP = sql`id, source, email, plan, locale, created_at, expires_at`;

export type NewSignUp = Omit<SignUpRow, "id" | "created_at">;

export const insertSignUp = async (ctx: GlobalContext, row: NewSignUp): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(
        sql<{ id: number }>`insert into sign_ups (source, email, mailbox, plan, locale, created_at, expires_at)
          values (${row.source}, ${row.email}, ${mailboxOf(row.email)}, ${row.plan}, ${row.locale}, ${ctx.now}, ${row.expires_at}) returning id`,
      ),
    )
  ).id;

/** Requests for links to one mailbox are counted one after the other. */
export const lockMailbox = ({ db }: WithDb, mailbox: string): void =>
  db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`sign-up of ${mailbox}`}, 0))`);

/** What was asked for since then, also what was used. */
export const countAsked = async ({ db }: WithDb, mailbox: string, since: Date): Promise<number> =>
  (
    await oneRow(
      db.query(
        sql<{ count: number }>`select count(*)::integer as count from sign_ups
          where mailbox = ${mailbox} and source = 'asked' and created_at > ${since}`,
      ),
    )
  ).count;

/** Counts the requests of all mailboxes together. */
export const countAskedByAll = async ({ db }: WithDb, since: Date): Promise<number> =>
  (
    await oneRow(
      db.query(sql<{ count: number }>`select count(*)::integer as count from sign_ups where source = 'asked' and created_at > ${since}`),
    )
  ).count;

/** Links of this kind to the address. */
export const endSignUps = (ctx: GlobalContext, email: string, source: SignUpSource): void =>
  ctx.db.defer(sql`update sign_ups set used_at = ${ctx.now} where email = ${email} and source = ${source} and used_at is null`);

/** Null when it was used, or has expired. */
export const lockSignUp = (ctx: GlobalContext, id: number): Promise<SignUpRow | undefined> =>
  first(
    ctx.db.query(
      sql<SignUpRow>`select ${SIGN_UP} from sign_ups where id = ${id} and used_at is null and expires_at > ${ctx.now} for update`,
    ),
  );

export const setSignUpHash = ({ db }: WithDb, id: number, hash: Buffer): void =>
  db.defer(sql`update sign_ups set hash = ${hash} where id = ${id} and used_at is null`);

export const findSignUpBySecret = ({ db }: WithDb, hash: Buffer, now: Date): Promise<SignUpRow | undefined> =>
  first(db.query(sql<SignUpRow>`select ${SIGN_UP} from sign_ups where hash = ${hash} and used_at is null and expires_at > ${now}`));

/** Compare and set: of two concurrent uses one gets the row. */
export const markSignUpUsed = (ctx: GlobalContext, hash: Buffer): Promise<SignUpRow | undefined> =>
  first(
    ctx.db.query(
      sql<SignUpRow>`update sign_ups set used_at = ${ctx.now}
        where hash = ${hash} and used_at is null and expires_at > ${ctx.now} returning ${SIGN_UP}`,
    ),
  );

export type OpeningRow = Pick<Row<"venue_openings">, "opened_at" | "test_order_id" | "live_at" | "warned_at">;

const OPENING = sql`opened_at, test_order_id, live_at, warned_at`;

export const insertOpening = (ctx: Ctx): void =>
  ctx.db.defer(sql`insert into venue_openings (restaurant_id, opened_at) values (${ctx.tenant.id}, ${ctx.now})`);

export const findOpening = (ctx: Ctx): Promise<OpeningRow | undefined> =>
  first(ctx.db.query(sql<OpeningRow>`select ${OPENING} from venue_openings where restaurant_id = ${ctx.tenant.id}`));

/** Concurrent steps of one opening run one after the other. */
export const lockOpening = (ctx: Ctx): Promise<OpeningRow | undefined> =>
  first(ctx.db.query(sql<OpeningRow>`select ${OPENING} from venue_openings where restaurant_id = ${ctx.tenant.id} for update`));

export const setTestOrder = (ctx: Ctx, orderId: string): void =>
  ctx.db.defer(sql`update venue_openings set test_order_id = ${orderId} where restaurant_id = ${ctx.tenant.id}`);

export const setLive = (ctx: Ctx): void =>
  ctx.db.defer(sql`update venue_openings set live_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id}`);

export const setWarned = (ctx: Ctx): void =>
  ctx.db.defer(sql`update venue_openings set warned_at = ${ctx.now} where restaurant_id = ${ctx.tenant.id}`);

type RemovalLimits = { openedBefore: Date; warnedBefore: Date };

/** The database checks once more that the venue never was live. */
export const removeNeverLive = async ({ db }: WithDb, { openedBefore, warnedBefore }: RemovalLimits): Promise<boolean> =>
  (await oneRow(db.query(sql<{ removed: boolean }>`select remove_never_live_venue(${openedBefore}, ${warnedBefore}) as removed`))).removed;

const FOUND_VENUES_MAX = 200;

/** Venues that were opened before the one moment and never taken live: those that were warned before the other, or not at all. */
export const findNeverLive = async (db: Db, openedBefore: Date, warnedBefore: Date | null): Promise<number[]> =>
  (
    await db.query(
      sql<{ id: number }>`select never_live_venues(${openedBefore}, ${warnedBefore}::timestamptz, ${FOUND_VENUES_MAX}::integer) as id`,
    )
  ).map(({ id }) => id);
