/**
 * Decides which statement or transaction gets a connection next: one queue per venue, round robin over the queues. A venue may use all
 * connections while no other is active. Otherwise it runs at most its share, because running work cannot be interrupted and the next
 * request of another venue would wait for it.
 *
 * An entry is waiting (`add`), running (`take` or `join`) and ended (`end`). A waiting one can be removed instead: as gone, as too old, or
 * as the newest of the longest queue. A running one cannot.
 *
 * A venue is
 * - alone: no other had a statement for `ACTIVE_MS`. It may use all connections
 * - beside others: half of the connections, and a fifth while another had a statement within `PRESENT_MS`
 * - resting: it used too much of the main thread beside others. None of its requests starts; those that have started go on
 */
export type ScheduledEntry = {
  /** Entries of one queue start in their order; queues alternate. */
  readonly queue: string;
  /** The venue it runs for; null when it is not known or there is none. */
  readonly venue: number | null;
  /** The request it belongs to. A request that has started may continue, so that its parallel statements stay one round trip. */
  readonly unit: object;
  /** A read that may share a connection with other reads. */
  readonly isShared: boolean;
  /** A request may be rejected to make room for others; background work may not. */
  readonly isRequest: boolean;
  /** Its result is not needed any more. */
  isGone(): boolean;
};

export type FairScheduler<E extends ScheduledEntry> = {
  add(entry: E, nowMs: number): void;
  /** The entries that start now on one connection: one, or several reads that share it. Empty when none may start. */
  take(nowMs: number): E[];
  /** More reads for a connection that already has this many. */
  join(sharers: number, nowMs: number): E[];
  /** An entry that was taken has ended. */
  end(entry: E): void;
  /** The connection of a `take` is free. */
  free(): void;
  /** Removes the entries that were added before this time. */
  removeOlder(sinceMs: number): E[];
  /** Removes all entries of the newest request in the longest queue, if that queue is longer than this one would become. */
  removeFromLongest(thanQueue: string): E[];
  waiting(): number;
  /** Connections in use. */
  busy(): number;
};

export type SchedulerLimits<E> = {
  connections: number;
  /** Whether the venue has used more of the main thread than it may while others are active. */
  isResting?(venue: number | null, nowMs: number): boolean;
  /** How many reads share a connection. */
  sharersMax: number;
  onGone(entry: E): void;
};

/** A venue counts as busy for this long after its last statement. */
export const PRESENT_MS = 100;
/** A venue counts as active for this long after its last statement: longer than the interval of a polling client. */
export const ACTIVE_MS = 10_000;

/**
 * The concurrent requests of one venue, by the time since another venue's last statement. Half leaves connections for the others. A fifth
 * also keeps the event loop free for them: beside a flood on five of ten connections another venue's requests took 4 to 5 times as long,
 * beside a flood on two of ten less than twice as long.
 */
export const shareOf = (connections: number, sinceOtherMs: number): number => {
  if (sinceOtherMs >= ACTIVE_MS) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor(connections / (sinceOtherMs < PRESENT_MS ? 5 : 2)));
};

type VenueActivity = { venue: number; atMs: number };
type WaitingEntry<E> = { entry: E; sinceMs: number };

type VenueQueue<E> = {
  readonly name: string;
  readonly venue: number | null;
  readonly isOfRequests: boolean;
  /** Entries that need a connection of their own, and reads that share one; oldest first. */
  readonly single: WaitingEntry<E>[];
  readonly shared: WaitingEntry<E>[];
  /** Started requests, with the number of their running statements. */
  readonly running: Map<object, number>;
};

const newQueue = <E extends ScheduledEntry>({ queue: name, venue, isRequest }: E): VenueQueue<E> => ({
  name,
  venue,
  isOfRequests: isRequest,
  single: [],
  shared: [],
  running: new Map(),
});

const lengthOf = ({ single, shared }: VenueQueue<unknown>): number => single.length + shared.length;

const sharedOf = <E>({ shared }: VenueQueue<E>): WaitingEntry<E>[] => shared;

/** The list with the oldest entry; at equal times the reads. */
const olderOf = <E>({ single, shared }: VenueQueue<E>): WaitingEntry<E>[] => {
  const [first, firstShared] = [single[0], shared[0]];
  return first === undefined || (firstShared !== undefined && firstShared.sinceMs <= first.sinceMs) ? shared : single;
};

/** The newest entry of a queue that is not empty. */
const newestOf = <E>({ single, shared }: VenueQueue<E>): WaitingEntry<E> => {
  const [last, lastShared] = [single.at(-1), shared.at(-1)];
  return (last === undefined || (lastShared !== undefined && lastShared.sinceMs >= last.sinceMs) ? lastShared : last) as WaitingEntry<E>;
};

/** The longest queue of requests, if any is longer than this. */
const longerThan = <E>(least: number, queues: Iterable<VenueQueue<E>>): VenueQueue<E> | null => {
  let [longest, length]: [VenueQueue<E> | null, number] = [null, least];
  for (const queue of queues) if (queue.isOfRequests && lengthOf(queue) > length) [longest, length] = [queue, lengthOf(queue)];
  return longest;
};

const noteBegun = ({ running }: VenueQueue<unknown>, { unit }: ScheduledEntry): void =>
  void running.set(unit, (running.get(unit) ?? 0) + 1);

const noteEnded = (queue: VenueQueue<unknown> | undefined, { unit }: ScheduledEntry): void => {
  const count = queue?.running.get(unit);
  if (!queue || count === undefined) throw new Error("An entry ended that had not begun");
  if (count > 1) queue.running.set(unit, count - 1);
  else queue.running.delete(unit);
};

