import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallError } from "#kit/api.ts";
import type { QueuedChange } from "./ticket-changes.ts";
import { queuedChangeOf } from "./ticket-changes.ts";
import { ticketOf } from "./ticket-fixture.ts";
import { createTicketQueue, type TicketQueueEvent } from "./ticket-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NOW = Date.parse("2026-03-01T18:00:00.000Z");

const change = (key: string, id: number, at: number, kind: "bump" | "recall" | "priority" = "bump"): QueuedChange =>
  queuedChangeOf({ key, at: NOW + at, screenId: 5, ticket: ticketOf(id), change: kind });

const setup = (answers: (change: QueuedChange) => Promise<KitchenTicket>, stored: QueuedChange[] = []) => {
  vi.setSystemTime(NOW + 1000);
  const rows = new Map(stored.map((row) => [row.key, row]));
  const [sent, events]: [string[], TicketQueueEvent[]] = [[], []];
  const queue = createTicketQueue(5, {
    storage: {
      list: async (screen) => [...rows.values()].filter(({ screenId }) => screenId === screen),
      add: async (row) => void rows.set(row.key, row),
      remove: async (keys) => {
        for (const key of keys) rows.delete(key);
      },
    },
    send: (given) => {
      sent.push(given.key);
      return answers(given);
    },
    withLock: (run) => run(),
    tell: (event) => events.push(event),
  });
  return { queue, rows, sent, events };
};
const succeed = async ({ ticket }: QueuedChange): Promise<KitchenTicket> => ({ ...ticket, state: "done" });
const settle = (ms = 50) => vi.advanceTimersByTimeAsync(ms);

test("a change is stored, sent once, and removed", async () => {
  const { queue, rows, sent, events } = setup(succeed);
  queue.start();
  void queue.add(change("a", 1, 0));
  await settle();
  expect(sent).toEqual(["a"]);
  expect(events.map(({ kind }) => kind)).toEqual(["sent"]);
  expect(rows.size).toBe(0);
  expect(queue.read().moves).toEqual([]);
});

test("what an earlier page stored is sent in the order of the taps, after the queue was started", async () => {
  const { queue, sent } = setup(succeed, [change("b", 1, 2, "recall"), change("a", 1, 1), change("c", 2, 3)]);
  await queue.load();
  expect(queue.read().moves.map(({ key }) => key)).toEqual(["a", "b", "c"]);
  expect([...queue.read().waitingKeys]).toEqual(["a", "b", "c"]);
  await settle();
  expect(sent).toEqual([]);
  queue.start();
  await settle();
  expect(sent).toEqual(["a", "b", "c"]);
});

test.each([
  ["no answer", new CallError("offline", "")],
  ["503", new CallError("service_unavailable", "", { status: 503 })],
  ["429", new CallError("rate_limited", "", { status: 429, retryAfterSeconds: 1 })],
])("after %s it is tried again with the same key", async (_, error) => {
  let fails = 2;
  const { queue, sent } = setup(async (given) => {
    fails -= 1;
    if (fails >= 0) throw error;
    return succeed(given);
  });
  queue.start();
  void queue.add(change("a", 1, 0));
  await settle();
  expect(queue.read().waitingKeys.has("a")).toBe(true);
  await settle(5000);
  expect(sent).toEqual(["a", "a", "a"]);
  expect(queue.read().moves).toEqual([]);
});

test("what was tried before is followed by one sign that the answers may be old, after the last of them", async () => {
  let isAway = true;
  const { queue, events } = setup(async (given) => {
    if (isAway) throw new CallError("offline", "");
    return succeed(given);
  });
  queue.start();
  for (const [place, key] of ["a", "b", "c"].entries()) void queue.add(change(key, place, place));
  await settle();
  isAway = false;
  await settle(5000);
  void queue.add(change("d", 9, 9));
  await settle();
  expect(events.map((event) => event.kind === "sent" && event.mustReadWhole)).toEqual([false, false, true, false]);
});

