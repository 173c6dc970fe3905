import { expect, test } from "vitest";
import { type ChangeMark, type ChangeNotice, createChangeWatch } from "./change-watch.ts";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const MARK: ChangeMark = { restaurant_id: 1, epoch: "7-0", number: 5, areas: [], deliveries: "0", requests: "0" };

/** A watch over one venue, whose marks the test sets. Readings happen when it waits for them. */
const watchOne = async (gatherMs = 0) => {
  let mark = MARK;
  let readings = 0;
  const reading = { isFailing: false };
  const watch = createChangeWatch({
    readMarks: async () => {
      readings++;
      if (reading.isFailing) throw new Error("The database does not answer");
      return [mark];
    },
    everyMs: 5,
    gatherMs,
    log,
  });
  const notices: ChangeNotice[] = [];
  const watching = await watch.watch(1, (notice) => notices.push(notice));
  const nextReading = async (): Promise<void> => {
    for (const before = readings; readings < before + 2; ) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const set = async (change: Partial<ChangeMark>): Promise<void> => {
    mark = { ...mark, ...change };
    await nextReading();
  };
  return { watch, watching, notices, set, nextReading, reading, countReadings: () => readings };
};

test("a commit is told at once, and a reading that finds it again tells nothing", async () => {
  const { watch, watching, notices, set } = await watchOne();
  watch.tell({ restaurantId: 1, number: 6, areas: ["orders"] });
  expect(notices).toEqual([{ id: "7-0.6", areas: ["orders", "activity"] }]);
  watch.tell({ restaurantId: 1, number: 6, areas: ["orders"] });
  watch.tell({ restaurantId: 2, number: 9, areas: ["orders"] });
  await set({ number: 6 });
  expect(notices).toHaveLength(1);
  watching.stop();
});

test("a commit that was not told is found by the next reading; the position stays before it until then", async () => {
  const { watch, watching, notices, set } = await watchOne();
  watch.tell({ restaurantId: 1, number: 8, areas: ["menu"] });
  expect(notices).toEqual([{ id: "7-0.5", areas: ["menu", "activity"] }]);
  await set({ number: 8, areas: ["orders", "menu"] });
  expect(notices[1]).toEqual({ id: "7-0.8", areas: ["orders", "menu", "activity"] });
  watching.stop();
});

test("deliveries and requests are told without a number; another epoch and a long gap mean that all may have changed", async () => {
  const { watching, notices, set } = await watchOne();
  await set({ deliveries: "1" });
  expect(notices.at(-1)).toEqual({ id: "7-0.5", areas: ["deliveries"] });
  await set({ requests: "4" });
  expect(notices.at(-1)).toEqual({ id: "7-0.5", areas: ["requests"] });
  await set({ epoch: "8-0", number: 2 });
  expect(notices.at(-1)).toEqual({ id: "8-0.2", areas: null });
  await set({ number: 5000, areas: null });
  expect(notices.at(-1)).toEqual({ id: "8-0.5000", areas: null });
  watching.stop();
});

test("a number that goes back within the epoch means that all may have changed, and the numbers are told again", async () => {
  const { watch, watching, notices, set } = await watchOne();
  await set({ number: 3 });
  expect(notices.at(-1)).toEqual({ id: "7-0.3", areas: null });
  watch.tell({ restaurantId: 1, number: 4, areas: ["orders"] });
  await set({ number: 4 });
  expect(notices.at(-1)).toEqual({ id: "7-0.4", areas: ["orders", "activity"] });
  watching.stop();
});

test("the first change is told at once, those that follow soon together", async () => {
  const { watch, watching, notices, set } = await watchOne(60);
  watch.tell({ restaurantId: 1, number: 6, areas: ["orders"] });
  for (const number of [7, 8, 9]) watch.tell({ restaurantId: 1, number, areas: [number === 9 ? "menu" : "orders"] });
  expect(notices).toEqual([{ id: "7-0.6", areas: ["orders", "activity"] }]);
  await set({ number: 9 });
  await expect.poll(() => notices.length).toBe(2);
  expect(notices[1]).toEqual({ id: "7-0.9", areas: ["orders", "activity", "menu"] });
  watching.stop();
});

test("the watch knows when changes could last be read", async () => {
  const { watch, watching, nextReading, reading } = await watchOne();
  expect(performance.now() - watch.lastReadAt()).toBeLessThan(1000);
  await nextReading();
  reading.isFailing = true;
  await nextReading();
  const before = watch.lastReadAt();
  await nextReading();
  expect(watch.lastReadAt()).toBe(before);
  reading.isFailing = false;
  await nextReading();
  await nextReading();
  expect(watch.lastReadAt()).toBeGreaterThan(before);
  watching.stop();
});

test("nothing is read when no stream is open", async () => {
  const { watching, nextReading, countReadings } = await watchOne();
  await nextReading();
  watching.stop();
  const before = countReadings();
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(countReadings()).toBeLessThanOrEqual(before + 1);
});
