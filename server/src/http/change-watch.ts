/**
 * Watches the changes of all venues that this process has open streams for. Streams are notified at once of commits of this process and, by
 * Redis, of others. One statement over all watched venues finds what was missed, and what has no number: deliveries and requests.
 *
 * A watched venue is
 * - quiet: the next change is told at once
 * - gathering: changes within `gatherMs` after that are told together at its end. When there is none it is quiet again
 * - behind: a number was skipped. It keeps its position, and the next reading tells what is missing
 * - reset: another epoch or a lower number, after a failover. Its streams are told that all may have changed
 */
import type { ChangeArea, NumberedArea } from "@comanda/contract/console/change-areas.ts";
import { runWithoutQueueScope } from "#db/queue-scope.ts";
import type { Log } from "#lib/context.ts";

/** Null for the areas: too much changed to list. */
export type ChangeMark = {
  restaurant_id: number;
  epoch: string;
  number: number;
  areas: NumberedArea[] | null;
  deliveries: string;
  requests: string;
};
export type ReadMarks = (known: readonly { restaurantId: number; number: number }[]) => Promise<ChangeMark[]>;

/** `id` is the position up to which the stream was notified of everything; null for the areas: all may have changed. */
export type ChangeNotice = { id: string; areas: ChangeArea[] | null };
type NoticeListener = (notice: ChangeNotice) => void;

/** `waiting` is what changed since the last notice; null: all may have changed. */
type WatchedVenue = {
  listeners: Set<NoticeListener>;
  mark: ChangeMark;
  waiting: Set<ChangeArea> | null;
  gatherMs: number;
  timer: NodeJS.Timeout | null;
};

export type ChangeWatch = {
  /** Resolves with the venue's position when every later change will be notified. */
  watch(restaurantId: number, listener: NoticeListener): Promise<{ id: string; stop(): void }>;
  /** A commit. Numbers may arrive late or twice. */
  tell(change: { restaurantId: number; number: number; areas: readonly NumberedArea[] }): void;
  /** When the last reading that succeeded began, by `performance.now()`. */
  lastReadAt(): number;
  stop(): void;
};

/**
 * The stream is notified of the first change at once, of what follows within this time together: a busy venue does not make its pages read
 * without a pause.
 */
const GATHER_MS = 300;

type WatchDeps = { readMarks: ReadMarks; everyMs: number; gatherMs?: number; log: Log };

export const createChangeWatch = ({ readMarks, everyMs, gatherMs = GATHER_MS, log }: WatchDeps): ChangeWatch => {
  const venues = new Map<number, WatchedVenue>();
  let lastReadAt = Number.NEGATIVE_INFINITY;
  const readAll = async (): Promise<void> => {
    const startedAt = performance.now();
    const known = [...venues].map(([restaurantId, { mark }]) => ({ restaurantId, number: mark.number }));
    const numbers = new Map(known.map(({ restaurantId, number }) => [restaurantId, number]));
    for (const mark of await readMarks(known)) applyMark(venues.get(mark.restaurant_id), mark, numbers.get(mark.restaurant_id) ?? 0);
    lastReadAt = startedAt;
  };
  const poll = createPoll(readAll, everyMs, log);
  return {
    async watch(restaurantId, listener) {
      const startedAt = performance.now();
      const mark = venues.get(restaurantId)?.mark ?? (await firstMark(readMarks, restaurantId));
      // While others are watched, only a reading of them all counts.
      if (venues.size === 0) lastReadAt = startedAt;
      // Another stream of the venue may have opened meanwhile.
      const venue: WatchedVenue = venues.get(restaurantId) ?? { listeners: new Set(), mark, waiting: new Set(), gatherMs, timer: null };
      venues.set(restaurantId, venue);
      venue.listeners.add(listener);
      poll.start();
      return {
        id: idOf(venue.mark),
        stop() {
          venue.listeners.delete(listener);
          if (venue.listeners.size > 0) return;
          venues.delete(restaurantId);
          if (venues.size === 0) poll.stop();
        },
      };
    },
    tell({ restaurantId, number, areas }) {
      const venue = venues.get(restaurantId);
      if (!venue || number <= venue.mark.number) return;
      // After a gap the position stays: the next reading finds what is missing.
      if (number === venue.mark.number + 1) venue.mark = { ...venue.mark, number };
      notify(venue, [...areas, "activity"]);
    },
    lastReadAt: () => lastReadAt,
    stop: poll.stop,
  };
};

const notify = (venue: WatchedVenue, areas: ChangeNotice["areas"]): void => {
  venue.waiting = areas === null || venue.waiting === null ? null : venue.waiting.union(new Set(areas));
  if (venue.timer === null) tellWaiting(venue);
};

const tellWaiting = (venue: WatchedVenue): void => {
  venue.timer = null;
  if (venue.waiting?.size === 0) return;
  const areas = venue.waiting && [...venue.waiting];
  venue.waiting = new Set();
  for (const listener of venue.listeners) listener({ id: idOf(venue.mark), areas });
  venue.timer = runWithoutQueueScope(() => setTimeout(() => tellWaiting(venue), venue.gatherMs).unref());
};

/** `knownNumber` is the position when the reading began: commits may have been notified since. */
const applyMark = (venue: WatchedVenue | undefined, mark: ChangeMark, knownNumber: number): void => {
  if (!venue) return;
  // After a failover to a server that lacked the last commits, their numbers are given again.
  const isBack = mark.epoch !== venue.mark.epoch || mark.number < knownNumber;
  const areas = isBack ? null : changedAreas(venue.mark, mark);
  venue.mark = { ...mark, number: isBack ? mark.number : Math.max(mark.number, venue.mark.number) };
  if (areas === null || areas.length > 0) notify(venue, areas);
};

/** One reading at a time, outside of the request that started it. */
const createPoll = (read: () => Promise<void>, everyMs: number, log: Log): { start(): void; stop(): void } => {
  let timer: NodeJS.Timeout | null = null;
  let isReading = false;
  const tick = (): void => {
    if (isReading) return;
    isReading = true;
    void read()
      .catch((error: unknown) => log.warn({ err: error }, "the changes of watched venues could not be read"))
      .finally(() => {
        isReading = false;
      });
  };
  return {
    start(): void {
      timer ??= runWithoutQueueScope(() => setInterval(tick, everyMs));
    },
    stop(): void {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
};

const idOf = ({ epoch, number }: ChangeMark): string => `${epoch}.${number}`;

const firstMark = async (readMarks: ReadMarks, restaurantId: number): Promise<ChangeMark> => {
  const [mark] = await readMarks([{ restaurantId, number: Number.MAX_SAFE_INTEGER }]);
  if (!mark) throw new Error("A venue has no change mark");
  return mark;
};

const changedAreas = (before: ChangeMark, now: ChangeMark): ChangeArea[] | null => {
  if (now.areas === null) return null;
  const numbered = now.number > before.number ? [...now.areas, "activity" as const] : [];
  const logs = (["deliveries", "requests"] as const).filter((area) => now[area] !== before[area]);
  return [...numbered, ...logs];
};
