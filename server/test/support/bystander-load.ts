/** What other venues notice of a move: how long their requests take, and whether anybody waits for a lock that the mover holds. */
import { randomInt, randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { itemOf, newOrderLog, type OrderLog, orderOf } from "./order-load.ts";
import { sendCall } from "./raw-http.ts";
import type { TestVenue } from "./test-app.ts";
import type { TestCell } from "./two-cells.ts";

const GUESTS = 2;
const REST_MS = 20;
/** A process that has just started is slow by itself. */
const WARM_REQUESTS = 20;
const REQUESTS_MIN = 20;
const LOCK_CHECK_EVERY_MS = 40;
/** Two cells, proxy, clients and mover share two cores, and other test files run beside them: a request may be late, but not this late. */
export const BYSTANDER_MS_MAX = 3000;
/** The mover takes a good part of one of two cores, and those who were there before share what is left. */
const RATIO_MAX = 3;

type ResponseTimes = { count: number; medianMs: number; slowMs: number; slowestMs: number; faults: string[] };
export type Bystander = { cell: TestCell; venue: TestVenue };
export type BystanderReport = Bystander & { orderLog: OrderLog; before: ResponseTimes; during: ResponseTimes; waits: string[] };

/** The proxy by itself answers when a cell was too busy to say that it is ready; only cells count quotas. */
const saidBy = ({ status, headers }: { status: number; headers: Headers }): string =>
  `${status} by the ${headers.has("x-ratelimit-limit") ? "cell" : "proxy"}`;

/** Reads and orders in turn, none of them tried again: what a neighbour is refused counts. */
const sendRequests = async (port: number, at: TestVenue, orderLog: OrderLog, isOver: () => boolean): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const itemId = await itemOf(port, at);
  // Each has its own number: requests that share one wait for each other's order.
  const phone = `+39 06 ${randomInt(1_000_000, 9_999_999)}`;
  const ask = async (method: string, path: string, more: object = {}) => {
    const begin = performance.now();
    const answer = await sendCall({ port, agent, token: at.token, method, path, ...more }).catch((error: unknown) => error as Error);
    const ms = performance.now() - begin;
    const isFine = !(answer instanceof Error) && answer.status < 300;
    const fault = `${method} ${answer instanceof Error ? answer.message : saidBy(answer)} after ${ms.toFixed(0)} ms`;
    orderLog.takenMs.push({ at: begin, ms, ...(isFine ? {} : { fault }) });
    return isFine ? answer : null;
  };
  while (!isOver()) {
    await ask("GET", "/items?per_page=10");
    const key = randomUUID();
    const placed = await ask("POST", "/orders", { headers: { "idempotency-key": key }, body: orderOf(itemId, phone) });
    if (placed) orderLog.written.push({ key, id: (placed.body as { data: { id: string } }).data.id, wasReplay: false });
    await sleep(REST_MS);
  }
  agent.destroy();
};

/**
 * A lock of a whole table stops every venue. A row that the mover writes belongs to its venue, and its lock is released directly: only a
 * long wait for one is reported. Advisory locks pause the venue itself.
 */
const WAITING = `select distinct w.locktype || ' ' || coalesce(w.relation::regclass::text, '') as what from pg_locks w
  where not w.granted and w.locktype <> 'advisory' and (w.locktype = 'relation' or w.waitstart < clock_timestamp() - interval '250 ms')
    and exists (select from pg_stat_activity m where m.application_name = 'comanda venue move' and m.pid <> w.pid
      and m.pid = any(pg_blocking_pids(w.pid)))`;

const watch = async ({ database }: TestCell, waits: Set<string>, isOver: () => boolean): Promise<void> => {
  for (; !isOver(); await sleep(LOCK_CHECK_EVERY_MS))
    for (const { what } of await database.asOwner<{ what: string }>(WAITING)) waits.add(what);
};

