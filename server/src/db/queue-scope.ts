/**
 * The queue in which a request's statements wait for a connection. Async local storage carries it through all work of the request, so that
 * its statements wait in the venue's queue, and are cancelled when the client disconnects. It decides scheduling only, never access.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export type QueueScope = {
  /** The queue while no venue is known. */
  readonly queue: string;
  /** The venue whose share the request uses; null while it is not known. */
  venue: number | null;
  /** The client disconnected or was refused: waiting statements are not started. */
  isCancelled: boolean;
  /** It was rejected to make room for other requests. */
  isShed: boolean;
};

const storage = new AsyncLocalStorage<QueueScope>();

export const newQueueScope = (queue: string, venue: number | null): QueueScope => ({ queue, venue, isCancelled: false, isShed: false });

export const currentQueueScope = (): QueueScope | undefined => storage.getStore();

export const runInQueueScope = <T>(queueScope: QueueScope, work: () => T): T => storage.run(queueScope, work);

/** Runs work that outlives the request that started it, such as a timer. */
export const runWithoutQueueScope = <T>(work: () => T): T => storage.exit(work);

/** The queue of a statement. Work without a request has background queues. */
export const queueFor = (tenantId: number | null): { queue: string; venue: number | null; queueScope: QueueScope | null } => {
  const queueScope = currentQueueScope() ?? null;
  const tenant = tenantId || null;
  const venue = queueScope?.venue ?? tenant;
  if (queueScope !== null) return { queueScope, venue, queue: venue === null ? queueScope.queue : `venue ${venue}` };
  return { queueScope, venue, queue: venue === null ? "background" : `background ${venue}` };
};
