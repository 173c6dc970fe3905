import { expect, test } from "vitest";
import { createTries, type Tries, type WriteContent } from "./write-tries.ts";

type Body = Record<string, unknown>;

const payment = (body: Body, order = "one"): WriteContent => ({ id: "takePayment", params: { venue: "nino", order }, body });
const cash = { method: "cash", amount_minor: 500 };
const seeing = (seen_paid_minor: number, chosen: Body = cash): WriteContent => payment({ ...chosen, seen_paid_minor });

/** Keys that can be read: one, two, three. */
const countedTries = (now: () => number = Date.now): Tries => {
  let count = 0;
  return createTries(() => {
    count += 1;
    return `key ${count}`;
  }, now);
};

/** What makes a repeated press have one effect, asked of any way to make tries. */
const repeatsAreOne = (tries: Tries): boolean => {
  const first = tries.begin(seeing(0));
  const second = tries.begin(seeing(500));
  return second.idempotencyKey === first.idempotencyKey && JSON.stringify(second.content) === JSON.stringify(first.content);
};

test("without an answer the same press has the same key and body, whatever the page has seen since", () => {
  const tries = createTries();
  const first = tries.begin(seeing(0));
  expect(tries.begin(seeing(500))).toEqual(first);
  expect(tries.begin(seeing(0))).toEqual(first);
  expect(first.content).toEqual(seeing(0));
});

const NOTHING = { wait: () => undefined, end: () => undefined };

test("a new key per press is found", () => {
  const newKeyPerPress: Tries = { begin: (content) => ({ content, idempotencyKey: crypto.randomUUID() }), ...NOTHING };
  const newBodyPerPress: Tries = { begin: (content) => ({ content, idempotencyKey: "always the same" }), ...NOTHING };
  expect([repeatsAreOne(createTries()), repeatsAreOne(newKeyPerPress), repeatsAreOne(newBodyPerPress)]).toEqual([true, false, false]);
});

test("without an answer other content has a new key and still names what was seen first", () => {
  const tries = countedTries();
  tries.begin(seeing(0));
  const second = tries.begin(seeing(500, { ...cash, amount_minor: 700 }));
  expect(second).toMatchObject({ idempotencyKey: "key 2", content: seeing(0, { ...cash, amount_minor: 700 }) });
  // The last content is the one that is repeated.
  expect(tries.begin(seeing(900, { ...cash, amount_minor: 700 }))).toEqual(second);
  expect(tries.begin(seeing(900)).idempotencyKey).toBe("key 3");
});

test("after an answer the next press is another write, and names what is seen now", () => {
  const tries = countedTries();
  tries.end(tries.begin(seeing(0)).content);
  expect(tries.begin(seeing(500))).toMatchObject({ idempotencyKey: "key 2", content: seeing(500) });
});

test.each([
  ["seen", { branch: "one" }, { branch: "two" }],
  ["seen_version", 1, 2],
  ["seen_paid_minor", 0, 500],
])("%s names what the page showed and is not part of what was chosen", (name, first, later) => {
  const tries = createTries();
  const begun = tries.begin(payment({ ...cash, [name]: first }));
  expect(tries.begin(payment({ ...cash, [name]: later }))).toEqual(begun);
});

test.each(["unseen", "seenBy", "seen-version", "has_seen"])("%s is what was chosen", (name) => {
  const tries = countedTries();
  tries.begin(payment({ ...cash, [name]: 1 }));
  expect(tries.begin(payment({ ...cash, [name]: 2 }))).toMatchObject({ idempotencyKey: "key 2", content: payment({ ...cash, [name]: 2 }) });
});

test("a list, a text or nothing inside the body is what was chosen", () => {
  const lines = (count: number): WriteContent =>
    payment({ lines: Array.from({ length: count }, (_, id) => ({ id, seen_version: id })), note: null });
  const tries = countedTries();
  const first = tries.begin(lines(1));
  expect(tries.begin(lines(1))).toEqual(first);
  expect(tries.begin(lines(2)).idempotencyKey).toBe("key 2");
  expect(tries.begin(payment({ ...(lines(2).body as Body), note: "late" })).idempotencyKey).toBe("key 3");
});

test("two subjects are under way at once: an answer to one leaves the other as it was", () => {
  const tries = countedTries();
  const one = tries.begin(payment(cash, "one"));
  const two = tries.begin(payment(cash, "two"));
  expect([one.idempotencyKey, two.idempotencyKey]).toEqual(["key 1", "key 2"]);
  tries.end(one.content);
  expect(tries.begin(payment(cash, "two"))).toEqual(two);
  expect(tries.begin(payment(cash, "one")).idempotencyKey).toBe("key 3");
});

