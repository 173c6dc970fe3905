/** Copies a venue while it works, and then what changed meanwhile, until little changes from one time to the next. */
import {
  applyChanges,
  type CopyContext,
  compareAllRows,
  copyAllRows,
  createStagingTables,
  deleteVenueRows,
  readSnapshotXmin,
} from "./change-capture.ts";
import type { RunningMove } from "./move-session.ts";
import { copyApps, copyUsers } from "./shared-rows.ts";
import { readEpochs, setEpoch, setPhase } from "./venue-location.ts";
import type { VenueTable } from "./venue-tables.ts";

/** The venue is paused when at most so many changes are left; until then changes are copied while it works. */
const SMALL_CHANGE_ROWS = 500;
const ROUNDS_MAX = 5;

/** Copied when the venue opens: without them no worker there finds anything to send. */
const COPIED_LAST = ["webhook_endpoint_state"];

export const copySharedRows = async ({ control, aside, ids }: RunningMove): Promise<void> => {
  await copyApps(control, aside, { ids });
  await copyUsers(control, aside, ids);
};

const inSnapshot = async <T>({ reader }: RunningMove, work: (mark: bigint) => Promise<T>): Promise<T> => {
  await reader.query("begin isolation level repeatable read read only");
  // Without `finally`: after a failed copy the reader can only be closed.
  const result = await work(await readSnapshotXmin(reader));
  await reader.query("commit");
  return result;
};

const copyContextOf = ({ reader, to, ids, totals }: RunningMove): CopyContext => ({ from: reader, to, ids, totals });
const tablesCopiedFirst = ({ tables }: RunningMove): VenueTable[] => tables.filter(({ name }) => !COPIED_LAST.includes(name));

export const copyWhileOpen = async (move: RunningMove): Promise<{ rows: number; mark: bigint }> => {
  const tables = tablesCopiedFirst(move);
  // Rows of an earlier attempt, or of an earlier stay of the venue in that cell.
  await deleteVenueRows(move.to, move.tables, move.ids);
  await setPhase(move.to, move.ids, "arriving", move.here);
  for (const [id, epoch] of await readEpochs(move.control, move.ids)) await setEpoch(move.to, id, epoch + 1);
  await createStagingTables(move.to, tables);
  let [rows, mark] = await inSnapshot(move, async (current): Promise<[number, bigint]> => {
    const count = await copyAllRows(copyContextOf(move), tables);
    await compareAllRows(copyContextOf(move), tables);
    return [count, current];
  });
  await move.wanted.onPhase?.("copied");
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const since = mark;
    await copySharedRows(move);
    const [changed, next] = await applyChangesOnce(move, since);
    [rows, mark] = [rows + changed, next];
    if (changed <= SMALL_CHANGE_ROWS) break;
  }
  return { rows, mark };
};

export const applyChangesOnce = (move: RunningMove, since: bigint): Promise<[number, bigint]> =>
  inSnapshot(move, async (current) => [await applyChanges(copyContextOf(move), tablesCopiedFirst(move), since), current]);
