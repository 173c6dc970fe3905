/**
 * A venue moves to another cell with all its rows and all its ids. Copied while it works, shut for a moment to copy what changed
 * since, then decided in one commit. The other cell takes everything in one transaction, so that until then it has nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { WORKER_LOCK_CLASS } from "#db/presence.ts";
import { Misuse } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import { catchUp, compareAll, copyAll, prepareStages, readMark, type Sides, wipe } from "./changes.ts";
import { checkFit, connectTo } from "./connections.ts";
import { decide, forgetMove, pauseWrites, readEpochs, readPhase, setEpoch, setPhase } from "./homes.ts";
import { checkSecrets, copyApps, copyJobs, copyLanes, copyPeople, countRunningJobs, removeJobs } from "./parcels.ts";
import { readVenueTables, type VenueTable } from "./tables.ts";

/** The longest that a venue may be shut, whatever happens; most of it is there for a slow machine. */
const PAUSE_MS_MAX = 10_000;
const PAUSES_MAX = 3;
/** So few changes are copied in a moment; until there are no more, it is caught up with while the venue works. */
const FEW_ROWS = 500;
const ROUNDS_MAX = 5;
/** A send may take ten seconds, and a worker's turn with an address two. */
const DRAIN_MS_MAX = 15_000;

/** Copied when the venue opens: without them no worker there finds anything to send. */
const LATE = ["webhook_lanes"];
/** What the old cell keeps: enough to know a token and to say that it should be tried again. */
export const STUB = ["restaurants", "tokens", "installations", "grants"];

export const PHASES = ["copying", "copied", "draining", "paused", "arrived", "decided", "opened", "cleaned"] as const;
export type MovePhase = (typeof PHASES)[number];

export type MoveWanted = {
  fromUrl: string;
  toUrl: string;
  slug: string;
  /** Which cell the operator means; the database says which it is. */
  toCell?: number;
  /** What the processes of the other cell open secrets with. */
  secretKeys: readonly SecretKey[];
  onPhase?: (phase: MovePhase) => Promise<void> | void;
  /** Told where each number lives as soon as the venue is open there. */
  onOpen?: (homes: Homes) => Promise<void>;
  /** How long the old rows stay for reads that were let in before: as long as one may wait for a connection and take. */
  lateReadsMs?: number;
};

const LATE_READS_MS = 8000;

/** Every token and grant of the venue, by number, and the cell where they live now. */
export type Homes = { cell: number; tokens: number[]; grants: number[] };

export type Moved = { slug: string; cell: number; rows: number; pauseMs: number; homes: Homes };

type Venue = { ids: number[]; id: number };
type Move = Venue & {
  wanted: MoveWanted;
  control: pg.Client;
  reader: pg.Client;
  to: pg.Client;
  aside: pg.Client;
  here: number;
  there: number;
  tables: VenueTable[];
  totals: Sides["totals"];
};

export const moveVenue = (wanted: MoveWanted): Promise<Moved> =>
  withMove(wanted, async (move) => {
    const state = await readPhase(move.control, move.id);
    const isDecided = state?.phase === "moved";
    if (isDecided && state.other_cell !== move.there) throw new Misuse(`${wanted.slug} has moved to cell ${state.other_cell} already.`);
    const copied = isDecided ? { rows: 0, pausedAt: performance.now() } : await copyAndDecide(move);
    await open(move);
    await wanted.onPhase?.("opened");
    const homes = await readHomes(move.to, move);
    await wanted.onOpen?.(homes);
    const pauseMs = Math.round(performance.now() - copied.pausedAt);
    await sleep(wanted.lateReadsMs ?? LATE_READS_MS);
    await removeJobs(move.control, move.ids);
    await wipe(
      move.control,
      move.tables.filter(({ name }) => !STUB.includes(name)),
      move.ids,
    );
    await wanted.onPhase?.("cleaned");
    return { slug: wanted.slug, cell: move.there, rows: copied.rows, pauseMs, homes };
  });

/** The venue stays where it is, and nothing of it stays in the other cell. */
export const abortMove = (wanted: MoveWanted): Promise<void> =>
  withMove(wanted, async ({ control, to, ids, id, tables }) => {
    if ((await readPhase(control, id))?.phase === "moved")
      throw new Misuse(`${wanted.slug} lives in the other cell already: run the move again to finish it, and then move it back.`);
    await forgetMove(control, ids);
    const there = await readPhase(to, id);
    if (there?.phase !== "arriving") return;
    await wipe(to, tables, ids);
    await forgetMove(to, ids);
  });

