/** Users: accounts, second factors and apps change the part that is theirs through these functions. */
import { sql } from "kysely";
import { first, oneRow, type Row } from "#db/query.ts";
import type { GlobalContext, WithDb } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type UserRow = {
  id: number;
  email: string;
  name: string;
  locale: string | null;
  password_hash: string | null;
  /** Incremented with each password. Links made for an earlier version are invalid. */
  password_version: number;
  has_second_factor: boolean;
  recovery_codes_left: number;
};

const FACTOR = sql`totp_confirmed_at is not null as has_second_factor, cardinality(recovery_hashes) as recovery_codes_left`;
const USER = sql`id, email, name, locale, password_hash, password_version, ${FACTOR}`;

export const findUser = ({ db }: WithDb, email: string): Promise<UserRow | undefined> =>
  first(db.query(sql<UserRow>`select ${USER} from users where email = ${email.toLowerCase()}`));

/** Concurrent changes of one user run one after the other. */
export const lockUser = ({ db }: WithDb, id: number): Promise<UserRow | undefined> =>
  first(db.query(sql<UserRow>`select ${USER} from users where id = ${id} for update`));

/** Waits until running writes of the user's sessions have committed. Send it before the first change of a transaction that ends them. */
export const lockUserAccess = ({ db }: WithDb, email: string): void =>
  db.defer(sql`select lock_access('person', id, true) from users where email = ${email}`);

export const findOrCreateUser = (ctx: GlobalContext, email: string, name: string): Promise<UserRow> =>
  oneRow(
    ctx.db.query(
      sql<UserRow>`insert into users (email, name, created_at, updated_at) values (${email}, ${name}, ${realNow(ctx)}, ${realNow(ctx)})
        on conflict (email) do update set updated_at = excluded.updated_at returning ${USER}`,
    ),
  );

const CHANGEABLE = ["name", "locale"] as const;

export const updateUser = (ctx: GlobalContext, id: number, change: Partial<Pick<UserRow, (typeof CHANGEABLE)[number]>>): void => {
  const sets = CHANGEABLE.filter((column) => change[column] !== undefined).map((column) => sql`${sql.ref(column)} = ${change[column]}`);
  ctx.db.defer(sql`update users set ${sql.join([...sets, sql`updated_at = ${realNow(ctx)}`])} where id = ${id}`);
};

export const setPassword = (ctx: GlobalContext, id: number, passwordHash: string): void =>
  ctx.db.defer(
    sql`update users set password_hash = ${passwordHash}, password_version = password_version + 1, updated_at = ${realNow(ctx)} where id = ${id}`,
  );

export type FactorRow = Pick<
  Row<"users">,
  "id" | "email" | "name" | "locale" | "encrypted_totp_secret" | "totp_confirmed_at" | "totp_last_step"
>;

/** Locked, so that concurrent uses of one code run one after the other. */
export const lockFactor = ({ db }: WithDb, userId: number): Promise<FactorRow | undefined> =>
  first(
    db.query(
      sql<FactorRow>`select id, email, name, locale, encrypted_totp_secret, totp_confirmed_at, totp_last_step
        from users where id = ${userId} for update`,
    ),
  );

export type FactorChange = Pick<FactorRow, "encrypted_totp_secret" | "totp_confirmed_at" | "totp_last_step"> & {
  recovery_hashes: Buffer[];
};

export const setFactor = (ctx: GlobalContext, userId: number, change: FactorChange): void =>
  ctx.db.defer(
    sql`update users set encrypted_totp_secret = ${change.encrypted_totp_secret}, totp_confirmed_at = ${change.totp_confirmed_at},
      totp_last_step = ${change.totp_last_step}, recovery_hashes = ${change.recovery_hashes}, updated_at = ${realNow(ctx)} where id = ${userId}`,
  );

export const setRecoveryHashes = (ctx: GlobalContext, userId: number, hashes: Buffer[]): void =>
  ctx.db.defer(sql`update users set recovery_hashes = ${hashes}, updated_at = ${realNow(ctx)} where id = ${userId}`);

/** Factors whose secret was discarded because its key is lost: no code could match. */
export const deleteFactorsWithoutSecret = (ctx: GlobalContext): void =>
  ctx.db.defer(sql`update users set totp_confirmed_at = null, totp_last_step = null, recovery_hashes = '{}', updated_at = ${realNow(ctx)}
    where totp_confirmed_at is not null and encrypted_totp_secret is null`);

/** False when a code of this step or a later one was used before. */
export const useTotpStep = async (ctx: GlobalContext, userId: number, step: number): Promise<boolean> =>
  (
    await ctx.db.query(
      sql`update users set totp_last_step = ${step} where id = ${userId} and coalesce(totp_last_step, -1) < ${step} returning id`,
    )
  ).length === 1;

/** The number of codes left. Undefined when the hash is not among them. */
export const useRecoveryHash = async (ctx: GlobalContext, userId: number, hash: Buffer): Promise<number | undefined> =>
  (
    await first(
      ctx.db.query(
        sql<{ left: number }>`update users set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
          where id = ${userId} and ${hash}::bytea = any(recovery_hashes) returning cardinality(recovery_hashes) as left`,
      ),
    )
  )?.left;
