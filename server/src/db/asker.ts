/**
 * For whom the database is asked, as far as waiting goes. A request carries this through everything that it sets off, so that whatever it
 * asks waits in the right queue, and not at all once its client has gone. It decides about turns only, never about rights.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export type Asker = {
  /** Where it waits as long as no venue is known. */
  readonly queue: string;
  /** The venue that pays for it with its turns; null while none is known. */
  venue: number | null;
  /** The client has hung up, or was refused: whatever still waits is not begun. */
  isGone: boolean;
  /** It had to make room for others. */
  isCrowdedOut: boolean;
};

const askers = new AsyncLocalStorage<Asker>();

export const newAsker = (queue: string, venue: number | null): Asker => ({ queue, venue, isGone: false, isCrowdedOut: false });

export const currentAsker = (): Asker | undefined => askers.getStore();

export const runAs = <T>(asker: Asker, work: () => T): T => askers.run(asker, work);

/** For what a request starts and others keep using, such as a timer: it belongs to nobody. */
export const runAsNobody = <T>(work: () => T): T => askers.exit(work);

/** In which queue a statement waits, and for whom. Work that no request asked for has queues of its own. */
export const queueFor = (tenantId: number | null): { queue: string; venue: number | null; asker: Asker | null } => {
  const asker = currentAsker() ?? null;
  const tenant = tenantId || null;
  const venue = asker?.venue ?? tenant;
  if (asker !== null) return { asker, venue, queue: venue === null ? asker.queue : `venue ${venue}` };
  return { asker, venue, queue: venue === null ? "background" : `background ${venue}` };
};
