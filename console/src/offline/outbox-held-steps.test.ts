/** Steps that are held: sent, released and taken back in several tabs, with a server and a storage in memory. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallError } from "#kit/api.ts";
import type { HeldStorage } from "./move-list.ts";
import { createOutbox, type Outbox, type OutboxDeps } from "./outbox.ts";
import { isHeldBack, type QueuedMove, UNDO_MS } from "./queued-moves.ts";

const PERSON = 7;
let stored: Map<string, QueuedMove>;
let sent: QueuedMove[];
let answer: () => Error | null;
let started: Outbox[];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-14T19:00:00Z") });
  [stored, sent, started, answer] = [new Map(), [], [], () => null];
});
afterEach(() => {
  for (const outbox of started) outbox.stop();
  vi.useRealTimers();
});

const storage: HeldStorage = {
  list: async (owner) => [...stored.values()].filter((move) => move.person === owner),
  add: async (move) => void stored.set(move.key, move),
  remove: async (keys) => {
    for (const key of keys) stored.delete(key);
  },
  async release(keys, at) {
    const released = storedOf(keys).map((move) => ({ ...move, releasedAt: at }));
    for (const move of released) stored.set(move.key, move);
    return released;
  },
  async takeBack(keys) {
    const moves = storedOf(keys);
    for (const { key, releasedAt } of moves) if (releasedAt === undefined) stored.delete(key);
    return moves.filter(({ releasedAt }) => releasedAt !== undefined);
  },
};
const storedOf = (keys: readonly string[]): QueuedMove[] => [...stored.values()].filter(({ key }) => keys.includes(key));
const broken: HeldStorage = {
  list: () => Promise.reject(new Error("blocked")),
  add: () => Promise.reject(new Error("blocked")),
  remove: () => Promise.reject(new Error("blocked")),
  release: () => Promise.reject(new Error("blocked")),
  takeBack: () => Promise.reject(new Error("blocked")),
};

const open = (changes: Partial<OutboxDeps> = {}): Outbox => {
  const outbox = createOutbox(PERSON, {
    storage,
    async send(move) {
      const error = answer();
      if (error) throw error;
      sent.push(move);
      return { order: { id: move.orderId, status: move.status } } as BoardOrder;
    },
    readUserId: async () => PERSON,
    withLock: (run) => run(),
    tell: () => undefined,
    announce: () => undefined,
    ...changes,
  });
  outbox.start();
  started.push(outbox);
  return outbox;
};

let made = 0;
const tap = (orderId: string, status: "accepted" | "ready" | "completed" = "accepted"): QueuedMove => ({
  key: `key-${++made}`,
  person: PERSON,
  venue: "lab",
  orderId,
  name: `#${orderId}`,
  seenStatus: ({ accepted: "placed", ready: "accepted", completed: "ready" } as const)[status],
  status,
  at: Date.now(),
});
const offline = new CallError("offline", "");
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const steps = (moves: readonly QueuedMove[]): string[] => moves.map(({ orderId, status }) => `${orderId} ${status}`);

const held = (move: QueuedMove): QueuedMove => ({ ...move, dueAt: move.at + UNDO_MS });

/** The service answers what it holds when the test says so. */
const holdAnswers = () => {
  const held: { move: QueuedMove; finish: (error?: Error) => void }[] = [];
  const send = (move: QueuedMove): Promise<BoardOrder> =>
    new Promise((resolve, reject) => {
      sent.push(move);
      const order = { order: { id: move.orderId, status: move.status } } as BoardOrder;
      held.push({ move, finish: (error) => (error ? reject(error) : resolve(order)) });
    });
  return { held, send };
};

/** What the bar for undo shows. */
const heldSteps = (outbox: Outbox): string[] => {
  const { moves } = outbox.read();
  return steps(moves.filter((move) => isHeldBack(move, moves, Date.now())));
};

test("a step that is on its way is not held again when the next step of its order is taken back", async () => {
  const { held: given, send } = holdAnswers();
  const outbox = open({ send });
  const [accept, ready] = [held(tap("1")), held(tap("1", "ready"))];
  void outbox.add(accept);
  await settle(1000);
  void outbox.add(ready);
  await settle();
  expect([steps(sent), heldSteps(outbox)]).toEqual([["1 accepted"], ["1 ready"]]);
  await outbox.takeBack(ready.key);
  expect(heldSteps(outbox)).toEqual([]);
  await outbox.takeBack(accept.key);
  expect(steps(outbox.read().moves)).toEqual(["1 accepted"]);
  given.shift()?.finish();
  await settle(UNDO_MS);
  expect([steps(sent), stored.size]).toEqual([["1 accepted"], 0]);
});

