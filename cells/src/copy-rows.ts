/** Copies rows from one database into another by COPY; neither side holds more of them than a few network buffers. */
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

/**
 * `select` reads on one side what `into`, a table with its columns, takes on the other. Returns the number of rows. If the target fails,
 * the connection of the source remains in the middle of its COPY, and can only be closed.
 */
export const copyRows = async (from: pg.ClientBase, select: string, to: pg.ClientBase, into: string): Promise<number> => {
  const target = to.query(copyFrom(`copy ${into} from stdin`));
  await pipeline(from.query(copyTo(`copy (${select}) to stdout`)), target);
  return target.rowCount;
};
