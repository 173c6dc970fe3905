/** The pause of a move: writes of the venue wait while the last changes are copied, and one commit decides which cell has it. */
import { setTimeout as sleep } from "node:timers/promises";
import { WORKER_LOCK_CLASS } from "@comanda/server/db/worker-lock.ts";
import { applyChangesOnce, copySharedRows } from "./move-copy.ts";
import type { RunningMove } from "./move-session.ts";
import { countRunningJobs } from "./shared-rows.ts";
import { commitMove, pauseWrites, setPhase } from "./venue-location.ts";

/** The longest pause of a venue. Most of it is a reserve for slow machines. */
const PAUSE_MS_MAX = 10_000;
const PAUSES_MAX = 3;
/** A send may take ten seconds, and a worker's turn with an address two. */
const SENDING_WAIT_MS_MAX = 15_000;

/** Pauses the venue, copies the last changes and commits the move. When that takes too long the venue opens again; at most `PAUSES_MAX` attempts. */
export const pauseAndCatchUp = async (move: RunningMove, first: bigint): Promise<{ pausedAt: number; isDone: boolean }> => {
  const { control, to, ids, wanted } = move;
  await setPhase(control, ids, "draining", move.there);
  await wanted.onPhase?.("draining");
  await claimEndpoints(move);
  let mark = first;
  for (let attempt = 0; attempt < PAUSES_MAX; attempt++) {
    await setPhase(control, ids, "draining", move.there);
    await copySharedRows(move);
    [, mark] = await applyChangesOnce(move, mark);
    const pausedAt = performance.now();
    await pauseWrites(control, ids, PAUSE_MS_MAX);
    await wanted.onPhase?.("paused");
    [, mark] = await applyChangesOnce(move, mark);
    if (performance.now() - pausedAt >= PAUSE_MS_MAX) continue;
    await to.query("commit");
    await wanted.onPhase?.("arrived");
    // The rows become visible to others now. If the move is not committed, the next attempt starts from the beginning.
    const isDone = await commitMove(control, ids);
    if (isDone) await wanted.onPhase?.("decided");
    return { pausedAt, isDone };
  }
  return { pausedAt: 0, isDone: false };
};

/**
 * This command claims every endpoint of the venue as a worker does, so that no worker sends while it moves; jobs that have
 * begun are waited for. After the longest wait the move goes on: a delivery that is still being sent is recorded before the
 * pause, or the other cell sends it again. If the command ends, its lock ends with it and the workers continue.
 */
const claimEndpoints = async ({ control, ids }: RunningMove): Promise<void> => {
  const { rows } = await control.query<{ me: number }>("select pg_backend_pid() as me");
  const me = rows[0]?.me ?? 0;
  await control.query("select pg_advisory_lock($1::integer, $2::integer)", [WORKER_LOCK_CLASS, me]);
  for (const deadline = performance.now() + SENDING_WAIT_MS_MAX; performance.now() < deadline; await sleep(50)) {
    await control.query(
      `update app.webhook_endpoint_state set worker = $2, leased_until = clock_timestamp() + interval '1 hour' where restaurant_id = any($1::bigint[])
         and (leased_until is null or leased_until <= clock_timestamp() or worker not in (select objid::integer from pg_locks
           where locktype = 'advisory' and classid = $3 and granted and database = (select oid from pg_database where datname = current_database())))`,
      [ids, me, WORKER_LOCK_CLASS],
    );
    const { rowCount } = await control.query(
      "select from app.webhook_endpoint_state where restaurant_id = any($1::bigint[]) and worker is distinct from $2",
      [ids, me],
    );
    if (rowCount === 0 && (await countRunningJobs(control, ids)) === 0) return;
  }
};