const withMove = async <T>(wanted: MoveWanted, work: (move: Move) => Promise<T>): Promise<T> => {
  const clients: pg.Client[] = [];
  try {
    for (const url of [wanted.fromUrl, wanted.fromUrl, wanted.toUrl, wanted.toUrl]) clients.push(await connectTo(url));
    const [control, reader, to, aside] = clients as [pg.Client, pg.Client, pg.Client, pg.Client];
    const cells = await checkFit(control, to);
    if (wanted.toCell !== undefined && wanted.toCell !== cells.there)
      throw new Misuse(`MOVE_TO_DATABASE_URL is of cell ${cells.there}, not of cell ${wanted.toCell}.`);
    const venue = await findVenue(control, wanted.slug);
    const { rows } = await control.query<{ held: boolean }>("select pg_try_advisory_lock(hashtextextended('move ' || $1, 0)) as held", [
      venue.id,
    ]);
    if (!rows[0]?.held) throw new Misuse(`Another command is moving ${wanted.slug}.`);
    return await work({
      ...venue,
      ...cells,
      wanted,
      control,
      reader,
      to,
      aside,
      tables: await readVenueTables(control),
      totals: new Map(),
    });
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
  }
};

const findVenue = async (client: pg.Client, slug: string): Promise<Venue> => {
  const { rows } = await client.query<{ id: string }>(
    `select id from app.restaurants where slug = $1 and kind = 'live'
     union all select r.id from app.restaurants r where r.kind = 'sandbox' and r.slug = $1 || '.sandbox'`,
    [slug],
  );
  const ids = rows.map(({ id }) => Number(id));
  const [id] = ids;
  if (id === undefined) throw new Misuse(`There is no venue "${slug}" in this cell.`);
  return { id, ids };
};

const refuseStranger = async ({ to, id, ids, wanted, control }: Move): Promise<void> => {
  const { rows } = await to.query<{ id: string }>("select id from app.restaurants where slug = $1", [wanted.slug]);
  const there = await readPhase(to, id);
  if (rows.some((row) => Number(row.id) !== id)) throw new Misuse(`The other cell has a venue "${wanted.slug}" of its own.`);
  if (rows.length > 0 && there === null) throw new Misuse(`${wanted.slug} is open in the other cell already. Nothing was touched.`);
  const { rows: plans } = await control.query<{ plan: string }>("select plan from app.restaurants where id = any($1::bigint[])", [ids]);
  const { rows: known } = await to.query<{ code: string }>("select code from app.plans");
  for (const { plan } of plans) if (!known.some(({ code }) => code === plan)) throw new Misuse(`The other cell has no plan "${plan}".`);
};

/** Both sides of the copying: a snapshot that stands still, and a transaction that nobody sees. */
const copyAndDecide = async (move: Move): Promise<{ rows: number; pausedAt: number }> => {
  const { control, to, wanted, ids } = move;
  await refuseStranger(move);
  await checkSecrets(control, ids, wanted.secretKeys);
  await setPhase(control, ids, "copying", move.there);
  await wanted.onPhase?.("copying");
  await bringNeighbours(move);
  await to.query("begin");
  try {
    const first = await copyWhileOpen(move);
    const { pausedAt, isDone } = await shutAndCatchUp(move, first.mark);
    if (!isDone) throw new Misuse(`${wanted.slug} could not be copied within its pause. It stays where it is; try at a quieter hour.`);
    return { rows: first.rows, pausedAt };
  } catch (error) {
    await to.query("rollback").catch(() => undefined);
    await forgetMove(control, ids).catch(() => undefined);
    throw error;
  }
};

const bringNeighbours = async ({ control, aside, ids }: Move): Promise<void> => {
  await copyApps(control, aside, { ids });
  await copyPeople(control, aside, ids);
};

const inSnapshot = async <T>({ reader }: Move, work: (mark: bigint) => Promise<T>): Promise<T> => {
  await reader.query("begin isolation level repeatable read read only");
  try {
    return await work(await readMark(reader));
  } finally {
    await reader.query("commit");
  }
};

const sidesOf = ({ reader, to, ids, totals }: Move): Sides => ({ from: reader, to, ids, totals });
const earlyTables = ({ tables }: Move): VenueTable[] => tables.filter(({ name }) => !LATE.includes(name));

