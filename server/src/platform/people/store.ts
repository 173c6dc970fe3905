import type { Membership } from "@comanda/contract/console-session.ts";
import { sql } from "kysely";
import { lockPersonOf } from "#db/access.ts";
import { first, only } from "#db/query.ts";
import type { HouseCtx } from "#lib/context.ts";

type Reader = Pick<HouseCtx, "db">;

export type PersonRow = {
  id: number;
  email: string;
  name: string;
  locale: string | null;
  password_hash: string | null;
  /** Counts passwords: what was made for an older one is void. */
  password_version: number;
  has_second_factor: boolean;
  recovery_codes_left: number;
};

const FACTOR = sql`totp_confirmed_at is not null as has_second_factor, cardinality(recovery_hashes) as recovery_codes_left`;
const PERSON = sql`id, email, name, locale, password_hash, password_version, ${FACTOR}`;

export const findPersonByEmail = ({ db }: Reader, email: string): Promise<PersonRow | undefined> =>
  first(db.query(sql<PersonRow>`select ${PERSON} from people where email = ${email.toLowerCase()}`));

/** Which of these devices is known to the account of this address; one look-up whether there is such an account or not. */
export const findDevice = async (
  { db }: Reader,
  { email, hashes, now }: { email: string; hashes: readonly Buffer[]; now: Date },
): Promise<Buffer | undefined> =>
  (
    await first(
      db.query(
        sql<{ hash: Buffer }>`select d.hash from known_devices d join people p on p.id = d.person_id
          where d.hash = any(${hashes}::bytea[]) and d.expires_at > ${now} and p.email = ${email.toLowerCase()}`,
      ),
    )
  )?.hash;

/** Two changes of one person at once come one after the other. */
export const lockPerson = ({ db }: Reader, id: number): Promise<PersonRow | undefined> =>
  first(db.query(sql<PersonRow>`select ${PERSON} from people where id = ${id} for update`));

export const lockPersonAccess = ({ db }: Reader, email: string): void => lockPersonOf(db, email);

export const insertPersonIfNew = (ctx: HouseCtx, email: string, name: string): Promise<PersonRow> =>
  only(
    ctx.db.query(
      sql<PersonRow>`insert into people (email, name, created_at, updated_at) values (${email}, ${name}, ${ctx.now}, ${ctx.now})
        on conflict (email) do update set updated_at = excluded.updated_at returning ${PERSON}`,
    ),
  );

const CHANGEABLE = ["name", "locale"] as const;

export const updatePerson = (ctx: HouseCtx, id: number, change: Partial<Pick<PersonRow, (typeof CHANGEABLE)[number]>>): void => {
  const sets = CHANGEABLE.filter((column) => change[column] !== undefined).map((column) => sql`${sql.ref(column)} = ${change[column]}`);
  ctx.db.later(sql`update people set ${sql.join([...sets, sql`updated_at = ${ctx.now}`])} where id = ${id}`);
};

export const setPassword = (ctx: HouseCtx, id: number, passwordHash: string): void =>
  ctx.db.later(
    sql`update people set password_hash = ${passwordHash}, password_version = password_version + 1, updated_at = ${ctx.now} where id = ${id}`,
  );

export type Work = Membership & { restaurant_id: number; staff_id: number; staff_name: string };

export const listWork = ({ db }: Reader, email: string): Promise<Work[]> =>
  db.query(sql<Work>`select restaurant_id, slug, name, staff_id, staff_name, role from memberships(${email})`);

export type Visit = Pick<PersonRow, "id" | "email" | "name" | "locale" | "has_second_factor" | "recovery_codes_left"> & {
  session_id: number;
  /** When the password was last given in this session; null after a sign-in by a link. */
  password_at: Date | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  venues: Work[];
};

