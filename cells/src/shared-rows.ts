/** Rows that move with a venue although they belong to none: installed apps, users of its staff, waiting jobs. */

import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  type EncryptedRow,
  encryptedRowsText,
  type FoundColumn,
  purposeFor,
  withPurposes,
} from "@comanda/server/db/encrypted-columns.ts";
import { describeError } from "@comanda/server/lib/described-error.ts";
import { decrypt, type EncryptionKey } from "@comanda/server/lib/encryption.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import type pg from "pg";
import { quoteIdentifier } from "./venue-tables.ts";

type JsonRow = Record<string, unknown>;

const readRows = async (client: pg.ClientBase, text: string, values: unknown[]): Promise<JsonRow[]> =>
  (await client.query<{ row: JsonRow }>(`select to_jsonb(r) as row from (${text}) r`, values)).rows.map(({ row }) => row);

const insertRows = async (client: pg.ClientBase, table: string, rows: JsonRow[], onConflict: string): Promise<void> => {
  const [sample] = rows;
  if (!sample) return;
  const columns = Object.keys(sample).map(quoteIdentifier).join(", ");
  await client.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb) ${onConflict}`,
    [JSON.stringify(rows)],
  );
};

const APP_VALUES = [
  "name",
  "developer",
  "summary",
  "site",
  "install_url",
  "logo",
  "redirect_uris",
  "scopes",
  "listed_at",
  "withdrawn_at",
  "updated_at",
];

/**
 * An app has one identity in all cells: number, client id and secrets. Its developer signs in where it was registered, so there
 * alone it has an owner; the other cells follow. An app that was withdrawn ends there as well.
 */
export const copyApps = async (
  from: pg.ClientBase,
  to: pg.ClientBase,
  where: { ids: number[] } | { clientId: string },
): Promise<number> => {
  const [condition, value] =
    "ids" in where
      ? ["id in (select app_id from app.installations where restaurant_id = any($1::bigint[]))", where.ids]
      : ["client_id = $1", where.clientId];
  const apps = await readRows(from, `select * from app.apps where ${condition}`, [value]);
  const secrets = await readRows(from, "select * from app.app_secrets where app_id = any($1::bigint[])", [apps.map(({ id }) => id)]);
  const values = APP_VALUES.map((name) => `${name} = excluded.${name}`).join(", ");
  await insertRows(
    to,
    "app.apps",
    apps.map((app) => ({ ...app, user_id: null })),
    `on conflict (id) do update set ${values} where apps.updated_at <= excluded.updated_at`,
  );
  await insertRows(to, "app.app_secrets", secrets, "on conflict (app_id, id) do update set expires_at = excluded.expires_at");
  for (const { id, withdrawn_at } of apps) if (withdrawn_at) await to.query("select app.withdraw_app($1, $2)", [id, withdrawn_at]);
  return apps.length;
};

/** Copies users with password and second factor. A user who exists there stays unchanged. Sessions are not copied. */
export const copyUsers = async (from: pg.ClientBase, to: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  const people = await readRows(
    from,
    "select * from app.users where email in (select email from app.staff where restaurant_id = any($1::bigint[]))",
    [ids],
  );
  await insertRows(to, "app.users", people, "on conflict do nothing");
};

const IS_PENDING = "(data ->> 'restaurant_id')::bigint = any($1::bigint[]) and state in ('created', 'retry', 'active')";

export const countRunningJobs = async (client: pg.ClientBase, ids: readonly number[]): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::integer as count from jobs.job where (data ->> 'restaurant_id')::bigint = any($1::bigint[]) and state = 'active'",
    [ids],
  );
  return rows[0]?.count ?? 0;
};

/** They keep their due times, to the second; their attempts are counted from zero again. */
export const copyJobs = async (from: pg.ClientBase, to: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  const jobs = await readRows(from, `select * from jobs.job where ${IS_PENDING}`, [ids]);
  const fresh = jobs.map((job) => ({ ...job, state: "created", retry_count: 0, started_on: null, heartbeat_on: null }));
  await insertRows(to, "jobs.job", fresh, "on conflict do nothing");
};

export const removeJobs = async (client: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  await client.query(`delete from jobs.job where ${IS_PENDING}`, [ids]);
};

/** Copies the health of the endpoints, but not their leases. Copied last: without it nothing is sent. */
export const copyEndpointState = async (from: pg.ClientBase, to: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  const states = await readRows(from, "select * from app.webhook_endpoint_state where restaurant_id = any($1::bigint[])", [ids]);
  await insertRows(
    to,
    "app.webhook_endpoint_state",
    states.map((state) => ({ ...state, worker: null, leased_until: null })),
    "on conflict do nothing",
  );
};

/** Each table without a venue has the condition for rows that move with a venue, or null when none do. */
const SHARED_TABLES: Record<string, string | null> = {
  users: "email in (select email from app.staff where restaurant_id = any($1::bigint[]))",
  cell: null,
};

const movingCondition = ({ table_name, column_name, of_venue }: EncryptedColumn): string | null => {
  const condition = of_venue ? "restaurant_id = any($1::bigint[])" : SHARED_TABLES[table_name];
  if (condition === undefined) throw new UserError(`SHARED_TABLES does not say whether ${table_name}.${column_name} moves with a venue.`);
  return condition;
};

/** Secrets are copied encrypted, so the other cell needs their key. Checked before anything is copied. */
export const assertSecretsDecrypt = async (
  client: pg.ClientBase,
  ids: readonly number[],
  keys: readonly EncryptionKey[],
): Promise<void> => {
  for (const column of withPurposes((await client.query<FoundColumn>(ENCRYPTED_COLUMNS)).rows)) {
    const condition = movingCondition(column);
    if (condition === null) continue;
    const { rows } = await client.query<EncryptedRow>(encryptedRowsText(column, condition), [ids]);
    for (const row of rows)
      try {
        decrypt(keys, row.encrypted_text, purposeFor(column, row));
      } catch (error) {
        throw new UserError(`A secret (${purposeFor(column, row)}) could not be opened in the other cell: ${describeError(error).message}`);
      }
  }
};