const timesOf = ({ takenMs }: OrderLog, isMeant: (begin: number, end: number) => boolean): ResponseTimes => {
  const meant = takenMs.filter(({ at, ms }) => isMeant(at, at + ms));
  const sorted = meant.map(({ ms }) => ms).sort((a, b) => a - b);
  const place = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const faults = meant.flatMap(({ fault }) => fault ?? []);
  return { count: sorted.length, medianMs: place(0.5), slowMs: place(0.95), slowestMs: place(1), faults };
};

/** Guests use the other venues before the work begins and while it goes on; both times are reported. */
export const besideBystanders = async <T>(
  port: number,
  neighbours: readonly Bystander[],
  beforeMs: number,
  work: () => Promise<T>,
): Promise<{ result: T; seen: BystanderReport[] }> => {
  let isOver = false;
  const notes = neighbours.map((one) => ({ ...one, orderLog: newOrderLog(), waits: new Set<string>() }));
  /** This long at least, and until every neighbour was asked so often: a busy machine takes its time. */
  const pass = async (ms: number, requests: number): Promise<number> => {
    await sleep(ms);
    for (let attempt = 0; attempt < 300 && notes.some(({ orderLog }) => orderLog.takenMs.length < requests); attempt++) await sleep(100);
    return performance.now();
  };
  const guests = notes.flatMap(({ venue, orderLog }) =>
    Array.from({ length: GUESTS }, () => sendRequests(port, venue, orderLog, () => isOver)),
  );
  for (const guest of guests) guest.catch(() => undefined);
  try {
    const warmAt = await pass(0, WARM_REQUESTS);
    const begunAt = await pass(beforeMs, WARM_REQUESTS + REQUESTS_MIN);
    guests.push(...notes.map(({ cell, waits }) => watch(cell, waits, () => isOver)));
    const result = await work();
    const endedAt = performance.now();
    isOver = true;
    await Promise.all(guests);
    const seen = notes.map(({ waits, ...note }) => ({
      ...note,
      waits: [...waits],
      before: timesOf(note.orderLog, (begin, end) => begin >= warmAt && end < begunAt),
      during: timesOf(note.orderLog, (begin, end) => end >= begunAt && begin < endedAt),
    }));
    return { result, seen };
  } finally {
    isOver = true;
    await Promise.allSettled(guests);
  }
};

const inWords = ({ count, medianMs, slowMs, slowestMs, faults }: ResponseTimes): string =>
  `${count} requests, ${faults.length} failed, median ${medianMs.toFixed(0)} ms, 95% within ${slowMs.toFixed(0)} ms, slowest ${slowestMs.toFixed(0)} ms`;

const ratioOf = ({ before, during }: BystanderReport) => ({
  median: during.medianMs / before.medianMs,
  slow: during.slowMs / before.slowMs,
});

export const describeBystander = (one: BystanderReport): string => {
  const { median, slow } = ratioOf(one);
  return `neighbour in cell ${one.cell.number}: before ${inWords(one.before)}; during ${inWords(one.during)}; ratio ${median.toFixed(2)} of the medians, ${slow.toFixed(2)} at 95%`;
};

/** What a neighbour could complain about; nothing, if the move is what it promises. A ratio of short times says little, so it is asked for only of long ones. */
export const complaintsOf = (one: BystanderReport, isLong: boolean): string[] => {
  const { before, during, waits } = one;
  const complaints = [...during.faults, ...waits.map((what) => `waited for the mover: ${what}`)];
  if (during.slowestMs > BYSTANDER_MS_MAX) complaints.push(`a request took ${during.slowestMs.toFixed(0)} ms`);
  if (isLong && ratioOf(one).median > RATIO_MAX)
    complaints.push(`the median was ${before.medianMs.toFixed(0)} ms and became ${during.medianMs.toFixed(0)} ms`);
  if (Math.min(before.count, during.count) < REQUESTS_MIN / 2)
    complaints.push(`measured too little: ${before.count} and ${during.count} requests`);
  return complaints;
};
