/**
 * How far `listen` has forwarded to an address: stored on disk after each event was answered. A position belongs to a restaurant, and which
 * one it is only the service can say: so those of several restaurants are kept, and the service is asked.
 */
import { createHash } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError, EXIT } from "./errors.ts";
import { readJsonFile, stateFolder, writePrivateFile } from "./files.ts";

export type Positions = {
  /** The last used first. */
  stored: readonly string[];
  /** From here on `store` replaces this one; null when it is a restaurant that has none yet. */
  choose(cursor: string | null): void;
  store(cursor: string): void;
  release(): void;
};

const RESTAURANTS_MAX = 10;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

/** The file has its content before it has its name, so that no process reads an empty one. False when the name is taken. */
const give = (path: string, own: string): boolean => {
  const beside = `${path}.${process.pid}.new`;
  writeFileSync(beside, own, { mode: 0o600 });
  try {
    linkSync(beside, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(beside, { force: true });
  }
};

/** A process that has the lock or a claim, other than this one: its own id may be there from before the machine was started again. */
const isHeldBy = (text: string): boolean => {
  const pid = Number(text);
  return pid > 0 && pid !== process.pid && isRunning(pid);
};

const CLAIM_WAIT_MS = 5;
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/**
 * Of several that find the same stale lock only the one with the claim on it replaces it, and looks again before: the lock may have been
 * replaced since it was read. The new lock takes the name in one step, so the name is never free meanwhile.
 */
const takeOver = (path: string, stale: string): boolean => {
  const claim = `${path}.${createHash("sha256").update(stale).digest("hex").slice(0, 8)}.claim`;
  if (!give(claim, String(process.pid))) {
    const holder = read(claim);
    if (holder !== null && !isHeldBy(holder))
      throw new CommandError(
        EXIT.failed,
        `A process ended while it took over from another one. Delete ${claim} and run the command again.`,
      );
    pause(CLAIM_WAIT_MS);
    return false;
  }
  try {
    if (read(path) !== stale || isHeldBy(stale)) return false;
    writePrivateFile(path, String(process.pid));
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
};

/** Two that forward to one address would each send every event, and overwrite each other's position. */
const lock = (path: string, forwardTo: string): void => {
  while (!give(path, String(process.pid))) {
    const found = read(path);
    if (found === null) continue;
    if (isHeldBy(found))
      throw new CommandError(
        EXIT.failed,
        `Process ${Number(found)} forwards to ${forwardTo} already. Stop it first; if it is another program, delete ${path}`,
      );
    if (takeOver(path, found)) return;
  }
};

export const openPositions = (rootUrl: string, forwardTo: string): Positions => {
  const folder = stateFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = createHash("sha256").update(`${rootUrl}\n${forwardTo}`).digest("hex").slice(0, 16);
  const path = join(folder, `${name}.json`);
  const lockPath = join(folder, `${name}.lock`);
  lock(lockPath, forwardTo);
  const given = readJsonFile(path)?.positions;
  const stored = Array.isArray(given) ? given.filter((cursor): cursor is string => typeof cursor === "string") : [];
  let others: readonly string[] = stored;
  const release = (): void => {
    if (read(lockPath) === String(process.pid)) rmSync(lockPath, { force: true });
  };
  process.once("exit", release);
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
