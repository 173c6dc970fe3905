/**
 * Locks on access. A write holds its locks in shared mode from begin to commit and repeats its access check under them. A
 * revocation holds the same lock exclusively: it is answered after the writes that were running, and later writes see it.
 * ARCHITECTURE.md lists the order of all locks.
 */
import type { LockMode } from "#lib/context.ts";

/** `app`: all writes of a marketplace app, in every venue. `person`: all writes of a user in the console. */
export type AccessLock = {
  readonly of: "venue" | "app" | "person";
  readonly id: number;
  readonly mode: LockMode;
};

const ORDER: readonly AccessLock["of"][] = ["venue", "app", "person"];

const isExclusive = ({ mode }: AccessLock): boolean => mode === "exclusive";

/** One order for all transactions, and no lock in both modes: raising a shared lock to an exclusive one can deadlock. */
const ordered = (locks: readonly AccessLock[]): AccessLock[] =>
  locks
    .filter((lock) => isExclusive(lock) || !locks.some((other) => isExclusive(other) && other.of === lock.of && other.id === lock.id))
    .sort((a, b) => ORDER.indexOf(a.of) - ORDER.indexOf(b.of) || a.id - b.id);

/** PostgreSQL evaluates the select list of the begin from left to right, so the locks are taken in this order. */
export const lockCalls = (locks: readonly AccessLock[]): string[] =>
  ordered(locks).map((lock) => {
    if (!Number.isSafeInteger(lock.id)) throw new TypeError("The id of a lock is an integer");
    return `lock_access('${lock.of}', ${lock.id}, ${isExclusive(lock)})`;
  });
