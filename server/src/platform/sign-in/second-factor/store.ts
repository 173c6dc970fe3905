import { sql } from "kysely";
import { first } from "#db/query.ts";
import type { WithDb } from "#lib/context.ts";
import type { FirstFactor, WrongCodes } from "./rules.ts";

export const findWrongCodes = ({ db }: WithDb, userId: number, proof: FirstFactor): Promise<WrongCodes | undefined> =>
  first(db.query(sql<WrongCodes>`select since, wrong from code_guesses where user_id = ${userId} and proof = ${proof}`));

export const setWrongCodes = ({ db }: WithDb, userId: number, proof: FirstFactor, { since, wrong }: WrongCodes): void =>
  db.defer(
    sql`insert into code_guesses (user_id, proof, since, wrong) values (${userId}, ${proof}, ${since}, ${wrong})
      on conflict (user_id, proof) do update set since = excluded.since, wrong = excluded.wrong`,
  );
