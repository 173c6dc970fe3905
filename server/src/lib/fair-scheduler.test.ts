import { describe, expect, test } from "vitest";
import { ACTIVE_MS, createFairScheduler, PRESENT_MS, type ScheduledEntry, shareOf } from "./fair-scheduler.ts";

const CONNECTIONS = 10;
const FIFTH = CONNECTIONS / 5;
const HALF = CONNECTIONS / 2;

type Job = ScheduledEntry & { name: string; isLeaving: boolean };

let count = 0;
const job = (venue: number | null, more: Partial<Job> = {}): Job => {
  const name = more.name ?? `${venue}-${count++}`;
  const made: Job = {
    queue: `venue ${venue}`,
    venue,
    unit: {},
    isShared: false,
    isRequest: true,
    name,
    isLeaving: false,
    isGone: () => made.isLeaving,
    ...more,
  };
  return made;
};
const read = (venue: number, more: Partial<Job> = {}): Job => job(venue, { isShared: true, ...more });

const setUp = (connections = CONNECTIONS, isResting: (venue: number | null) => boolean = () => false) => {
  const gone: Job[] = [];
  const queue = createFairScheduler<Job>({ connections, sharersMax: 8, isResting, onGone: (entry) => gone.push(entry) });
  const add = (jobs: Job[], nowMs = 0): void => {
    for (const one of jobs) queue.add(one, nowMs);
  };
  /** All entries that start now, grouped by connection. */
  const takeAll = (nowMs = 0): Job[][] => {
    const taken: Job[][] = [];
    for (let next = queue.take(nowMs); next.length > 0; next = queue.take(nowMs)) taken.push(next);
    return taken;
  };
  const finish = (jobs: Job[]): void => {
    for (const one of jobs) queue.end(one);
    queue.free();
  };
  return { queue, gone, add, takeAll, finish };
};

const many = (venue: number, length: number, make: (venue: number) => Job = job): Job[] => Array.from({ length }, () => make(venue));
const venuesOf = (taken: Job[][]): (number | null)[] => taken.map(([first]) => first?.venue ?? null);

describe("a share", () => {
  test.each([
    [10, 0, 2],
    [10, PRESENT_MS, 5],
    [10, ACTIVE_MS - 1, 5],
    [10, ACTIVE_MS, Number.POSITIVE_INFINITY],
    [1, 0, 1],
    [3, PRESENT_MS, 1],
  ])("of %i connections, %i ms after another venue asked: %d", (connections, sinceMs, share) => {
    expect(shareOf(connections, sinceMs)).toBe(share);
  });
});

describe("a venue that has used more of the main thread than it may", () => {
  test("begins nothing while another is active, and goes on with what it has begun", () => {
    let resting: number | null = null;
    const { add, takeAll } = setUp(CONNECTIONS, (venue) => venue === resting);
    const begun = job(1);
    add([begun]);
    expect(takeAll().flat()).toEqual([begun]);
    resting = 1;
    add([job(2), job(1), job(1, { unit: begun.unit })]);
    expect(venuesOf(takeAll())).toEqual([2]);
    expect(venuesOf(takeAll(ACTIVE_MS))).toEqual([1, 1]);
  });

  test("is not held back while it is alone", () => {
    const { add, takeAll } = setUp(CONNECTIONS, () => true);
    add(many(1, 3));
    expect(takeAll()).toHaveLength(3);
  });
});

describe("one venue alone", () => {
  test("uses every connection, in the order in which it asked", () => {
    const { add, takeAll } = setUp();
    const jobs = many(1, 20);
    add(jobs);
    expect(takeAll().flat()).toEqual(jobs.slice(0, CONNECTIONS));
  });

  test("is not held to a share by its own background work, or by what belongs to no venue", () => {
    const { add, takeAll } = setUp();
    add([job(1, { queue: "background 1", isRequest: false }), job(null, { queue: "background" }), ...many(1, 20)]);
    expect(takeAll()).toHaveLength(CONNECTIONS);
  });

  test("puts eight reads on a connection", () => {
    const { add, takeAll } = setUp();
    add(many(1, 20, read));
    expect(takeAll().map((sharers) => sharers.length)).toEqual([8, 8, 4]);
  });
});

