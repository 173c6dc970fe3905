/** A restored copy: what it would send, and its release. Until then nothing is sent from it and no venue is served. */

import type { RestoredConfig } from "@comanda/server/config.ts";
import { readIdentity, recordIdentity } from "@comanda/server/db/database-identity.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import type pg from "pg";
import { applyComparison, compareLocations, type KnownLocation, type LocationComparison, readCellState } from "./compare.ts";
import { connectTo, readDatabaseFacts } from "./connections.ts";
import { skipUsedIds } from "./id-sequences.ts";
import {
  type ANY_TIME,
  type CancelledCount,
  cancelUnsent,
  type LatestActivity,
  readLatestActivity,
  readUnsent,
  requeueRemaining,
  type UnsentCount,
} from "./unsent.ts";

export type RestoredStatus = LatestActivity & {
  cell: number;
  is_copy: boolean;
  recorded_as: string;
  recorded_at: Date;
  waiting: UnsentCount[];
};

export const readRestored = ({ url }: Pick<RestoredConfig, "url">): Promise<RestoredStatus> =>
  withClients([url], async ([client]) => {
    const { cell } = await readDatabaseFacts(client);
    const { isRecorded, recordedName, recordedAt } = await readIdentity(client);
    const facts = { cell, is_copy: !isRecorded, recorded_as: recordedName, recorded_at: recordedAt };
    return { ...facts, ...(await readLatestActivity(client)), waiting: await readUnsent(client) };
  });

export type ReleaseRequest = RestoredConfig & {
  /** What was due before is given up; null: everything is sent. */
  before: Date | typeof ANY_TIME | null;
  /** Releases it although other cells were not compared. */
  skipsCells?: boolean;
};

export type ReleaseResult = Pick<LocationComparison, "away" | "missing"> & {
  cell: number;
  given_up: CancelledCount;
  compared_cells: number[];
  skipped_ids: string[];
};

/** One commit: before it nothing is different, after it processes serve and send by themselves. */
export const releaseCopy = (wanted: ReleaseRequest): Promise<ReleaseResult> =>
  withClients([wanted.url, ...wanted.otherUrls], async ([here, ...others]) => {
    const { cell } = await checkRelease(wanted, here);
    const states = await Promise.all(others.map((other) => readCellState(other)));
    checkCells(
      wanted,
      cell,
      states.map(({ cell: number }) => number),
    );
    await here.query("begin");
    try {
      await here.query("select from app.database_identity for update");
      const comparison = compareLocations(await readCellState(here), states);
      assertClear(comparison.unclear);
      await applyComparison(here, comparison);
      const skipped_ids = await skipUsedIds(here, others, cell);
      const given_up = wanted.before === null ? { venues: 0, jobs: 0, deliveries: 0 } : await cancelUnsent(here, wanted.before);
      await requeueRemaining(here);
      await recordIdentity(here);
      await here.query("commit");
      const { away, missing } = comparison;
      return { cell, given_up, compared_cells: states.map(({ cell: number }) => number), away, missing, skipped_ids };
    } catch (error) {
      await here.query("rollback").catch(() => undefined);
      throw error;
    }
  });

const checkRelease = async ({ outbound }: ReleaseRequest, here: pg.Client): Promise<{ cell: number }> => {
  const { bypassesRls: able, cell } = await readDatabaseFacts(here);
  if (!able) throw new UserError("A release reads without row level security: give it the owner of the schema.");
  // On a database that was not restored this would give up what is about to be sent.
  if (outbound === "on" && (await readIdentity(here)).isRecorded)
    throw new UserError(
      "This database is no restored copy, so there is nothing to release. After a recovery in place, set OUTBOUND=off for every process and for this command.",
    );
  return { cell };
};

const checkCells = ({ isOneOfSeveral, cells, skipsCells = false }: ReleaseRequest, cell: number, others: number[]): void => {
  if (others.includes(cell)) throw new UserError(`CELL_DATABASE_URLS names cell ${cell} itself: it is for the other cells.`);
  if (new Set(others).size < others.length) throw new UserError("CELL_DATABASE_URLS names a cell twice.");
  const wanted = Math.max(cells - 1, isOneOfSeveral ? 1 : 0);
  if (others.length < wanted && !skipsCells)
    throw new UserError(
      `A venue may have moved to another cell since the copy was made. Name the databases of all other cells in CELL_DATABASE_URLS (${others.length} of ${wanted} are there), or say --skip-cells if none of their venues was ever here.`,
    );
};

const assertClear = (unclear: readonly KnownLocation[]): void => {
  if (unclear.length > 0)
    throw new UserError(
      `Two cells serve the same venue, so it is not clear which one is right: ${unclear.map(({ slug }) => slug).join(", ")}. Nothing was changed.`,
    );
};

type CellClients = [pg.Client, ...pg.Client[]];

const withClients = async <T>(urls: readonly string[], work: (clients: CellClients) => Promise<T>): Promise<T> => {
  const clients: pg.Client[] = [];
  try {
    for (const url of urls) clients.push(await connectTo(url));
    return await work(clients as CellClients);
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
  }
};