/** The time since another venue's last statement. Remembering the last two different venues is enough. */
const watchVenues = () => {
  let last: VenueActivity | null = null;
  let other: VenueActivity | null = null;
  return {
    see(venue: number | null, atMs: number): void {
      if (venue === null) return;
      if (last !== null && last.venue !== venue) other = last;
      last = { venue, atMs };
    },
    sinceOtherMs(venue: number | null, nowMs: number): number {
      const seen = last?.venue === venue ? other : last;
      return seen === null ? Number.POSITIVE_INFINITY : nowMs - seen.atMs;
    },
  };
};

type Allowed = (venue: number | null, nowMs: number) => number;

/** How many requests of a venue run at once: none while it rests beside others. */
const allowanceOf =
  (
    { connections, isResting }: Pick<SchedulerLimits<never>, "connections" | "isResting">,
    venues: ReturnType<typeof watchVenues>,
  ): Allowed =>
  (venue, nowMs) => {
    const sinceOtherMs = venues.sinceOtherMs(venue, nowMs);
    return sinceOtherMs < ACTIVE_MS && isResting?.(venue, nowMs) ? 0 : shareOf(connections, sinceOtherMs);
  };

/** All queues with waiting or running entries, and the waiting ones in round-robin order. */
const createRound = <E extends ScheduledEntry>({ onGone, ...limits }: Omit<SchedulerLimits<E>, "sharersMax">) => {
  const known = new Map<string, VenueQueue<E>>();
  const turns = new Map<string, VenueQueue<E>>();
  const venues = watchVenues();
  const allowed = allowanceOf(limits, venues);
  let waiting = 0;
  const tidy = (queue: VenueQueue<E>): void => {
    if (lengthOf(queue) > 0) return;
    turns.delete(queue.name);
    if (queue.running.size === 0) known.delete(queue.name);
  };
  const remove = (queue: VenueQueue<E>, from: WaitingEntry<E>[], at: number): E => {
    const held = at === 0 ? from.shift() : from.splice(at, 1)[0];
    waiting--;
    tidy(queue);
    return (held as WaitingEntry<E>).entry;
  };
  const mayBegin = ({ running, venue }: VenueQueue<E>, { unit }: E, nowMs: number): boolean =>
    running.has(unit) || running.size < allowed(venue, nowMs);
  return {
    known,
    turns,
    remove,
    waiting: () => waiting,
    add(entry: E, nowMs: number): void {
      venues.see(entry.venue, nowMs);
      const queue = known.get(entry.queue) ?? newQueue(entry);
      known.set(queue.name, queue);
      if (!turns.has(queue.name)) turns.set(queue.name, queue);
      (entry.isShared ? queue.shared : queue.single).push({ entry, sinceMs: nowMs });
      waiting++;
    },
    /** Starts the first of the picked entries, if it may start, and moves its queue to the end. */
    begin(queue: VenueQueue<E>, pick: (from: VenueQueue<E>) => WaitingEntry<E>[], nowMs: number): E | null {
      while (pick(queue)[0]?.entry.isGone()) onGone(remove(queue, pick(queue), 0));
      const from = pick(queue);
      const head = from[0];
      if (head === undefined || !mayBegin(queue, head.entry, nowMs)) return null;
      noteBegun(queue, head.entry);
      turns.delete(queue.name);
      turns.set(queue.name, queue);
      return remove(queue, from, 0);
    },
    end(entry: E): void {
      const queue = known.get(entry.queue);
      noteEnded(queue, entry);
      if (queue) tidy(queue);
    },
  };
};

/** Removes entries that have not started. */
const removalsFrom = <E extends ScheduledEntry>({
  known,
  turns,
  remove,
}: ReturnType<typeof createRound<E>>): Pick<FairScheduler<E>, "removeOlder" | "removeFromLongest"> => ({
  removeOlder(sinceMs) {
    const removed: E[] = [];
    for (const queue of turns.values())
      for (const from of [queue.single, queue.shared])
        while (from[0] !== undefined && from[0].sinceMs < sinceMs) removed.push(remove(queue, from, 0));
    return removed;
  },
  removeFromLongest(thanQueue) {
    const own = known.get(thanQueue);
    const longest = longerThan(own ? lengthOf(own) + 1 : 1, turns.values());
    if (longest === null || longest === own) return [];
    const { unit } = newestOf(longest).entry;
    const removed: E[] = [];
    for (const from of [longest.single, longest.shared])
      for (let at = from.length - 1; at >= 0; at--) if (from[at]?.entry.unit === unit) removed.push(remove(longest, from, at));
    return removed;
  },
});

export const createFairScheduler = <E extends ScheduledEntry>({ sharersMax, ...limits }: SchedulerLimits<E>): FairScheduler<E> => {
  const { connections } = limits;
  const round = createRound<E>(limits);
  const { turns } = round;
  let busy = 0;
  /** Takes one read of each queue in turn. A queue with more reads moves to the end of `turns`, so this loop visits it again. */
  const join = (sharers: number, nowMs: number): E[] => {
    const joined: E[] = [];
    for (const queue of turns.values()) {
      if (sharers + joined.length >= sharersMax) break;
      const entry = round.begin(queue, sharedOf, nowMs);
      if (entry) joined.push(entry);
    }
    return joined;
  };
  return {
    add: round.add,
    take(nowMs) {
      if (busy >= connections) return [];
      for (const queue of turns.values()) {
        const entry = round.begin(queue, olderOf, nowMs);
        if (!entry) continue;
        busy++;
        return entry.isShared ? [entry, ...join(1, nowMs)] : [entry];
      }
      return [];
    },
    join,
    end: round.end,
    free() {
      busy--;
    },
    ...removalsFrom(round),
    waiting: round.waiting,
    busy: () => busy,
  };
};
