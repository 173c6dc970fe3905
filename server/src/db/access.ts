/**
 * Locks on access. A write holds its locks in shared mode from begin to commit and repeats its access check under them. A
 * revocation holds the same lock exclusively: it is answered after the writes that were running, and later writes see it.
 * ARCHITECTURE.md lists the order of all locks.
 */
import { sql } from "kysely";
import type { Db } from "./query.ts";

/** `app`: all writes of a marketplace app, in every venue. `person`: all writes of a person in the console. */
export type AccessLock = {
  readonly of: "venue" | "app" | "person";
  readonly id: number;
  readonly mode: "shared" | "exclusive";
};

const ORDER: readonly AccessLock["of"][] = ["venue", "app", "person"];

const isExclusive = ({ mode }: AccessLock): boolean => mode === "exclusive";

/** One order for everybody, and no lock in both modes: raising a shared lock could deadlock. */
const ordered = (locks: readonly AccessLock[]): AccessLock[] =>
  locks
    .filter((lock) => isExclusive(lock) || !locks.some((other) => isExclusive(other) && other.of === lock.of && other.id === lock.id))
    .sort((a, b) => ORDER.indexOf(a.of) - ORDER.indexOf(b.of) || a.id - b.id);

/** For the select list of a begin, which PostgreSQL evaluates from left to right. */
export const lockCalls = (locks: readonly AccessLock[]): string[] =>
  ordered(locks).map((lock) => {
    if (!Number.isSafeInteger(lock.id)) throw new TypeError("The id of a lock is an integer");
    return `lock_access('${lock.of}', ${lock.id}, ${isExclusive(lock)})`;
  });

/** For a revocation that learns inside its transaction whose sessions it ends. Sent before the first change. */
export const lockPersonOf = (db: Db, email: string): void =>
  db.later(sql`select lock_access('person', id, true) from people where email = ${email}`);
