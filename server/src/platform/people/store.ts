import type { Membership } from "@comanda/contract/console-session.ts";
import { sql } from "kysely";
import { first, only } from "#db/query.ts";
import type { HouseCtx } from "#lib/context.ts";
import type { LinkKind } from "./rules.ts";

type Reader = Pick<HouseCtx, "db">;

export type PersonRow = {
  id: number;
  email: string;
  name: string;
  locale: string | null;
  password_hash: string | null;
  sealed_totp_secret: string | null;
  totp_confirmed_at: Date | null;
  totp_last_step: number | null;
};

const PERSON = sql`id, email, name, locale, password_hash, sealed_totp_secret, totp_confirmed_at, totp_last_step`;

export const findPersonByEmail = ({ db }: Reader, email: string): Promise<PersonRow | undefined> =>
  first(db.query(sql<PersonRow>`select ${PERSON} from people where email = ${email.toLowerCase()}`));

/** Two changes of one person at once come one after the other. */
export const lockPerson = ({ db }: Reader, id: number): Promise<PersonRow | undefined> =>
  first(db.query(sql<PersonRow>`select ${PERSON} from people where id = ${id} for update`));

export const ensurePerson = (ctx: HouseCtx, email: string, name: string): Promise<PersonRow> =>
  only(
    ctx.db.query(
      sql<PersonRow>`insert into people (email, name, created_at, updated_at) values (${email}, ${name}, ${ctx.now}, ${ctx.now})
        on conflict (email) do update set updated_at = excluded.updated_at returning ${PERSON}`,
    ),
  );

export type PersonChange = Partial<Omit<PersonRow, "id" | "email">>;

const CHANGEABLE = ["name", "locale", "password_hash", "sealed_totp_secret", "totp_confirmed_at", "totp_last_step"] as const;

export const updatePerson = (ctx: HouseCtx, id: number, change: PersonChange): void => {
  const sets = CHANGEABLE.filter((column) => change[column] !== undefined).map((column) => sql`${sql.ref(column)} = ${change[column]}`);
  ctx.db.later(sql`update people set ${sql.join([...sets, sql`updated_at = ${ctx.now}`])} where id = ${id}`);
};

/** False when a code of this step, or a later one, was used before: compare and set, so two at once cannot both pass. */
export const useTotpStep = async (ctx: HouseCtx, id: number, step: number): Promise<boolean> =>
  (
    await ctx.db.query(
      sql`update people set totp_last_step = ${step} where id = ${id} and coalesce(totp_last_step, -1) < ${step} returning id`,
    )
  ).length === 1;

export type Work = Membership & { restaurant_id: number; staff_id: number; staff_name: string };

export const listWork = ({ db }: Reader, email: string): Promise<Work[]> =>
  db.query(sql<Work>`select restaurant_id, slug, name, staff_id, staff_name, role from memberships(${email})`);

export type Visit = Pick<PersonRow, "id" | "email" | "name" | "locale"> & {
  has_second_factor: boolean;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  venues: Work[];
};

/** Session, person and where they work, in one look-up. With a slug only that venue is named. */
export const findVisit = ({ db }: Reader, hash: Buffer, slug: string | null, now: Date): Promise<Visit | undefined> =>
  first(
    db.query(
      sql<Visit>`select p.id, p.email, p.name, p.locale, p.totp_confirmed_at is not null as has_second_factor,
          s.created_at, s.last_seen_at, s.expires_at,
          coalesce((select jsonb_agg(to_jsonb(m)) from memberships(p.email) m where ${slug}::text is null or m.slug = ${slug}), '[]') as venues
        from sessions s join people p on p.id = s.person_id where s.hash = ${hash} and s.expires_at > ${now}`,
    ),
  );

export const insertSession = (ctx: HouseCtx, row: { hash: Buffer; personId: number; expiresAt: Date; client: string | null }): void =>
  ctx.db.later(
    sql`insert into sessions (hash, person_id, created_at, last_seen_at, expires_at, address, client)
      values (${row.hash}, ${row.personId}, ${ctx.now}, ${ctx.now}, ${row.expiresAt}, ${ctx.origin.address}, ${row.client})`,
  );

export const touchSession = ({ db }: Reader, hash: Buffer, now: Date, expiresAt: Date): Promise<unknown> =>
  db.query(sql`update sessions set last_seen_at = ${now}, expires_at = ${expiresAt} where hash = ${hash} and last_seen_at < ${now}`);

export const deleteSession = (ctx: HouseCtx, hash: Buffer): void => ctx.db.later(sql`delete from sessions where hash = ${hash}`);

export const deleteSessionsOf = (ctx: HouseCtx, personId: number): void =>
  ctx.db.later(sql`delete from sessions where person_id = ${personId}`);

export const listSessionRows = ({ db }: Reader, personId: number, now: Date) =>
  db.query(
    sql<{ hash: Buffer; created_at: Date; last_seen_at: Date; address: string | null; client: string | null }>`
      select hash, created_at, last_seen_at, address, client from sessions
      where person_id = ${personId} and expires_at > ${now} order by last_seen_at desc limit 100`,
  );

export type LinkRow = { id: number; kind: LinkKind; email: string; restaurant_id: number | null; expires_at: Date; used_at: Date | null };

const LINK = sql`id, kind, email, restaurant_id, expires_at, used_at`;

export const insertLink = async (
  ctx: HouseCtx,
  link: { kind: LinkKind; email: string; restaurantId: number | null; expiresAt: Date },
): Promise<number> =>
  (
    await only(
      ctx.db.query(
        sql<{ id: number }>`insert into person_links (kind, email, restaurant_id, expires_at, created_at)
          values (${link.kind}, ${link.email}, ${link.restaurantId}, ${link.expiresAt}, ${ctx.now}) returning id`,
      ),
    )
  ).id;

export const findLink = ({ db }: Reader, id: number): Promise<LinkRow | undefined> =>
  first(db.query(sql<LinkRow>`select ${LINK} from person_links where id = ${id}`));

export const setLinkHash = ({ db }: Reader, id: number, hash: Buffer): void =>
  db.later(sql`update person_links set hash = ${hash} where id = ${id} and used_at is null`);

export const findOpenLink = ({ db }: Reader, hash: Buffer, now: Date): Promise<LinkRow | undefined> =>
  first(db.query(sql<LinkRow>`select ${LINK} from person_links where hash = ${hash} and used_at is null and expires_at > ${now}`));

/** Compare and set: of two who use a link at once, one does. Every other open link of that address is spent with it. */
export const spendLink = async (ctx: HouseCtx, link: LinkRow): Promise<boolean> => {
  const spent = await ctx.db.query(
    sql`update person_links set used_at = ${ctx.now} where id = ${link.id} and used_at is null returning id`,
  );
  ctx.db.later(sql`update person_links set used_at = ${ctx.now} where email = ${link.email} and used_at is null`);
  return spent.length === 1;
};