test("a fault of the service after a time without it does not drop the tap", async () => {
  const [away, fault] = [new CallError("service_unavailable", "", { status: 503 }), new CallError("server_error", "", { status: 500 })];
  const answers = [away, away, away, fault, fault];
  const { queue, sent, events } = setup(async (given) => {
    const error = answers.shift();
    if (error) throw error;
    return succeed(given);
  });
  queue.start();
  void queue.add(change("a", 1, 0));
  await settle(20_000);
  expect(sent).toHaveLength(6);
  expect(events).toMatchObject([{ kind: "sent" }]);
});

test("a lost race is told and dropped with the later changes of its ticket", async () => {
  const stored = [change("a", 1, 1), change("b", 1, 2, "priority"), change("c", 2, 3)];
  const { queue, sent, events, rows } = setup(async (given) => {
    if (given.key === "a") throw new CallError("state_changed", "", { status: 409 });
    return succeed(given);
  }, stored);
  queue.start();
  await settle();
  expect(sent).toEqual(["a", "c"]);
  expect(events).toMatchObject([{ kind: "refused", laterChanges: 1 }, { kind: "sent" }]);
  expect(rows.size).toBe(0);
});

test("changes of different tickets are sent together after the first, those of one ticket one after the other", async () => {
  const { queue, sent, events } = setup(
    (given) => new Promise((resolve) => setTimeout(() => resolve({ ...given.ticket, state: "done" }), 10)),
    [change("a", 1, 1), change("b", 2, 2), change("c", 2, 3, "recall"), change("d", 3, 4), change("e", 4, 5)],
  );
  queue.start();
  await settle(5);
  expect(sent).toEqual(["a"]);
  await settle(10);
  expect(sent).toEqual(["a", "b", "d", "e"]);
  await settle(100);
  expect(sent).toEqual(["a", "b", "d", "e", "c"]);
  expect(events.map((event) => event.kind === "sent" && [event.change.key, event.mustReadWhole])).toEqual([
    ["a", false],
    ["b", false],
    ["d", false],
    ["e", false],
    ["c", true],
  ]);
});

test("an ended screen is told, and nothing more is sent", async () => {
  const { queue, sent, events } = setup(async () => {
    throw new CallError("signed_out", "", { status: 401 });
  }, [change("a", 1, 1), change("b", 2, 2)]);
  queue.start();
  await settle(10_000);
  expect(sent).toEqual(["a"]);
  expect(events).toEqual([{ kind: "signed_out" }]);
});

test("the changes of another screen are not sent, and old ones are dropped", async () => {
  const old = { ...change("old", 1, 0), at: NOW - 13 * 60 * 60 * 1000 };
  const { queue, sent, events } = setup(succeed, [{ ...change("x", 1, 1), screenId: 6 }, old]);
  queue.start();
  await settle();
  expect(sent).toEqual([]);
  expect(events).toEqual([{ kind: "expired", count: 1 }]);
});

test("what an earlier page left and became too old is told as soon as it is loaded, also without a connection", async () => {
  const old = { ...change("old", 1, 0), at: NOW - 13 * 60 * 60 * 1000 };
  const { queue, rows, events } = setup(succeed, [old]);
  await queue.load();
  expect([events, rows.size, queue.read().moves]).toEqual([[{ kind: "expired", count: 1 }], 0, []]);
});

test("a tap of this page is sent when the device's clock is put right by half a day meanwhile", async () => {
  let isAway = true;
  const { queue, sent, events } = setup(async (given) => {
    if (isAway) throw new CallError("offline", "");
    return succeed(given);
  });
  queue.start();
  void queue.add(change("a", 1, 1000));
  await settle();
  vi.setSystemTime(Date.now() + 13 * 60 * 60 * 1000);
  isAway = false;
  await settle(5000);
  expect([sent.at(-1), events.map(({ kind }) => kind)]).toEqual(["a", ["sent"]]);
});
