/**
 * How far `listen` has forwarded to an address: stored on disk after each event was answered. A position belongs to a restaurant, and which
 * one it is only the service can say: so those of several restaurants are kept, and the service is asked.
 */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readJsonFile, stateFolder, writePrivateFile } from "./files.ts";
import { lock } from "./process-lock.ts";

export type Positions = {
  /** The last used first. */
  stored: readonly string[];
  /** Selects the position that `store` replaces; null when this restaurant has none yet. */
  choose(cursor: string | null): void;
  store(cursor: string): void;
  release(): void;
};

const RESTAURANTS_MAX = 10;

export const openPositions = (rootUrl: string, forwardTo: string): Positions => {
  const folder = stateFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = createHash("sha256").update(`${rootUrl}\n${forwardTo}`).digest("hex").slice(0, 16);
  const path = join(folder, `${name}.json`);
  // Two that forward to one address would each send every event, and overwrite each other's position.
  const release = lock(join(folder, `${name}.lock`), `forwards to ${forwardTo}`);
  const given = readJsonFile(path)?.positions;
  const stored = Array.isArray(given) ? given.filter((cursor): cursor is string => typeof cursor === "string") : [];
  let others: readonly string[] = stored;
  return {
    stored,
    choose(cursor) {
      others = stored.filter((one) => one !== cursor);
    },
    store(cursor) {
      const positions = [cursor, ...others].slice(0, RESTAURANTS_MAX);
      writePrivateFile(path, `${JSON.stringify({ root_url: rootUrl, forward_to: forwardTo, positions }, null, 2)}\n`);
    },
    release,
  };
};
