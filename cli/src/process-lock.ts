/** A lock file with the id of its process: of those that run at the same time one has it. */
import { createHash } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { CommandError, EXIT } from "./errors.ts";
import { writePrivateFile } from "./files.ts";

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
const createIfAbsent = (path: string, own: string): boolean => {
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
 * Several processes may find the same stale lock. Only the process with the claim on it replaces it, and it reads the lock again before:
 * the lock may have been replaced since. The new lock takes the name in one step, so the name is never free meanwhile.
 */
const takeOver = (path: string, stale: string): boolean => {
  const claim = `${path}.${createHash("sha256").update(stale).digest("hex").slice(0, 8)}.claim`;
  if (!createIfAbsent(claim, String(process.pid))) {
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

/** Returns what gives it back; the end of the process does so as well. Refused while a process that runs has it: `doing` says what that one does. */
export const lock = (path: string, doing: string): (() => void) => {
  const release = (): void => {
    if (read(path) === String(process.pid)) rmSync(path, { force: true });
  };
  while (!createIfAbsent(path, String(process.pid))) {
    const found = read(path);
    if (found === null) continue;
    if (isHeldBy(found))
      throw new CommandError(
        EXIT.failed,
        `Process ${Number(found)} ${doing} already. Stop it first; if it is another program, delete ${path}`,
      );
    if (takeOver(path, found)) break;
  }
  process.once("exit", release);
  return release;
};
