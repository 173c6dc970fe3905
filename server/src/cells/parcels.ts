/** What goes along with a venue although it is no venue's: apps it has installed, people who work there, jobs that wait. */
import type pg from "pg";
import {
  type FoundColumn,
  purposeFor,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedRow,
  sealedRowsText,
  withPurposes,
} from "#db/sealed-columns.ts";
import { Misuse } from "#lib/errors.ts";
import { type SecretKey, unseal } from "#lib/sealed.ts";
import { quoted } from "./tables.ts";

type Json = Record<string, unknown>;

const read = async (client: pg.ClientBase, text: string, values: unknown[]): Promise<Json[]> =>
  (await client.query<{ row: Json }>(`select to_jsonb(r) as row from (${text}) r`, values)).rows.map(({ row }) => row);

const write = async (client: pg.ClientBase, table: string, rows: Json[], onConflict: string): Promise<void> => {
  const [sample] = rows;
  if (!sample) return;
  const columns = Object.keys(sample).map(quoted).join(", ");
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
  const apps = await read(from, `select * from app.apps where ${condition}`, [value]);
  const secrets = await read(from, "select * from app.app_secrets where app_id = any($1::bigint[])", [apps.map(({ id }) => id)]);
  const values = APP_VALUES.map((name) => `${name} = excluded.${name}`).join(", ");
  await write(
    to,
    "app.apps",
    apps.map((app) => ({ ...app, person_id: null })),
    `on conflict (id) do update set ${values} where apps.updated_at <= excluded.updated_at`,
  );
  await write(to, "app.app_secrets", secrets, "on conflict (app_id, id) do update set expires_at = excluded.expires_at");
  for (const { id, withdrawn_at } of apps) if (withdrawn_at) await to.query("select app.withdraw_app($1, $2)", [id, withdrawn_at]);
  return apps.length;
};

/** With password and second factor; somebody who is known there by the same address stays as they are. Sessions stay behind. */
export const copyPeople = async (from: pg.ClientBase, to: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  const people = await read(
    from,
    "select * from app.people where email in (select email from app.staff where restaurant_id = any($1::bigint[]))",
    [ids],
  );
  await write(to, "app.people", people, "on conflict do nothing");
};

const WAITING = "(data ->> 'restaurant_id')::bigint = any($1::bigint[]) and state in ('created', 'retry', 'active')";

export const countRunningJobs = async (client: pg.ClientBase, ids: readonly number[]): Promise<number> => {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::integer as count from jobs.job where (data ->> 'restaurant_id')::bigint = any($1::bigint[]) and state = 'active'",
    [ids],
  );
  return rows[0]?.count ?? 0;
};

/** Due when they were, to the second; how often they were tried begins anew. */
export const copyJobs = async (from: pg.ClientBase, to: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  const jobs = await read(from, `select * from jobs.job where ${WAITING}`, [ids]);
  const fresh = jobs.map((job) => ({ ...job, state: "created", retry_count: 0, started_on: null, heartbeat_on: null }));
  await write(to, "jobs.job", fresh, "on conflict do nothing");
};

export const removeJobs = async (client: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  await client.query(`delete from jobs.job where ${WAITING}`, [ids]);
};

/** How the addresses are doing goes along; who serves them does not. The last thing to arrive: without it nothing is sent. */
export const copyLanes = async (from: pg.ClientBase, to: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  const lanes = await read(from, "select * from app.webhook_lanes where restaurant_id = any($1::bigint[])", [ids]);
  await write(
    to,
    "app.webhook_lanes",
    lanes.map((lane) => ({ ...lane, worker: null, leased_until: null })),
    "on conflict do nothing",
  );
};

/** Of the tables that belong to no venue: which rows go along with one, or null for a table that stays. */
const ALONG: Record<string, string | null> = {
  people: "email in (select email from app.staff where restaurant_id = any($1::bigint[]))",
  cell: null,
};

const isMoving = ({ table_name, column_name, of_venue }: SealedColumn): string | null => {
  const condition = of_venue ? "restaurant_id = any($1::bigint[])" : ALONG[table_name];
  if (condition === undefined) throw new Misuse(`Nobody has said whether ${table_name}.${column_name} goes along with a venue.`);
  return condition;
};

/** Sealed secrets travel sealed, so the other cell has to know the key. Found out before anything is copied. */
export const checkSecrets = async (client: pg.ClientBase, ids: readonly number[], keys: readonly SecretKey[]): Promise<void> => {
  for (const column of withPurposes((await client.query<FoundColumn>(SEALED_COLUMNS)).rows)) {
    const condition = isMoving(column);
    if (condition === null) continue;
    const { rows } = await client.query<SealedRow>(sealedRowsText(column, condition), [ids]);
    for (const row of rows)
      try {
        unseal(keys, row.sealed_text, purposeFor(column, row));
      } catch (error) {
        throw new Misuse(`A secret (${purposeFor(column, row)}) could not be opened in the other cell: ${(error as Error).message}`);
      }
  }
};
