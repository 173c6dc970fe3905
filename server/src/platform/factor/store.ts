import { sql } from "kysely";
import { first } from "#db/query.ts";
import type { HouseCtx } from "#lib/context.ts";
import type { Guesses, Proof } from "./rules.ts";

type Reader = Pick<HouseCtx, "db">;

export type FactorRow = {
  id: number;
  email: string;
  name: string;
  locale: string | null;
  sealed_totp_secret: string | null;
  totp_confirmed_at: Date | null;
  totp_last_step: number | null;
};

/** Locked, so that two uses of one code come one after the other. */
export const lockFactor = ({ db }: Reader, personId: number): Promise<FactorRow | undefined> =>
  first(
    db.query(
      sql<FactorRow>`select id, email, name, locale, sealed_totp_secret, totp_confirmed_at, totp_last_step
        from people where id = ${personId} for update`,
    ),
  );

export type FactorChange = Pick<FactorRow, "sealed_totp_secret" | "totp_confirmed_at" | "totp_last_step"> & { recovery_hashes: Buffer[] };

export const setFactor = (ctx: HouseCtx, personId: number, change: FactorChange): void =>
  ctx.db.later(
    sql`update people set sealed_totp_secret = ${change.sealed_totp_secret}, totp_confirmed_at = ${change.totp_confirmed_at},
      totp_last_step = ${change.totp_last_step}, recovery_hashes = ${change.recovery_hashes}, updated_at = ${ctx.now} where id = ${personId}`,
  );

export const setRecoveryHashes = (ctx: HouseCtx, personId: number, hashes: Buffer[]): void =>
  ctx.db.later(sql`update people set recovery_hashes = ${hashes}, updated_at = ${ctx.now} where id = ${personId}`);

/** Factors whose secret was taken out because its key is lost: no code of them could ever be right. */
export const endFactorsWithoutSecret = (ctx: HouseCtx): void =>
  ctx.db.later(sql`update people set totp_confirmed_at = null, totp_last_step = null, recovery_hashes = '{}', updated_at = ${ctx.now}
    where totp_confirmed_at is not null and sealed_totp_secret is null`);

/** False when a code of this step, or a later one, was used before. */
export const useTotpStep = async (ctx: HouseCtx, personId: number, step: number): Promise<boolean> =>
  (
    await ctx.db.query(
      sql`update people set totp_last_step = ${step} where id = ${personId} and coalesce(totp_last_step, -1) < ${step} returning id`,
    )
  ).length === 1;

/** How many codes are left after this one; undefined when it is none of them. */
export const takeRecoveryHash = async (ctx: HouseCtx, personId: number, hash: Buffer): Promise<number | undefined> =>
  (
    await first(
      ctx.db.query(
        sql<{ left: number }>`update people set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
          where id = ${personId} and ${hash}::bytea = any(recovery_hashes) returning cardinality(recovery_hashes) as left`,
      ),
    )
  )?.left;

export const findGuesses = ({ db }: Reader, personId: number, proof: Proof): Promise<Guesses | undefined> =>
  first(db.query(sql<Guesses>`select since, wrong from code_guesses where person_id = ${personId} and proof = ${proof}`));

export const setGuesses = ({ db }: Reader, personId: number, proof: Proof, { since, wrong }: Guesses): void =>
  db.later(
    sql`insert into code_guesses (person_id, proof, since, wrong) values (${personId}, ${proof}, ${since}, ${wrong})
      on conflict (person_id, proof) do update set since = excluded.since, wrong = excluded.wrong`,
  );
