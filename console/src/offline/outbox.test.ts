/** The outbox with a server and a storage in memory. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallError } from "#kit/api.ts";
import type { HeldStorage } from "./move-list.ts";
import { createOutbox, type Outbox, type OutboxDeps, type OutboxEvent } from "./outbox.ts";
import { KEEP_MS, type QueuedMove, UNDO_MS } from "./queued-moves.ts";

const PERSON = 7;
let stored: Map<string, QueuedMove>;
let sent: QueuedMove[];
let events: OutboxEvent[];
let answer: (move: QueuedMove) => Error | null;
let person: number | Error;
let started: Outbox[];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-14T19:00:00Z") });
  [stored, sent, events, started, person, answer] = [new Map(), [], [], [], PERSON, () => null];
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

const open = (changes: Partial<OutboxDeps> = {}, owner = PERSON): Outbox => {
  const outbox = createOutbox(owner, {
    storage,
    async send(move) {
      const error = answer(move);
      if (error) throw error;
      sent.push(move);
      return { order: { id: move.orderId, status: move.status } } as BoardOrder;
    },
    async readUserId() {
      if (person instanceof Error) throw person;
      return person;
    },
    withLock: (run) => run(),
    tell: (event) => void events.push(event),
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

test("a move is sent at once and is not left behind", async () => {
  const outbox = open();
  await outbox.add(tap("1"));
  expect([steps(sent), stored.size, outbox.read().moves, outbox.read().waitingKeys.size]).toEqual([["1 accepted"], 0, [], 0]);
});

test("without a connection moves wait, and are sent in the order of the taps, each with its own key", async () => {
  const outbox = open();
  answer = () => offline;
  const moves = [tap("1"), tap("2"), tap("1", "ready"), tap("1", "completed")];
  for (const move of moves) await outbox.add(move);
  expect([outbox.read().moves.length, outbox.read().waitingKeys.size, stored.size]).toEqual([4, 4, 4]);
  await settle(60_000);
  expect(sent).toEqual([]);
  answer = () => null;
  await settle(2000);
  expect(sent.map(({ key }) => key)).toEqual(moves.map(({ key }) => key));
  expect(steps(sent)).toEqual(["1 accepted", "2 accepted", "1 ready", "1 completed"]);
});

const held = (move: QueuedMove): QueuedMove => ({ ...move, dueAt: move.at + UNDO_MS });

test("a step that can be taken back is stored and sent when its time is over; taken back, it is sent never", async () => {
  const outbox = open();
  const [kept, back] = [held(tap("1")), held(tap("2"))];
  await outbox.add(kept);
  await outbox.add(back);
  await settle(UNDO_MS - 1);
  expect([sent.length, stored.size, outbox.read().waitingKeys.size]).toEqual([0, 2, 0]);
  await outbox.takeBack(back.key);
  await settle(1);
  expect([steps(sent), stored.size]).toEqual([["1 accepted"], 0]);
  await outbox.takeBack(kept.key);
  await settle(60_000);
  expect(steps(sent)).toEqual(["1 accepted"]);
});

test("planted fault: a step without that time is sent before it can be taken back", async () => {
  const outbox = open();
  const move = tap("1");
  await outbox.add(move);
  await outbox.takeBack(move.key);
  expect(steps(sent)).toEqual(["1 accepted"]);
});

test("the next step of the order ends the wait of the one before; a step without a wait does not wait for others", async () => {
  const outbox = open();
  await outbox.add(held(tap("1")));
  await outbox.add(held(tap("1", "ready")));
  expect(steps(sent)).toEqual(["1 accepted"]);
  await outbox.add(tap("2"));
  expect(steps(sent)).toEqual(["1 accepted", "2 accepted"]);
  await settle(UNDO_MS);
  expect(steps(sent)).toEqual(["1 accepted", "2 accepted", "1 ready"]);
});

test("a page that is hidden sends at once, and a clock that is set back holds nothing longer", async () => {
  const outbox = open();
  await outbox.add(held(tap("1")));
  await outbox.hurry();
  expect(steps(sent)).toEqual(["1 accepted"]);
  await settle(1);
  await outbox.add(held(tap("2")));
  expect(steps(sent)).toEqual(["1 accepted"]);
  vi.setSystemTime(Date.now() - 3_600_000);
  await outbox.wake();
  expect(steps(sent)).toEqual(["1 accepted", "2 accepted"]);
});

test("without a connection only what is due waits to be sent, and what is not due can be taken back", async () => {
  const outbox = open();
  answer = () => offline;
  await outbox.add(tap("1"));
  const move = held(tap("2"));
  await outbox.add(move);
  expect(outbox.read().waitingKeys.size).toBe(1);
  await outbox.takeBack(move.key);
  expect(steps(outbox.read().moves)).toEqual(["1 accepted"]);
});

test("the order of taps stays when the device's clock is set back", async () => {
  const outbox = open();
  answer = () => offline;
  await outbox.add(tap("1"));
  vi.setSystemTime(Date.now() - 3_600_000);
  await outbox.add(tap("1", "ready"));
  answer = () => null;
  await settle(2000);
  expect(steps(sent)).toEqual(["1 accepted", "1 ready"]);
});

test("a reload keeps what waits, and sends it with the same key", async () => {
  answer = () => offline;
  const before = open();
  const move = tap("1");
  await before.add(move);
  before.stop();
  answer = () => null;
  const after = open();
  await settle();
  expect(sent.map(({ key }) => key)).toEqual([move.key]);
  expect(after.read().moves).toEqual([]);
});

test("a lost race is told and dropped with the later moves of its order; others go on", async () => {
  const outbox = open();
  answer = () => offline;
  for (const move of [tap("1"), tap("1", "ready"), tap("2"), tap("1", "completed")]) await outbox.add(move);
  answer = ({ orderId }) => (orderId === "1" ? new CallError("state_changed", "", { status: 409 }) : null);
  await settle(2000);
  expect(steps(sent)).toEqual(["2 accepted"]);
  expect(events.filter(({ kind }) => kind === "refused")).toMatchObject([{ move: { orderId: "1", status: "accepted" }, laterMoves: 2 }]);
  expect([stored.size, outbox.read().moves]).toEqual([0, []]);
});

test("an ended session keeps the queue and stops; the same person goes on with it", async () => {
  const outbox = open();
  answer = () => new CallError("signed_out", "", { status: 401 });
  await outbox.add(tap("1"));
  await settle(60_000);
  expect([events.map(({ kind }) => kind), stored.size]).toEqual([["signed_out"], 1]);
  outbox.stop();
  answer = () => null;
  outbox.start();
  await settle();
  expect(steps(sent)).toEqual(["1 accepted"]);
});

test("what waited is not sent under another person's session", async () => {
  answer = () => offline;
  const outbox = open();
  await outbox.add(tap("1"));
  [answer, person] = [() => null, 8];
  await settle(60_000);
  expect([sent, stored.size, events.at(-1)?.kind]).toEqual([[], 1, "other_person"]);
  // The other person's own outbox does not know of it.
  const others = open({}, 8);
  await settle(10_000);
  expect([sent, others.read().moves]).toEqual([[], []]);
});

test("who asks the server and gets no answer, sends nothing", async () => {
  answer = () => offline;
  const outbox = open();
  await outbox.add(tap("1"));
  [answer, person] = [() => null, offline];
  await settle(60_000);
  expect([sent, outbox.read().moves.length]).toEqual([[], 1]);
  person = PERSON;
  await settle(2000);
  expect(steps(sent)).toEqual(["1 accepted"]);
});

test("what is twelve hours old is deleted and told, not sent", async () => {
  const move = tap("1");
  stored.set(move.key, move);
  vi.setSystemTime(Date.now() + KEEP_MS);
  open();
  await settle(10_000);
  expect([sent, stored.size, events]).toEqual([[], 0, [{ kind: "expired", count: 1 }]]);
});

test("a move of this page is sent when the device's clock is put right by half a day meanwhile", async () => {
  answer = () => offline;
  const outbox = open();
  await outbox.add(tap("1"));
  vi.setSystemTime(Date.now() + KEEP_MS);
  answer = () => null;
  await settle(2000);
  expect([steps(sent), events.map(({ kind }) => kind)]).toEqual([["1 accepted"], ["sent"]]);
});

test("what became too old is told also when another tab is what makes this one look", async () => {
  const outbox = open();
  await settle();
  const move = tap("1");
  stored.set(move.key, move);
  vi.setSystemTime(Date.now() + KEEP_MS);
  await outbox.refresh();
  expect([stored.size, events]).toEqual([0, [{ kind: "expired", count: 1 }]]);
});

test("only faults of the service count against a move: after two lost answers the first fault does not drop it", async () => {
  const answers = [offline, new CallError("service_unavailable", "", { status: 503 }), new CallError("server_error", "", { status: 500 })];
  answer = () => answers.shift() ?? null;
  const outbox = open();
  await outbox.add(tap("1"));
  await settle(10_000);
  expect([steps(sent), events.map(({ kind }) => kind)]).toEqual([["1 accepted"], ["sent"]]);
});

test("without storage the page still sends and waits", async () => {
  const outbox = open({ storage: broken });
  await outbox.add(tap("1"));
  answer = () => offline;
  await outbox.add(tap("2"));
  await settle(5000);
  expect([steps(sent), outbox.read().waitingKeys.size]).toEqual([["1 accepted"], 1]);
  answer = () => null;
  await settle(2000);
  expect(steps(sent)).toEqual(["1 accepted", "2 accepted"]);
});

test("two tabs send each move once", async () => {
  let last: Promise<unknown> = Promise.resolve();
  const withLock = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(run);
    last = turn;
    return turn;
  };
  answer = () => offline;
  const tabs: Outbox[] = [];
  const announce = () => {
    for (const tab of tabs) void tab.refresh();
  };
  tabs.push(open({ withLock, announce }), open({ withLock, announce }));
  for (let order = 0; order < 10; order++) await tabs[order % 2]?.add(tap(String(order)));
  await settle(5000);
  expect(tabs.map((tab) => tab.read().moves.length)).toEqual([10, 10]);
  answer = () => null;
  await settle(5000);
  expect(steps(sent)).toEqual(Array.from({ length: 10 }, (_, order) => `${order} accepted`));
  expect(tabs.map((tab) => tab.read().moves.length)).toEqual([0, 0]);
});

test("a move that is not answered counts as waiting after three seconds", async () => {
  const outbox = open({ send: () => new Promise(() => undefined) });
  void outbox.add(tap("1"));
  await settle(2900);
  expect(outbox.read().waitingKeys.size).toBe(0);
  await settle(200);
  expect(outbox.read().waitingKeys.size).toBe(1);
});

test("a move that comes while the last one is settled is sent as well", async () => {
  const outbox = open();
  const adding = outbox.add(tap("1"));
  const second = outbox.add(tap("2"));
  await Promise.all([adding, second]);
  await settle();
  expect(steps(sent)).toEqual(["1 accepted", "2 accepted"]);
});

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

test("after the first, moves of three orders are sent together, and those of one order one after the other", async () => {
  answer = () => offline;
  const before = open();
  const moves = [tap("1"), tap("2"), tap("2", "ready"), tap("3"), tap("4"), tap("3", "ready")];
  for (const move of moves) await before.add(move);
  before.stop();
  const { held, send } = holdAnswers();
  open({ send });
  const finishAll = async (): Promise<void> => {
    for (const { finish } of held.splice(0)) finish();
    await settle();
  };
  const waves: string[][] = [];
  for (await settle(); held.length > 0; await finishAll()) waves.push(steps(held.map(({ move }) => move)));
  expect(waves).toEqual([["1 accepted"], ["2 accepted", "3 accepted", "4 accepted"], ["2 ready", "3 ready"]]);
  expect(stored.size).toBe(0);
});

test("of moves that are sent together, what was answered is not sent again, and a refusal does not hold the others", async () => {
  answer = () => offline;
  const before = open();
  for (const order of ["1", "2", "3", "4"]) await before.add(tap(order));
  before.stop();
  const { held, send } = holdAnswers();
  const outbox = open({ send });
  await settle();
  held.shift()?.finish();
  await settle();
  const [second, third, fourth] = held.splice(0);
  second?.finish(new CallError("state_changed", "", { status: 409 }));
  third?.finish(offline);
  fourth?.finish();
  await settle();
  expect(steps(outbox.read().moves)).toEqual(["3 accepted"]);
  expect(events.map(({ kind }) => kind)).toEqual(["sent", "sent", "refused"]);
  await settle(2000);
  held.shift()?.finish();
  await settle();
  expect(steps(sent)).toEqual(["1 accepted", "2 accepted", "3 accepted", "4 accepted", "3 accepted"]);
  expect(stored.size).toBe(0);
});
