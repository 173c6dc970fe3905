/** How quickly a page answers on a slow device, as the browser itself measures it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";

/** Reads the milliseconds that the page's main thread has worked, without what it waited for: other work on the machine does not add to them. */
export const watchProcessor = async (page: Page): Promise<() => Promise<number>> => {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
};

/** Milliseconds: from each tap or key to the next picture, and each task above 50 ms. */
type Interactions = { events: number[]; tasks: number[] };

/** Makes the page collect interactions in `window.interactions`. */
const collectInteractions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Interactions = { events: [], tasks: [] };
    (window as unknown as { interactions: Interactions }).interactions = seen;
    const byInteraction = new Map<number, number>();
    new PerformanceObserver((list) => {
      for (const { duration, interactionId } of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
        if (interactionId === 0) continue;
        byInteraction.set(interactionId, Math.max(duration, byInteraction.get(interactionId) ?? 0));
        seen.events = [...byInteraction.values()];
      }
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    new PerformanceObserver((list) => {
      seen.tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: "longtask" });
  });

/** The short form compares nothing with it. */
const EMPTY_PAGE_MS = process.env.TEST_STRESS ? 3000 : 0;

/** Makes the processor slower for the page. Returns what an empty page takes there: it says what the machine itself adds. */
export const slowDown = async (page: Page, session: CDPSession, times: number): Promise<Interactions> => {
  await page.goto("about:blank");
  await session.send("Emulation.setCPUThrottlingRate", { rate: times });
  await collectInteractions(page);
  await sleep(EMPTY_PAGE_MS);
  return page.evaluate(() => (window as unknown as { interactions: Interactions }).interactions);
};

/** The 98th of a hundred, as INP counts it. Interactions below 16 ms are not reported by the browser. */
const interactionTime = ({ events }: Interactions): number =>
  events.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(events.length * 0.98) - 1)] ?? 0;

const longestTaskOf = ({ tasks }: Interactions): number => Math.round(Math.max(0, ...tasks));

/** What is left after the garbage was collected. */
const readHeapMb = async (session: CDPSession): Promise<number> => {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { usedSize: number };
  return usedSize / 1e6;
};

const HEAP_EVERY_MS = 60_000;

/** Once a minute, and at the end. */
const watchHeap = async (session: CDPSession, until: number): Promise<number[]> => {
  const megabytes: number[] = [];
  for (; Date.now() < until; await sleep(Math.min(HEAP_EVERY_MS, Math.max(1, until - Date.now()))))
    megabytes.push(await readHeapMb(session));
  return [...megabytes, await readHeapMb(session)];
};

/** A click as the system gives it. A locator's own click runs code of the test in the page, which would be measured as the page's. */
export const clickPlain = async (page: Page, selector: string, place = 0): Promise<void> => {
  const point = await page.evaluate(
    ([wanted, index]) => {
      const box = document.querySelectorAll(wanted)[index]?.getBoundingClientRect();
      return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
    },
    [selector, place] as const,
  );
  if (point === null) throw new Error(`The page has no ${selector}`);
  await page.mouse.click(point.x, point.y);
};

/** The short form is three seconds, the long one ten minutes. */
export const WORK_MS = Number(process.env.TEST_SECONDS ?? (process.env.TEST_STRESS ? 600 : 3)) * 1000;

type Responsiveness = { interactions: number; interactionMs: number; longestTaskMs: number; heapGrowth: number };

/** Everything in `works` happens at once until the time is over. `idle` is what an empty page takes on this machine. */
export const measureWork = async (
  name: string,
  { page, session, idle }: { page: Page; session: CDPSession; idle: Interactions },
  works: readonly ((until: number) => Promise<void>)[],
): Promise<Responsiveness> => {
  await collectInteractions(page);
  const until = Date.now() + WORK_MS;
  const [heap] = await Promise.all([watchHeap(session, until), ...works.map((work) => work(until))]);
  const seen = await page.evaluate(() => (window as unknown as { interactions: Interactions }).interactions);
  const [interactionMs, longestTaskMs] = [interactionTime(seen), longestTaskOf(seen)];
  console.info(
    `${name}: ${seen.events.length} interactions, 98th of a hundred ${interactionMs} ms, longest task ${longestTaskMs} ms (empty page ${longestTaskOf(idle)} ms), heap ${heap.map((mb) => mb.toFixed(0)).join(" ")} MB`,
  );
  return { interactions: seen.events.length, interactionMs, longestTaskMs, heapGrowth: (heap.at(-1) ?? 0) / (heap[1] ?? 1) };
};