test("two calls about one subject are two writes, and an answer to one ends both", () => {
  const tries = countedTries();
  const params = { venue: "nino", entry: "one" };
  const notify = (seen_version: number): WriteContent => ({ id: "notifyWaiting", params, body: { seen_version } });
  const told = tries.begin(notify(1));
  const removed = tries.begin({ id: "removeWaiting", params, body: { seen_version: 2 } });
  expect(removed).toMatchObject({ idempotencyKey: "key 2", content: { body: { seen_version: 2 } } });
  expect(tries.begin(notify(2))).toEqual(told);
  // The day that was closed, opened and is closed once more.
  tries.end(removed.content);
  expect(tries.begin(notify(3))).toMatchObject({ idempotencyKey: "key 3", content: notify(3) });
});

test("an answer about one thing leaves the key of another, also where only the body says which thing it is", () => {
  const tries = countedTries();
  const putBack = (change: number): WriteContent => ({ id: "putBackMenu", params: { venue: "nino" }, body: { entries: [change] } });
  const lost = tries.begin(putBack(1));
  const other = tries.begin(putBack(2));
  expect([lost.idempotencyKey, other.idempotencyKey]).toEqual(["key 1", "key 2"]);
  tries.end(other.content);
  expect(tries.begin(putBack(1))).toEqual(lost);
  expect(tries.begin(putBack(2)).idempotencyKey).toBe("key 3");
});

test("an answer to another call of the page, or about the same thing, makes the next press a new wish", () => {
  const tries = countedTries();
  const day = (id: string): WriteContent => ({ id, params: { venue: "nino" }, body: { branch_id: 1, date: "2026-12-24" } });
  tries.begin(day("closeBranchOn"));
  tries.end(tries.begin(day("openBranchOn")).content);
  expect(tries.begin(day("closeBranchOn")).idempotencyKey).toBe("key 3");
  const price = (seen_minor: number, price_minor: number): WriteContent => ({
    id: "saveMenu",
    params: { venue: "nino" },
    body: { prices: [{ item: "one", seen_minor, price_minor }] },
  });
  tries.begin(price(10, 12));
  tries.end(tries.begin(price(12, 10)).content);
  expect(tries.begin(price(10, 12)).idempotencyKey).toBe("key 6");
  const pause = (is_paused: boolean): WriteContent => ({ id: "changeWebhook", params: { venue: "nino", id: 1 }, body: { is_paused } });
  tries.begin(pause(true));
  tries.end(tries.begin(pause(false)).content);
  expect(tries.begin(pause(true)).idempotencyKey).toBe("key 9");
});

test("a minute after a lost answer the same press is a new wish and names the state that was seen first; without a state, after ten minutes", () => {
  let time = 0;
  const tries = countedTries(() => time);
  const first = tries.begin(seeing(0));
  const unnamed = tries.begin(payment(cash, "two"));
  time = 60_000;
  expect(tries.begin(seeing(0))).toEqual(first);
  // The repetitions that the console makes by itself took this long.
  tries.wait(first.content);
  time = 120_000;
  expect(tries.begin(seeing(0))).toEqual(first);
  time = 120_001;
  expect(tries.begin(seeing(500))).toMatchObject({ idempotencyKey: "key 3", content: seeing(0) });
  // Without a named state the server could not refuse a second one.
  time = 600_000;
  expect(tries.begin(payment(cash, "two"))).toEqual(unnamed);
  time = 600_001;
  expect(tries.begin(payment(cash, "two")).idempotencyKey).toBe("key 4");
});

test("a write without a body, or without parameters, is repeated as well", () => {
  const tries = countedTries();
  const wanted: WriteContent[] = [
    { id: "goLive", params: { venue: "nino" } },
    { id: "goLive", params: { venue: "mara" } },
    { id: "goLive" },
  ];
  const begun = wanted.map((content) => tries.begin(content));
  expect(begun.map(({ content }) => content)).toEqual(wanted);
  expect(wanted.map((content) => tries.begin(content).idempotencyKey)).toEqual(["key 1", "key 2", "key 3"]);
});

test("tries of two dialogs have keys of their own", () => {
  expect(createTries().begin(seeing(0)).idempotencyKey).not.toBe(createTries().begin(seeing(0)).idempotencyKey);
});
