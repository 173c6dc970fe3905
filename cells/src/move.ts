/**
 * A venue moves to another cell with all its rows and all its ids. It is copied while it works (`move-copy.ts`), paused briefly to
 * copy what changed since, and then moved by one commit (`move-pause.ts`). The other cell takes everything in one transaction, so that
 * until then it has nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "@comanda/server/lib/errors.ts";
import type pg from "pg";
import { deleteVenueRows } from "./change-capture.ts";
import { copySharedRows, copyWhileOpen } from "./move-copy.ts";
import { pauseAndCatchUp } from "./move-pause.ts";
import { type IdLocations, type MoveRequest, type MoveResult, type RunningMove, withMove } from "./move-session.ts";
import { assertSecretsDecrypt, copyEndpointState, copyJobs, removeJobs } from "./shared-rows.ts";
import { clearMove, readPhase, setPhase } from "./venue-location.ts";

/** What the old cell keeps: enough to know a token and to say that it should be tried again. */
export const KEPT_TABLES = ["restaurants", "tokens", "installations", "grants"];

/** How long the old cell still answers reads that had begun, before its rows are deleted. */
export const LATE_READS = { ms: 8000 };

export const moveVenue = (wanted: MoveRequest): Promise<MoveResult> =>
  withMove(wanted, async (move) => {
    const state = await readPhase(move.control, move.id);
    const isDecided = state?.phase === "moved";
    if (isDecided && state.other_cell !== move.there) throw new UserError(`${wanted.slug} has moved to cell ${state.other_cell} already.`);
    const copied = isDecided ? { rows: 0, pausedAt: performance.now() } : await copyAndDecide(move);
    await openInTarget(move);
    await wanted.onPhase?.("opened");
    const homes = await readIdLocations(move.to, move);
    await wanted.onOpen?.(homes);
    const pauseMs = Math.round(performance.now() - copied.pausedAt);
    await sleep(wanted.lateReadsMs ?? LATE_READS.ms);
    await removeJobs(move.control, move.ids);
    await deleteVenueRows(
      move.control,
      move.tables.filter(({ name }) => !KEPT_TABLES.includes(name)),
      move.ids,
    );
    await wanted.onPhase?.("cleaned");
    return { slug: wanted.slug, cell: move.there, rows: copied.rows, pauseMs, homes };
  });

/** The venue stays where it is, and nothing of it stays in the other cell. */
export const abortMove = (wanted: MoveRequest): Promise<void> =>
  withMove(wanted, async ({ control, to, ids, id, tables }) => {
    if ((await readPhase(control, id))?.phase === "moved")
      throw new UserError(`${wanted.slug} is in the other cell already: run the move again to finish it, and then move it back.`);
    await clearMove(control, ids);
    const there = await readPhase(to, id);
    if (there?.phase !== "arriving") return;
    await deleteVenueRows(to, tables, ids);
    await clearMove(to, ids);
  });

const assertTargetFree = async ({ to, id, ids, wanted, control }: RunningMove): Promise<void> => {
  const { rows } = await to.query<{ id: string }>("select id from app.restaurants where slug = $1", [wanted.slug]);
  const there = await readPhase(to, id);
  if (rows.some((row) => Number(row.id) !== id)) throw new UserError(`The other cell has a venue "${wanted.slug}" of its own.`);
  if (rows.length > 0 && there === null) throw new UserError(`${wanted.slug} is open in the other cell already. Nothing was touched.`);
  const { rows: plans } = await control.query<{ plan: string }>("select plan from app.restaurants where id = any($1::bigint[])", [ids]);
  const { rows: known } = await to.query<{ code: string }>("select code from app.plans");
  for (const { plan } of plans) if (!known.some(({ code }) => code === plan)) throw new UserError(`The other cell has no plan "${plan}".`);
};

/** The two sides of the copy: a snapshot of the source, and an uncommitted transaction in the target. */
const copyAndDecide = async (move: RunningMove): Promise<{ rows: number; pausedAt: number }> => {
  const { control, to, wanted, ids } = move;
  await assertTargetFree(move);
  await assertSecretsDecrypt(control, ids, wanted.encryptionKeys);
  await setPhase(control, ids, "copying", move.there);
  await wanted.onPhase?.("copying");
  await copySharedRows(move);
  await to.query("begin");
  try {
    const first = await copyWhileOpen(move);
    const { pausedAt, isDone } = await pauseAndCatchUp(move, first.mark);
    if (!isDone) throw new UserError(`${wanted.slug} could not be copied within its pause. It stays where it is; try at a quieter hour.`);
    return { rows: first.rows, pausedAt };
  } catch (error) {
    await to.query("rollback").catch(() => undefined);
    await clearMove(control, ids).catch(() => undefined);
    throw error;
  }
};

/** One commit again: addresses, jobs, an entry in the activity log, and the venue's phase. A second call changes nothing. */
const openInTarget = async ({ control, to, ids, id, here, there }: RunningMove): Promise<void> => {
  if ((await readPhase(to, id))?.phase !== "arriving") return;
  await to.query("begin");
  await copyEndpointState(control, to, ids);
  await copyJobs(control, to, ids);
  await to.query(
    `insert into app.audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id, before, after)
     values ($1, clock_timestamp(), 'operator', current_user, 'restaurant.moved', 'restaurant', $4, $2, $3)`,
    [id, { cell: here }, { cell: there }, String(id)],
  );
  await clearMove(to, ids);
  await to.query("commit");
};

const readIdLocations = async (client: pg.Client, { ids, there }: RunningMove): Promise<IdLocations> => {
  const read = async (table: "tokens" | "grants"): Promise<number[]> =>
    (await client.query<{ id: string }>(`select id from app.${table} where restaurant_id = any($1::bigint[]) order by id`, [ids])).rows.map(
      ({ id }) => Number(id),
    );
  return { cell: there, venues: [...ids], tokens: await read("tokens"), grants: await read("grants") };
};
