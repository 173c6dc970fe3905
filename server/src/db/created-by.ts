/** What gives access and was made by one person: asked for when that person leaves. */
import { type RawBuilder, sql } from "kysely";
import type { AccountRef } from "#lib/creator.ts";

/** A person, or columns of a list of people. */
type AccountOperand = AccountRef | { id: RawBuilder<unknown>; email: RawBuilder<unknown> };

/** People as a table `asked`, for counts of what each of them made. */
export const askedAccounts = (users: readonly AccountRef[]): RawBuilder<unknown> =>
  sql`unnest(${users.map(({ email }) => email)}::text[], ${users.map(({ id }) => id)}::bigint[]) as asked (email, id)`;

export const ASKED_ACCOUNT = { id: sql.ref("asked.id"), email: sql.ref("asked.email") };

type CreatorReference = { columns: `${string}.${string}`; action: string; subject: RawBuilder<unknown> };

/**
 * Compares the address, which is the same in every cell, or the number. The activity log names the creator of older rows, which have
 * neither, for as long as it is kept.
 */
export const createdBy = ({ id, email }: AccountOperand, { columns, action, subject }: CreatorReference) => {
  const [table = ""] = columns.split(".");
  const [makerEmail, makerId] = [sql.ref(`${columns}_email`), sql.ref(`${columns}_user_id`)];
  return sql`(${makerEmail} = ${email} or ${makerId} = ${id}::bigint or (${makerEmail} is null and exists (select from audit_entries l
    where l.restaurant_id = ${sql.ref(`${table}.restaurant_id`)} and l.action = ${action} and l.subject_id = ${subject}
      and l.actor_kind = 'staff' and l.actor_id = ${id}::bigint)))`;
};