/** Session, person and where they work, in one look-up. With a slug only that venue is named. */
export const findVisit = ({ db }: Reader, hash: Buffer, slug: string | null, now: Date): Promise<Visit | undefined> =>
  first(
    db.query(
      sql<Visit>`select p.id, p.email, p.name, p.locale, ${FACTOR},
          s.id as session_id, s.password_at, s.created_at, s.last_seen_at, s.expires_at,
          coalesce((select jsonb_agg(to_jsonb(m)) from memberships(p.email) m where ${slug}::text is null or m.slug = ${slug}), '[]') as venues
        from sessions s join people p on p.id = s.person_id where s.hash = ${hash} and s.expires_at > ${now}`,
    ),
  );

export type NewSession = {
  hash: Buffer;
  personId: number;
  expiresAt: Date;
  client: string | null;
  deviceHash: Buffer;
  passwordAt: Date | null;
};

export const insertSession = async (ctx: HouseCtx, row: NewSession): Promise<number> =>
  (
    await only(
      ctx.db.query(
        sql<{
          id: number;
        }>`insert into sessions (hash, person_id, created_at, last_seen_at, expires_at, address, client, device_hash, password_at)
          values (${row.hash}, ${row.personId}, ${ctx.now}, ${ctx.now}, ${row.expiresAt}, ${ctx.origin.address}, ${row.client},
            ${row.deviceHash}, ${row.passwordAt}) returning id`,
      ),
    )
  ).id;

export const touchSession = ({ db }: Reader, hash: Buffer, now: Date, expiresAt: Date): Promise<unknown> =>
  db.query(sql`update sessions set last_seen_at = ${now}, expires_at = ${expiresAt} where hash = ${hash} and last_seen_at < ${now}`);

export const setPasswordAt = (ctx: HouseCtx, sessionId: number): void =>
  ctx.db.later(sql`update sessions set password_at = ${ctx.now} where id = ${sessionId}`);

export const deleteSession = (ctx: HouseCtx, hash: Buffer): void => ctx.db.later(sql`delete from sessions where hash = ${hash}`);

export const deleteSessionsOf = (ctx: HouseCtx, personId: number): void =>
  ctx.db.later(sql`delete from sessions where person_id = ${personId}`);

export const deleteSessionsOfDevice = (ctx: HouseCtx, deviceHash: Buffer): void =>
  ctx.db.later(sql`delete from sessions where device_hash = ${deviceHash}`);

/** Ends the others and forgets their devices; the session that is named stays. */
export const deleteOtherSessions = (ctx: HouseCtx, personId: number, sessionId: number): void => {
  ctx.db.later(sql`delete from sessions where person_id = ${personId} and id <> ${sessionId}`);
  ctx.db.later(
    sql`delete from known_devices where person_id = ${personId}
      and hash is distinct from (select device_hash from sessions where id = ${sessionId})`,
  );
};

/** False when the person has no such session. */
export const deleteSessionById = async (ctx: HouseCtx, personId: number, sessionId: number): Promise<boolean> => {
  const gone = await ctx.db.query(
    sql<{ device_hash: Buffer | null }>`delete from sessions where id = ${sessionId} and person_id = ${personId} returning device_hash`,
  );
  for (const { device_hash } of gone) if (device_hash) ctx.db.later(sql`delete from known_devices where hash = ${device_hash}`);
  return gone.length === 1;
};

export const upsertDevice = (ctx: HouseCtx, row: { hash: Buffer; personId: number; expiresAt: Date }): void =>
  ctx.db.later(
    sql`insert into known_devices (hash, person_id, created_at, expires_at) values (${row.hash}, ${row.personId}, ${ctx.now}, ${row.expiresAt})
      on conflict (hash) do update set expires_at = excluded.expires_at`,
  );

export const deleteDevicesOf = (ctx: HouseCtx, personId: number): void =>
  ctx.db.later(sql`delete from known_devices where person_id = ${personId}`);

export const listSessionRows = ({ db }: Reader, personId: number, now: Date) =>
  db.query(
    sql<{ id: number; created_at: Date; last_seen_at: Date; address: string | null; client: string | null }>`
      select id, created_at, last_seen_at, address, client from sessions
      where person_id = ${personId} and expires_at > ${now} order by last_seen_at desc limit 100`,
  );
