/** The cell of a venue: one row in each of the two cells records it, and only these statements change it. */
import type pg from "pg";
import { idList } from "./venue-tables.ts";

export type LocationPhase = "copying" | "draining" | "paused" | "moved" | "arriving";

export const readPhase = async (client: pg.ClientBase, id: number): Promise<{ phase: LocationPhase; other_cell: number } | null> => {
  const { rows } = await client.query<{ phase: LocationPhase; other_cell: number }>(
    "select phase, other_cell from app.venue_moves where restaurant_id = $1",
    [id],
  );
  return rows[0] ?? null;
};

/** How often each venue has moved, as this cell knows it. */
export const readEpochs = async (client: pg.ClientBase, ids: readonly number[]): Promise<Map<number, number>> => {
  const { rows } = await client.query<{ restaurant_id: string; epoch: number }>(
    "select restaurant_id, epoch from app.venue_epochs where restaurant_id = any($1::bigint[])",
    [ids],
  );
  const epochs = new Map(rows.map(({ restaurant_id, epoch }) => [Number(restaurant_id), epoch]));
  return new Map(ids.map((id) => [id, epochs.get(id) ?? 0]));
};

export const setEpoch = async (client: pg.ClientBase, id: number, epoch: number): Promise<void> => {
  await client.query(
    "insert into app.venue_epochs (restaurant_id, epoch) values ($1, $2) on conflict (restaurant_id) do update set epoch = excluded.epoch",
    [id, epoch],
  );
};

/** A row that says `moved` changes only when the venue comes back (`arriving`). */
export const setPhase = async (
  client: pg.ClientBase,
  ids: readonly number[],
  phase: "copying" | "draining" | "arriving",
  otherCell: number,
) => {
  await client.query(
    `insert into app.venue_moves (restaurant_id, phase, other_cell) select unnest($1::bigint[]), $2, $3
     on conflict (restaurant_id) do update set phase = excluded.phase, other_cell = excluded.other_cell, paused_until = null, updated_at = clock_timestamp()
     where venue_moves.phase <> 'moved' or excluded.phase = 'arriving'`,
    [ids, phase, otherCell],
  );
};

const lockText = (ids: readonly number[]): string =>
  `select pg_advisory_xact_lock(hashtextextended('venue ' || venue, 0)) from unnest(array[${idList(ids)}]::bigint[]) venue order by venue`;

/**
 * Refuses writes for this time. Running transactions end first, later ones are refused. The end of the pause is stored, so a killed
 * command does not leave the venue paused.
 */
export const pauseWrites = async (client: pg.ClientBase, ids: readonly number[], ms: number): Promise<void> => {
  await client.query(
    `update app.venue_moves set phase = 'paused', paused_until = clock_timestamp() + make_interval(secs => $2::double precision / 1000), updated_at = clock_timestamp()
     where restaurant_id = any($1::bigint[]) and phase in ('copying', 'draining', 'paused')`,
    [ids, ms],
  );
  await client.query("begin");
  await client.query(lockText(ids));
  await client.query("commit");
};

/**
 * The commit that moves the venue to the other cell. False when the pause was over before, because then a write may have been accepted.
 * It holds the venue's lock, so no transaction of the venue is running.
 */
export const commitMove = async (client: pg.ClientBase, ids: readonly number[]): Promise<boolean> => {
  await client.query("begin");
  await client.query(lockText(ids));
  const { rowCount } = await client.query(
    `update app.venue_moves set phase = 'moved', paused_until = null, updated_at = clock_timestamp()
     where restaurant_id = any($1::bigint[]) and phase = 'paused' and paused_until > clock_timestamp()`,
    [ids],
  );
  const isDecided = rowCount === ids.length;
  for (const [id, epoch] of await readEpochs(client, ids)) await setEpoch(client, id, epoch + 1);
  // What is still due here is sent over there: this cell's workers never claim a paused address.
  if (isDecided) await client.query("update app.webhook_endpoints set is_paused = true where restaurant_id = any($1::bigint[])", [ids]);
  await client.query(isDecided ? "commit" : "rollback");
  return isDecided;
};

/** What `commitMove` leaves behind, for a cell that was restored to a moment before the move. In the caller's transaction. */
export const markMoved = async (client: pg.ClientBase, id: number, home: { cell: number; epoch: number }): Promise<void> => {
  await client.query(
    `insert into app.venue_moves (restaurant_id, phase, other_cell) values ($1, 'moved', $2)
     on conflict (restaurant_id) do update set phase = 'moved', other_cell = excluded.other_cell, paused_until = null, updated_at = clock_timestamp()`,
    [id, home.cell],
  );
  await setEpoch(client, id, home.epoch);
};

export const clearMove = async (client: pg.ClientBase, ids: readonly number[]): Promise<void> => {
  await client.query("delete from app.venue_moves where restaurant_id = any($1::bigint[]) and phase <> 'moved'", [ids]);
};
