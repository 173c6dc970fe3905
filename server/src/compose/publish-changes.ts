/** Tells the other processes of a cell about this process's commits, by Redis. Without it they find them by reading. */
import type { Redis } from "ioredis";
import type pg from "pg";
import { type CommittedChanges, onCommittedChanges } from "#db/changes.ts";
import { sha256 } from "#lib/token-format.ts";

/** Commits of this time are one message: Redis has the same work for a busy process as for a quiet one. */
const PUBLISH_EVERY_MS = 20;

/** A channel of this database: two installations may share a Redis. */
export const changeChannel = (cursorKey: Buffer): string => `changes:${sha256(cursorKey.toString("hex")).toString("hex").slice(0, 16)}`;

/** Nothing for a text that is no message of ours: Redis may be shared with other programs. */
export const readPublished = (text: string): CommittedChanges[] => {
  try {
    const changes: unknown = JSON.parse(text);
    return Array.isArray(changes) ? changes.filter(isCommittedChanges) : [];
  } catch {
    return [];
  }
};

const isCommittedChanges = (value: Partial<CommittedChanges> | null): value is CommittedChanges =>
  typeof value?.restaurantId === "number" && typeof value.number === "number" && Array.isArray(value.areas);

export const publishChanges = (pool: pg.Pool, redis: Redis, cursorKey: Buffer): void => {
  let waiting: CommittedChanges[] = [];
  const publish = (): void => {
    const message = JSON.stringify(waiting);
    waiting = [];
    // A message that is lost is found by the next reading.
    redis.publish(changeChannel(cursorKey), message).catch(() => undefined);
  };
  onCommittedChanges(pool, (changes) => {
    if (waiting.push(changes) === 1) setTimeout(publish, PUBLISH_EVERY_MS);
  });
};
