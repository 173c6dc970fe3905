import { sql } from "kysely";
import { first, only } from "#db/query.ts";
import type { HouseCtx } from "#lib/context.ts";
import type { LinkKind, RequestedKind } from "./rules.ts";

type Reader = Pick<HouseCtx, "db">;

export type LinkRow = {
  id: number;
  kind: LinkKind;
  email: string;
  restaurant_id: number | null;
  password_version: number;
  expires_at: Date;
  used_at: Date | null;
};

const LINK = sql`id, kind, email, restaurant_id, password_version, expires_at, used_at`;

export type NewLink = { kind: LinkKind; email: string; restaurantId: number; passwordVersion: number; expiresAt: Date };

export const insertLink = async (ctx: HouseCtx, link: NewLink): Promise<number> =>
  (
    await only(
      ctx.db.query(
        sql<{ id: number }>`insert into person_links (kind, email, restaurant_id, password_version, expires_at, created_at)
          values (${link.kind}, ${link.email}, ${link.restaurantId}, ${link.passwordVersion}, ${link.expiresAt}, ${ctx.now}) returning id`,
      ),
    )
  ).id;

export const findLink = ({ db }: Reader, id: number): Promise<LinkRow | undefined> =>
  first(db.query(sql<LinkRow>`select ${LINK} from person_links where id = ${id}`));

export const setLinkHash = ({ db }: Reader, id: number, hash: Buffer): void =>
  db.later(sql`update person_links set hash = ${hash} where id = ${id} and used_at is null`);

/** When the last links of this kind were made for the address, the last one first. */
export const listLinkMoments = async ({ db }: Reader, kind: RequestedKind, email: string): Promise<Date[]> =>
  (
    await db.query(
      sql<{
        created_at: Date;
      }>`select created_at from person_links where kind = ${kind} and email = ${email} order by created_at desc limit 10`,
    )
  ).map(({ created_at }) => created_at);

/** Those of this kind that still work end here. */
export const endLinks = (ctx: HouseCtx, kind: RequestedKind, email: string): void =>
  ctx.db.later(sql`update person_links set used_at = ${ctx.now} where email = ${email} and kind = ${kind} and used_at is null`);

/** An invitation that was accepted is found as well: it says that the person is in. */
export const findLinkBySecret = ({ db }: Reader, hash: Buffer, now: Date): Promise<LinkRow | undefined> =>
  first(
    db.query(
      sql<LinkRow>`select ${LINK} from person_links
        where hash = ${hash} and expires_at > ${now} and (used_at is null or kind = 'invitation')`,
    ),
  );

/** Compare and set: of two who use a link at once, one does. */
export const spendLink = async (ctx: HouseCtx, id: number): Promise<boolean> =>
  (await ctx.db.query(sql`update person_links set used_at = ${ctx.now} where id = ${id} and used_at is null returning id`)).length === 1;

/** Undefined while an equal request still waits for its job. */
export const upsertRequest = (
  ctx: HouseCtx,
  { kind, email, notSince }: { kind: RequestedKind; email: string; notSince: Date },
): Promise<{ id: number } | undefined> =>
  first(
    ctx.db.query(
      sql<{ id: number }>`insert into link_requests (kind, email, requested_at) values (${kind}, ${email}, ${ctx.now})
        on conflict (kind, email) do update set requested_at = excluded.requested_at where link_requests.requested_at <= ${notSince} returning id`,
    ),
  );

export const takeRequest = ({ db }: Reader, id: number): Promise<{ kind: RequestedKind; email: string } | undefined> =>
  first(db.query(sql<{ kind: RequestedKind; email: string }>`delete from link_requests where id = ${id} returning kind, email`));
