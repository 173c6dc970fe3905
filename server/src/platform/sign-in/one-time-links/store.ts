import { sql } from "kysely";
import { first, oneRow, type Row } from "#db/query.ts";
import type { Ctx, GlobalContext, WithDb } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";
import type { LinkKind, RequestedKind } from "./rules/link-policy.ts";

export type LinkRow = Pick<Row<"one_time_links">, "id" | "email" | "restaurant_id" | "password_version" | "expires_at" | "used_at"> & {
  kind: LinkKind;
};

const LINK = sql`id, kind, email, restaurant_id, password_version, expires_at, used_at`;

export type NewLink = { kind: LinkKind; email: string; restaurantId: number; passwordVersion: number; expiresAt: Date };

export const insertLink = async (ctx: GlobalContext, link: NewLink): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(
        sql<{ id: number }>`insert into one_time_links (kind, email, restaurant_id, password_version, expires_at, created_at)
          values (${link.kind}, ${link.email}, ${link.restaurantId}, ${link.passwordVersion}, ${link.expiresAt}, ${realNow(ctx)}) returning id`,
      ),
    )
  ).id;

export const findLink = ({ db }: WithDb, id: number): Promise<LinkRow | undefined> =>
  first(db.query(sql<LinkRow>`select ${LINK} from one_time_links where id = ${id}`));

export const setLinkHash = ({ db }: WithDb, id: number, hash: Buffer): void =>
  db.defer(sql`update one_time_links set hash = ${hash} where id = ${id} and used_at is null`);

/** The creation times of the last links of this kind for the address, newest first. */
export const listLinkTimes = async ({ db }: WithDb, kind: RequestedKind, email: string): Promise<Date[]> =>
  (
    await db.query(
      sql<{
        created_at: Date;
      }>`select created_at from one_time_links where kind = ${kind} and email = ${email} order by created_at desc limit 10`,
    )
  ).map(({ created_at }) => created_at);

export const endLinks = (ctx: GlobalContext, kind: RequestedKind, email: string): void =>
  ctx.db.defer(sql`update one_time_links set used_at = ${realNow(ctx)} where email = ${email} and kind = ${kind} and used_at is null`);

/** Invitations of this venue to the address. */
export const endInvitations = (ctx: Ctx, email: string): void =>
  ctx.db.defer(sql`update one_time_links set used_at = ${realNow(ctx)}
    where email = ${email} and kind = 'invitation' and restaurant_id = ${ctx.tenant.id} and used_at is null`);

/** Invitations of all venues to one mailbox are counted one after the other. */
export const lockMailbox = ({ db }: WithDb, mailbox: string): void =>
  db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`invitations to ${mailbox}`}, 0))`);

/** Newest first. */
export const listInvitationTimes = async (
  { db }: WithDb,
  mailbox: string,
  { since, count }: { since: Date; count: number },
): Promise<Date[]> =>
  (
    await db.query(
      sql<{ queued_at: Date }>`select queued_at from invitation_mails where mailbox = ${mailbox} and queued_at > ${since}
        order by queued_at desc limit ${count}`,
    )
  ).map(({ queued_at }) => queued_at);

export const insertInvitationMail = (ctx: GlobalContext, mailbox: string): void =>
  ctx.db.defer(sql`insert into invitation_mails (mailbox, queued_at) values (${mailbox}, ${realNow(ctx)})`);

/** Finds an accepted invitation too, so that its page can say that the user already has an account. */
export const findLinkBySecret = ({ db }: WithDb, hash: Buffer, now: Date): Promise<LinkRow | undefined> =>
  first(
    db.query(
      sql<LinkRow>`select ${LINK} from one_time_links
        where hash = ${hash} and expires_at > ${now} and (used_at is null or kind = 'invitation')`,
    ),
  );

/** Compare and set: of two concurrent uses one gets the row. */
export const markLinkUsed = async (ctx: GlobalContext, id: number): Promise<boolean> =>
  (await ctx.db.query(sql`update one_time_links set used_at = ${realNow(ctx)} where id = ${id} and used_at is null returning id`))
    .length === 1;

/** Undefined when an equal request is still queued. */
export const upsertRequest = (
  ctx: GlobalContext,
  { kind, email, notSince }: { kind: RequestedKind; email: string; notSince: Date },
): Promise<{ id: number } | undefined> =>
  first(
    ctx.db.query(
      sql<{ id: number }>`insert into link_requests (kind, email, requested_at) values (${kind}, ${email}, ${realNow(ctx)})
        on conflict (kind, email) do update set requested_at = excluded.requested_at where link_requests.requested_at <= ${notSince} returning id`,
    ),
  );

export const deleteRequest = ({ db }: WithDb, id: number): Promise<{ kind: RequestedKind; email: string } | undefined> =>
  first(db.query(sql<{ kind: RequestedKind; email: string }>`delete from link_requests where id = ${id} returning kind, email`));