const copyWhileOpen = async (move: Move): Promise<{ rows: number; mark: bigint }> => {
  const tables = earlyTables(move);
  // What an earlier attempt, or the venue's earlier life there, has left.
  await wipe(move.to, move.tables, move.ids);
  await setPhase(move.to, move.ids, "arriving", move.here);
  for (const [id, epoch] of await readEpochs(move.control, move.ids)) await setEpoch(move.to, id, epoch + 1);
  await prepareStages(move.to, tables);
  let [rows, mark] = await inSnapshot(move, async (current): Promise<[number, bigint]> => {
    const count = await copyAll(sidesOf(move), tables);
    await compareAll(sidesOf(move), tables);
    return [count, current];
  });
  await move.wanted.onPhase?.("copied");
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const since = mark;
    await bringNeighbours(move);
    const [changed, next] = await catchUpOnce(move, since);
    [rows, mark] = [rows + changed, next];
    if (changed <= FEW_ROWS) break;
  }
  return { rows, mark };
};

const catchUpOnce = (move: Move, since: bigint): Promise<[number, bigint]> =>
  inSnapshot(move, async (current) => [await catchUp(sidesOf(move), earlyTables(move), since), current]);

/** Shut, caught up with, decided. When that takes too long the venue opens again, and it is tried again, `PAUSES_MAX` times in all. */
const shutAndCatchUp = async (move: Move, first: bigint): Promise<{ pausedAt: number; isDone: boolean }> => {
  const { control, to, ids, wanted } = move;
  await setPhase(control, ids, "draining", move.there);
  await wanted.onPhase?.("draining");
  await takeLanes(move);
  let mark = first;
  for (let attempt = 0; attempt < PAUSES_MAX; attempt++) {
    await setPhase(control, ids, "draining", move.there);
    await bringNeighbours(move);
    [, mark] = await catchUpOnce(move, mark);
    const pausedAt = performance.now();
    await pauseWrites(control, ids, PAUSE_MS_MAX);
    await wanted.onPhase?.("paused");
    [, mark] = await catchUpOnce(move, mark);
    if (performance.now() - pausedAt >= PAUSE_MS_MAX) continue;
    await to.query("commit");
    await wanted.onPhase?.("arrived");
    // From here on others see what arrived: if it is not decided now, the next attempt begins anew.
    const isDone = await decide(control, ids);
    if (isDone) await wanted.onPhase?.("decided");
    return { pausedAt, isDone };
  }
  return { pausedAt: 0, isDone: false };
};

/**
 * As a worker would, this command takes every address of the venue, so that nobody sends anything while it moves; jobs that have
 * begun are waited for. If the command dies, its lock dies with it and the workers go on.
 */
const takeLanes = async ({ control, ids }: Move): Promise<void> => {
  const { rows } = await control.query<{ me: number }>("select pg_backend_pid() as me");
  const me = rows[0]?.me ?? 0;
  await control.query("select pg_advisory_lock($1::integer, $2::integer)", [WORKER_LOCK_CLASS, me]);
  for (const deadline = performance.now() + DRAIN_MS_MAX; performance.now() < deadline; await sleep(50)) {
    await control.query(
      `update app.webhook_lanes set worker = $2, leased_until = clock_timestamp() + interval '1 hour' where restaurant_id = any($1::bigint[])
         and (leased_until is null or leased_until <= clock_timestamp() or worker not in (select objid::integer from pg_locks
           where locktype = 'advisory' and classid = $3 and granted and database = (select oid from pg_database where datname = current_database())))`,
      [ids, me, WORKER_LOCK_CLASS],
    );
    const { rowCount } = await control.query(
      "select from app.webhook_lanes where restaurant_id = any($1::bigint[]) and worker is distinct from $2",
      [ids, me],
    );
    if (rowCount === 0 && (await countRunningJobs(control, ids)) === 0) return;
  }
};

/** One commit again: addresses, jobs, an entry in the activity log, and the door. Finds nothing to do the second time. */
const open = async ({ control, to, ids, id, here, there }: Move): Promise<void> => {
  if ((await readPhase(to, id))?.phase !== "arriving") return;
  await to.query("begin");
  await copyLanes(control, to, ids);
  await copyJobs(control, to, ids);
  await to.query(
    `insert into app.audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id, before, after)
     values ($1, clock_timestamp(), 'operator', current_user, 'restaurant.moved', 'restaurant', $4, $2, $3)`,
    [id, { cell: here }, { cell: there }, String(id)],
  );
  await forgetMove(to, ids);
  await to.query("commit");
};

const readHomes = async (client: pg.Client, { ids, there }: Move): Promise<Homes> => {
  const read = async (table: "tokens" | "grants"): Promise<number[]> =>
    (await client.query<{ id: string }>(`select id from app.${table} where restaurant_id = any($1::bigint[]) order by id`, [ids])).rows.map(
      ({ id }) => Number(id),
    );
  return { cell: there, tokens: await read("tokens"), grants: await read("grants") };
};