describe("several venues", () => {
  test("take turns, however many each has waiting", () => {
    const { add, takeAll } = setUp();
    add([...many(1, 50), ...many(2, 2), ...many(3, 3)]);
    expect(venuesOf(takeAll())).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test("a venue runs no more than a fifth while another asks, a half while it may come back, and everything once it is away", () => {
    const { queue, add, takeAll, finish } = setUp();
    add([job(2), ...many(1, 50)]);
    const [other, ...first] = takeAll();
    expect(first).toHaveLength(FIFTH);
    finish(other ?? []);
    expect(takeAll(PRESENT_MS - 1)).toHaveLength(0);
    expect(takeAll(PRESENT_MS)).toHaveLength(HALF - FIFTH);
    expect(takeAll(ACTIVE_MS - 1)).toHaveLength(0);
    expect(takeAll(ACTIVE_MS)).toHaveLength(CONNECTIONS - HALF);
    expect(queue.busy()).toBe(CONNECTIONS);
  });

  test("a newcomer begins at once, whatever the others hold and wait for", () => {
    const { add, takeAll } = setUp();
    add([job(2), job(3), ...many(1, 50)]);
    takeAll();
    const late = job(4);
    add([late], 1);
    expect(takeAll(1)).toEqual([[late]]);
  });

  test("more than there are connections: each has one before any has two", () => {
    const { add, takeAll, finish } = setUp();
    for (let venue = 1; venue <= 12; venue++) add(many(venue, 5));
    const first = takeAll();
    expect(venuesOf(first)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const taken of first) finish(taken);
    expect(venuesOf(takeAll())).toEqual([11, 12, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("reads on one connection are of one venue after the other, the share bounds them, and those who come later may join", () => {
    const { queue, add } = setUp();
    add([...many(1, 50, read), read(2, { name: "other" })]);
    const sharers = queue.take(0);
    expect(sharers.map(({ venue }) => venue)).toEqual([1, 2, 1]);
    add([read(3, { name: "late" })]);
    expect(queue.join(sharers.length, 0).map(({ name }) => name)).toEqual(["late"]);
  });
});

describe("a request", () => {
  test("that has begun may go on: its statements of one moment begin together, whatever the share", () => {
    const { add, takeAll } = setUp(2);
    const [unit, other] = [{}, {}];
    add([job(2, { name: "theirs" }), ...[1, 2, 3, 4].map(() => read(1, { unit })), read(1, { unit: other })]);
    const [, sharers = []] = takeAll();
    expect(sharers.filter((one) => one.unit === unit)).toHaveLength(4);
  });

  test("costs its venue one of its share until all of it has ended", () => {
    const { queue, add } = setUp(5);
    const unit = {};
    const [first, second, next] = [job(1, { unit }), job(1, { unit }), job(1)];
    add([job(2), first, second, next]);
    expect([queue.take(0), queue.take(0), queue.take(0), queue.take(0)].slice(1)).toEqual([[first], [second], []]);
    queue.end(first);
    expect(queue.take(0)).toEqual([]);
    queue.end(second);
    expect(queue.take(0)).toEqual([next]);
  });

  test("whose client has gone is not begun", () => {
    const { queue, gone, add, takeAll } = setUp();
    const [left, alsoLeft, stays] = [job(1, { isLeaving: true }), read(1, { isLeaving: true }), job(1)];
    add([left, alsoLeft, stays]);
    expect(takeAll()).toEqual([[stays]]);
    expect(gone.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([left, alsoLeft]);
    expect(queue.waiting()).toBe(0);
  });

  test("that has waited too long is removed, those behind it are not", () => {
    const { queue, add } = setUp();
    const [old, young] = [many(1, 3), [job(1), read(2)]];
    add(old, 0);
    add(young, 10);
    expect(queue.removeOlder(10)).toEqual(old);
    expect(queue.waiting()).toBe(2);
  });
});

describe("making room", () => {
  test("takes the newest request of the longest queue, with all its statements", () => {
    const { queue, add } = setUp();
    add([...many(1, 3), ...many(2, 5)]);
    const unit = {};
    add([read(2, { unit }), read(2, { unit })], 1);
    expect(queue.removeFromLongest("venue 9").map((removed) => removed.unit)).toEqual([unit, unit]);
    expect(queue.waiting()).toBe(8);
  });

  test("takes nothing from those who have no more than the newcomer would have", () => {
    const { queue, add } = setUp();
    add([...many(1, 3), ...many(2, 2)]);
    expect(queue.removeFromLongest("venue 1")).toEqual([]);
    expect(queue.removeFromLongest("venue 2")).toEqual([]);
    expect(queue.removeFromLongest("venue 3")).toHaveLength(1);
  });

  test("takes no background work", () => {
    const { queue, add } = setUp();
    add(Array.from({ length: 9 }, () => job(1, { queue: "background 1", isRequest: false })));
    expect(queue.removeFromLongest("venue 2")).toEqual([]);
  });
});

/** One venue floods, another sends a request now and then. Time advances in milliseconds; each job takes a random number of them. */
const simulate = (seed: number) => {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
  const { queue } = setUp();
  const running: { taken: Job[]; until: number }[] = [];
  const addedAt = new Map<Job, number>();
  const waits: number[] = [];
  let [most, ended] = [0, 0];
  for (let nowMs = 0; nowMs < 3000; nowMs++) {
    for (const one of running.filter(({ until }) => until <= nowMs)) {
      for (const entry of one.taken) queue.end(entry);
      queue.free();
      running.splice(running.indexOf(one), 1);
      ended += one.taken.length;
    }
    while (queue.waiting() < 200) queue.add(random(2) === 0 ? job(1) : read(1), nowMs);
    const quiet = random(100) === 0 ? job(2) : null;
    if (quiet) queue.add(quiet, nowMs);
    if (quiet) addedAt.set(quiet, nowMs);
    for (let taken = queue.take(nowMs); taken.length > 0; taken = queue.take(nowMs)) {
      running.push({ taken, until: nowMs + 1 + random(50) });
      for (const entry of taken) if (entry.venue === 2) waits.push(nowMs - (addedAt.get(entry) ?? nowMs));
    }
    most = Math.max(most, queue.busy());
  }
  return { most, ended, waits, asked: addedAt.size };
};

test.each([1, 7, 4711])("SEED=%i beside a flood, a venue that asks now and then hardly ever waits, and the flood is served on", (seed) => {
  const { most, ended, waits, asked } = simulate(seed);
  expect(most).toBeLessThanOrEqual(CONNECTIONS);
  expect(asked).toBeGreaterThan(15);
  // Sometimes it has two requests of its own running.
  expect(waits.filter((ms) => ms === 0).length).toBeGreaterThan(asked * 0.75);
  expect(Math.max(...waits)).toBeLessThan(50);
  expect(ended).toBeGreaterThan(200);
});
