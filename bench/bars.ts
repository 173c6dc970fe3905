/**
 * The bars of all benchmarks. The full form of a benchmark fails when the median of its rounds misses the bar. The smoke form, which CI runs,
 * fails when no round reaches half of it: a short window on a busy machine says no more.
 */

export type RatioBar = { atLeast: number } | { atMost: number } | null;

type BarRow = {
  /** What the ratio is of. */
  measured: string;
  against: string;
  bar: RatioBar;
};

const REQUESTS = "requests a second of 16 clients";
const HANDLER = "a bare Fastify handler with the same prepared statement";
const BYTES = "a bare Fastify handler that sends the same bytes";
const PGBENCH = "pgbench, same statement, as the owner and without row level security";
const POSTS = "a loop that posts the same bytes and has no queue";
const SMALL = "the small database";

export const BARS = {
  "requests dish, handler": { measured: REQUESTS, against: HANDLER, bar: { atLeast: 0.5 } },
  "requests dish, bytes": { measured: REQUESTS, against: BYTES, bar: null },
  "requests dish, pgbench": { measured: REQUESTS, against: PGBENCH, bar: { atLeast: 0.2 } },
  "requests page, handler": { measured: REQUESTS, against: HANDLER, bar: { atLeast: 0.6 } },
  "requests page, bytes": { measured: REQUESTS, against: BYTES, bar: null },
  "requests page, pgbench": { measured: REQUESTS, against: PGBENCH, bar: null },
  "requests order": {
    measured: "orders a second of 16 clients",
    against: "pgbench, same statements in the same order, each waited for",
    bar: { atLeast: 0.4 },
  },
  "requests quote": { measured: REQUESTS, against: "a bare Fastify handler with the same prepared statements", bar: { atLeast: 0.6 } },
  "requests availability": {
    measured: REQUESTS,
    against: "pgbench, same statements, as the owner and without row level security",
    bar: { atLeast: 0.3 },
  },
  "requests report": { measured: "latency of one client", against: "the summary of one day", bar: { atMost: 2 } },
  "requests processes, limited": { measured: REQUESTS, against: "one process with as much", bar: { atLeast: 1.6 } },
  "requests processes": { measured: REQUESTS, against: "one process, all cores for everything", bar: null },
  alone: { measured: "requests a second", against: "the same process without turns between venues", bar: { atLeast: 0.95 } },
  "reads batcher": { measured: "reads a second, and processor time of a read", against: "a connection for each read", bar: null },
  "reads single": {
    measured: "reads a second, and processor time of a read",
    against: "begin, statement and commit in one write",
    bar: null,
  },
  "reads columns": {
    measured: "reads a second, and processor time of a read",
    against: "pg's class with the tenant bound the same way",
    bar: null,
  },
  "deliveries busy": { measured: "deliveries a second", against: POSTS, bar: { atLeast: 0.5 } },
  "deliveries many": { measured: "deliveries a second", against: POSTS, bar: null },
  streams: { measured: "told changes of those committed", against: "each change told to each stream", bar: { atLeast: 1 } },
  trips: { measured: "operations with the expected round trips", against: "all operations", bar: { atLeast: 1 } },
  versions: { measured: REQUESTS, against: "the other version", bar: { atLeast: 0.97 } },
  "proxy call": { measured: "median latency of one client", against: "the same call without it", bar: { atMost: 1.15 } },
  "growth flat": { measured: "median latency of one client", against: SMALL, bar: { atMost: 1.15 } },
  "growth page": { measured: "median latency of one client", against: SMALL, bar: { atMost: 1.3 } },
  "growth year": { measured: "median latency of one client", against: "one day", bar: { atMost: 2 } },
  month: { measured: "bytes of a table and its indexes at the end", against: "once as much goes as comes", bar: { atMost: 1.15 } },
  grow: { measured: "orders in the database", against: "orders asked for", bar: { atLeast: 1 } },
  profile: { measured: "functions shown", against: "the one function that was busy", bar: { atLeast: 1 } },
  stress: { measured: "test files found", against: "test files named", bar: { atLeast: 1 } },
} as const satisfies Record<string, BarRow>;

export type BarName = keyof typeof BARS;
