/**
 * Which statement or transaction may use a connection next. They wait in one queue per venue, and the queues take turns. A venue may use
 * everything while it is alone. While other venues are active it runs at most its share at once, because what has begun cannot be
 * interrupted: their next request would wait until something long has ended.
 */
export type Entry = {
  /** Entries of one queue are served in their order; queues take turns. */
  readonly queue: string;
  /** The venue that it is done for; null while that is not known, or when it is for none. */
  readonly venue: number | null;
  /** What it is a part of. A request that has begun may go on, so that its statements of one moment stay one round trip. */
  readonly unit: object;
  /** A read that may share a connection with other reads. */
  readonly isShared: boolean;
  /** A request, which may be refused to make room for others; background work may not. */
  readonly isRequest: boolean;
  /** Its result is not needed any more. */
  isGone(): boolean;
};

export type TurnQueue<E extends Entry> = {
  add(entry: E, nowMs: number): void;
  /** What begins now on one connection: one entry, or several that share it. Empty when nothing may begin. */
  take(nowMs: number): E[];
  /** More reads for a connection that has so many already. */
  join(sharers: number, nowMs: number): E[];
  /** An entry that was taken has ended. */
  end(entry: E): void;
  /** The connection of one `take` is free again. */
  free(): void;
  /** Removes the entries that have waited since before this moment. */
  removeOlder(sinceMs: number): E[];
  /** Removes all that the newest request in the longest queue waits for, if that queue is longer than this one would become. */
  removeFromLongest(thanQueue: string): E[];
  waiting(): number;
  /** Connections in use. */
  busy(): number;
};

export type Limits<E> = {
  connections: number;
  /** How many reads share a connection. */
  sharersMax: number;
  onGone(entry: E): void;
};

/** So long after its last statement a venue is about to ask the next one. */
export const PRESENT_MS = 100;
/** So long after its last statement a venue may come back: longer than a client that polls waits. */
export const ACTIVE_MS = 10_000;

/**
 * How many requests of one venue run at once, by the time since another venue asked for something. A half leaves connections free for the
 * others, however long its statements take. A fifth keeps the event loop free for their next steps too: beside a flood that had half of ten
 * connections another venue's requests took 4 to 5 times as long as without it, beside one that had two they took less than twice as long.
 */
export const shareOf = (connections: number, sinceOtherMs: number): number => {
  if (sinceOtherMs >= ACTIVE_MS) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor(connections / (sinceOtherMs < PRESENT_MS ? 5 : 2)));
};

type Seen = { venue: number; atMs: number };
type Held<E> = { entry: E; sinceMs: number };

type Queue<E> = {
  readonly name: string;
  readonly venue: number | null;
  readonly isOfRequests: boolean;
  /** Those that need a connection of their own, and those that share one: each oldest first. */
  readonly single: Held<E>[];
  readonly shared: Held<E>[];
  /** The requests that have begun, and how many statements of each run. */
  readonly running: Map<object, number>;
};

const newQueue = <E extends Entry>({ queue: name, venue, isRequest }: E): Queue<E> => ({
  name,
  venue,
  isOfRequests: isRequest,
  single: [],
  shared: [],
  running: new Map(),
});

const lengthOf = ({ single, shared }: Queue<unknown>): number => single.length + shared.length;

const sharedOf = <E>({ shared }: Queue<E>): Held<E>[] => shared;

/** The oldest of both, and of the same moment the read. */
const olderOf = <E>({ single, shared }: Queue<E>): Held<E>[] => {
  const [first, firstShared] = [single[0], shared[0]];
  return first === undefined || (firstShared !== undefined && firstShared.sinceMs <= first.sinceMs) ? shared : single;
};

/** Of a queue in which something waits. */
const newestOf = <E>({ single, shared }: Queue<E>): Held<E> => {
  const [last, lastShared] = [single.at(-1), shared.at(-1)];
  return (last === undefined || (lastShared !== undefined && lastShared.sinceMs >= last.sinceMs) ? lastShared : last) as Held<E>;
};

/** The longest queue of requests, if any is longer than this. */
const longerThan = <E>(least: number, queues: Iterable<Queue<E>>): Queue<E> | null => {
  let [longest, length]: [Queue<E> | null, number] = [null, least];
  for (const queue of queues) if (queue.isOfRequests && lengthOf(queue) > length) [longest, length] = [queue, lengthOf(queue)];
  return longest;
};

const noteBegun = ({ running }: Queue<unknown>, { unit }: Entry): void => void running.set(unit, (running.get(unit) ?? 0) + 1);

const noteEnded = (queue: Queue<unknown> | undefined, { unit }: Entry): void => {
  const count = queue?.running.get(unit);
  if (!queue || count === undefined) throw new Error("An entry ended that had not begun");
  if (count > 1) queue.running.set(unit, count - 1);
  else queue.running.delete(unit);
};

/** How long ago another venue asked for something. The last two venues that differ are enough to know. */
const watchVenues = () => {
  let last: Seen | null = null;
  let other: Seen | null = null;
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

/** All queues that hold something or have something running, and those of them that wait, the next one first. */
const createRound = <E extends Entry>({ connections, onGone }: Pick<Limits<E>, "connections" | "onGone">) => {
  const known = new Map<string, Queue<E>>();
  const turns = new Map<string, Queue<E>>();
  const venues = watchVenues();
  let waiting = 0;
  const tidy = (queue: Queue<E>): void => {
    if (lengthOf(queue) > 0) return;
    turns.delete(queue.name);
    if (queue.running.size === 0) known.delete(queue.name);
  };
  const remove = (queue: Queue<E>, from: Held<E>[], at: number): E => {
    const held = at === 0 ? from.shift() : from.splice(at, 1)[0];
    waiting--;
    tidy(queue);
    return (held as Held<E>).entry;
  };
  const mayBegin = (queue: Queue<E>, { unit }: E, nowMs: number): boolean =>
    queue.running.has(unit) || queue.running.size < shareOf(connections, venues.sinceOtherMs(queue.venue, nowMs));
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
    /** The first of the entries that are picked, if it may begin. Its queue goes behind all others. */
    begin(queue: Queue<E>, pick: (from: Queue<E>) => Held<E>[], nowMs: number): E | null {
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

/** Ways to leave the queues without having begun. */
const removalsFrom = <E extends Entry>({
  known,
  turns,
  remove,
}: ReturnType<typeof createRound<E>>): Pick<TurnQueue<E>, "removeOlder" | "removeFromLongest"> => ({
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

export const createTurnQueue = <E extends Entry>({ connections, sharersMax, onGone }: Limits<E>): TurnQueue<E> => {
  const round = createRound<E>({ connections, onGone });
  const { turns } = round;
  let busy = 0;
  /** One read of each queue in turn. A queue that has more goes to the end of `turns`, so this loop comes to it again. */
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
