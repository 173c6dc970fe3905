import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";
import type { Source } from "./network-source.ts";

const from = (network: string, host = network): Source => ({ network, host });

/** One runs at a time and ends when told to, so that the order of the others can be read. */
const openQueue = (waitingMax: number) => {
  const queue = createFairQueue({ concurrency: 1, waitingMax, refusal: () => new Error("full") });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, source: Source | null): Promise<string> =>
    queue
      .run(source, async () => {
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

test("a trusted caller goes first", async () => {
  const { run, order, drain } = openQueue(100);
  const all = ["a", "b", "c"].map((name) => run(name, from(name)));
  all.push(run("owner", null));
  await drain();
  expect(order).toEqual(["a", "owner", "b", "c"]);
  await Promise.all(all);
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

test("a network of many hosts, one call each, makes room as well and nobody is left behind", async () => {
  const { run, drain } = openQueue(4);
  const flood = Array.from({ length: 8 }, (_, index) => run(`flood ${index}`, from("flood", `host ${index}`)));
  const honest = [run("one", from("one")), run("two", from("two"))];
  await drain();
  const answers = await Promise.all(flood);
  expect(answers.filter((answer) => answer === "done")).toHaveLength(3);
  expect(await Promise.all(honest)).toEqual(["done", "done"]);
});

test("planted: one line for all lets the flood go first", async () => {
  const same = from("same");
  const { run, order, drain } = openQueue(100);
  const all = Array.from({ length: 20 }, (_, index) => run(`flood ${index}`, same));
  all.push(run("honest", same));
  await drain();
  expect(order.indexOf("honest")).toBe(20);
  await Promise.all(all);
});
