import { expect, test } from "vitest";
import { type CallerIdentity, createFairQueue } from "./fair-queue.ts";
import type { Source } from "./network-source.ts";

const from = (network: string, host = network): Source => ({ network, host });

/** One call runs at a time and ends when the test ends it, so that the order of the others is visible. */
const openQueue = (waitingMax: number, waitMsMax = 5000) => {
  const queue = createFairQueue({ concurrency: 1, waitingMax, waitMsMax, refusal: () => new Error("full") });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, caller: CallerIdentity): Promise<string> =>
    queue
      .run(caller, async () => {
        order.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return "done";
      })
      .catch((error: Error) => error.message);
  const drain = async (): Promise<void> => {
    for (let idle = 0; idle < 5; idle++) {
      const end = ends.shift();
      end?.();
      if (end) idle = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { run, order, drain };
};

test("a newcomer waits for one turn of each network, however many of a flood wait", async () => {
  const { run, order, drain } = openQueue(100);
  const all = Array.from({ length: 20 }, (_, index) => run(`flood ${index}`, from("2001:db8::/48", `host ${index % 3}`)));
  all.push(run("honest", from("192.0.2.1")));
  await drain();
  expect(order.indexOf("honest")).toBeLessThanOrEqual(2);
  expect(await Promise.all(all)).toEqual(Array(21).fill("done"));
});

test("hosts of one network take turns as well", async () => {
  const { run, order, drain } = openQueue(100);
  const all = Array.from({ length: 10 }, (_, index) => run(`flood ${index}`, from("carrier", "phone 1")));
  all.push(run("honest", from("carrier", "phone 2")));
  await drain();
  expect(order.indexOf("honest")).toBeLessThanOrEqual(2);
  await Promise.all(all);
});

test("an account goes first, and then unknown callers have every second turn", async () => {
  const { run, order, drain } = openQueue(100);
  const all = ["a", "b", "c"].map((name) => run(name, from(name)));
  all.push(...["owner", "cook", "waiter"].map((name) => run(name, { account: name })));
  await drain();
  expect(order).toEqual(["a", "owner", "b", "cook", "c", "waiter"]);
  await Promise.all(all);
});

test("accounts take turns, and one of an account runs at a time", async () => {
  const { run, order, drain } = openQueue(100);
  const all = Array.from({ length: 10 }, (_, index) => run(`flood ${index}`, { account: "waiter" }));
  all.push(run("owner", { account: "owner" }));
  await drain();
  expect(order.indexOf("owner")).toBeLessThanOrEqual(2);
  await Promise.all(all);
  const wide = createFairQueue({ concurrency: 3, waitingMax: 100, waitMsMax: 5000, refusal: () => new Error("full") });
  let [running, most] = [0, 0];
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  };
  await Promise.all(Array.from({ length: 6 }, () => wide.run({ account: "waiter" }, work)));
  expect(most).toBe(1);
  await Promise.all(Array.from({ length: 6 }, (_, index) => wide.run({ account: `person ${index}` }, work)));
  expect(most).toBe(3);
});

test("who waits too long is refused, and the others go on", async () => {
  const { run, order, drain } = openQueue(100, 20);
  const first = run("first", from("a"));
  const late = [run("late", from("b")), run("late too", { account: "owner" })];
  expect(await Promise.all(late)).toEqual(["full", "full"]);
  const next = run("next", from("b"));
  await drain();
  expect([await first, await next, order]).toEqual(["done", "done", ["first", "next"]]);
});

test("a full line refuses the flood and makes room for a newcomer", async () => {
  const { run, drain } = openQueue(4);
  const flood = Array.from({ length: 8 }, (_, index) => run(`flood ${index}`, from("flood")));
  const honest = run("honest", from("honest"));
  await drain();
  const answers = await Promise.all(flood);
  expect(answers.filter((answer) => answer === "full")).toHaveLength(4);
  expect(await honest).toBe("done");
  expect(await Promise.race([run("after", from("flood")), drain().then(drain)])).not.toBe("full");
});

test("a network of many hosts, one call each, makes room as well, and every other caller is served", async () => {
  const { run, drain } = openQueue(4);
  const flood = Array.from({ length: 8 }, (_, index) => run(`flood ${index}`, from("flood", `host ${index}`)));
  const honest = [run("one", from("one")), run("two", from("two"))];
  await drain();
  const answers = await Promise.all(flood);
  expect(answers.filter((answer) => answer === "done")).toHaveLength(3);
  expect(await Promise.all(honest)).toEqual(["done", "done"]);
});

test("planted: with one queue for all, the flood goes first", async () => {
  const same = from("same");
  const { run, order, drain } = openQueue(100);
  const all = Array.from({ length: 20 }, (_, index) => run(`flood ${index}`, same));
  all.push(run("honest", same));
  await drain();
  expect(order.indexOf("honest")).toBe(20);
  await Promise.all(all);
});

test("planted: an unknown caller that counts as the account of a flood waits for all of it", async () => {
  const waiter = { account: "waiter" };
  const { run, order, drain } = openQueue(100);
  const all = Array.from({ length: 20 }, (_, index) => run(`flood ${index}`, waiter));
  all.push(run("honest", waiter));
  await drain();
  expect(order.indexOf("honest")).toBe(20);
  await Promise.all(all);
});