test("a step that a hidden page released is not held in any tab, also when the device's clock is set back", async () => {
  answer = () => offline;
  const tabs = [open(), open()] as const;
  const step = held(tap("1"));
  await tabs[0].add(step);
  await tabs[1].refresh();
  expect(tabs.map(heldSteps)).toEqual([["1 accepted"], ["1 accepted"]]);
  await settle(2000);
  await tabs[0].hurry();
  await tabs[1].refresh();
  vi.setSystemTime(Date.now() - 1000);
  expect(tabs.map(heldSteps)).toEqual([[], []]);
  for (const tab of tabs) await tab.takeBack(step.key);
  answer = () => null;
  await settle(2000);
  expect(steps(sent)).toEqual(["1 accepted"]);
});

test("after a hidden page sent its steps, later ones are held also when the device's clock is set back", async () => {
  const outbox = open();
  await outbox.add(held(tap("1")));
  await outbox.hurry();
  vi.setSystemTime(Date.now() - 3_600_000);
  await outbox.add(held(tap("2")));
  expect([steps(sent), heldSteps(outbox)]).toEqual([["1 accepted"], ["2 accepted"]]);
});

test("of two tabs, the first to send or to take back a step wins, before the other is told", async () => {
  const tabs = [open(), open()] as const;
  const [back, kept] = [held(tap("1")), held(tap("2"))];
  for (const step of [back, kept]) {
    await tabs[0].add(step);
    await tabs[1].refresh();
  }
  await storage.takeBack([back.key]);
  await storage.release([kept.key], Date.now());
  await tabs[1].takeBack(kept.key);
  expect(steps(tabs[1].read().moves)).toEqual(["1 accepted", "2 accepted"]);
  await settle(UNDO_MS);
  expect(new Set(steps(sent))).toEqual(new Set(["2 accepted"]));
});

test("without storage a step is released and taken back as well", async () => {
  const outbox = open({ storage: broken });
  const [back, kept] = [held(tap("1")), held(tap("2"))];
  for (const step of [back, kept]) await outbox.add(step);
  await outbox.takeBack(back.key);
  await outbox.hurry();
  expect(steps(sent)).toEqual(["2 accepted"]);
});

test("to close an order its held steps are taken back, and one that is on its way is waited for", async () => {
  const { held: given, send } = holdAnswers();
  const outbox = open({ send });
  for (const step of [held(tap("1")), held(tap("1", "ready")), held(tap("2"))]) void outbox.add(step);
  await settle();
  expect(steps(sent)).toEqual(["1 accepted"]);
  await outbox.takeBackOrder("1");
  const left = outbox.readSteps("1");
  expect([steps(left), heldSteps(outbox)]).toEqual([["1 accepted"], ["2 accepted"]]);
  let isAnswered = false;
  void outbox.whenAnswered(left.map(({ key }) => key)).then(() => {
    isAnswered = true;
  });
  await settle(1000);
  expect(isAnswered).toBe(false);
  given.shift()?.finish();
  await settle();
  expect([isAnswered, steps(sent)]).toEqual([true, ["1 accepted"]]);
});

test("what is to be sent after a step that waits for the connection fails, as without a connection", async () => {
  answer = () => offline;
  const outbox = open();
  const step = tap("1");
  await outbox.add(step);
  await expect(outbox.whenAnswered([step.key])).rejects.toThrow(CallError);
});

test("a page that is hidden while a round fails tries at once what it released", async () => {
  const { held: given, send } = holdAnswers();
  const outbox = open({ send });
  void outbox.add(tap("1"));
  void outbox.add(held(tap("2")));
  await settle();
  void outbox.hurry();
  await settle();
  given.shift()?.finish(offline);
  await settle();
  expect(steps(sent)).toEqual(["1 accepted", "1 accepted"]);
  given.shift()?.finish();
  await settle();
  expect(steps(sent)).toEqual(["1 accepted", "1 accepted", "2 accepted"]);
});
