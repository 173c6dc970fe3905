/**
 * The timeline of a large evening: 40 tables and 200 bookings. The short form has 6 tables and 12 bookings and judges nothing but what is
 * shown; `TEST_STRESS=1 npm run e2e -- timeline-responsiveness` judges the time to the first picture, from a key to the next picture, and
 * the pictures of a second while a booking is dragged. Nothing else may run beside the long form. Bars lie at the same times in both directions.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BookingDesk, openBookingDesk } from "./booking-desk.ts";
import { LOOKS, newContext } from "./browser.ts";

const isLong = process.env.TEST_STRESS !== undefined;
const TABLES = isLong ? 40 : 6;
const TIMES = isLong ? ["12:00", "13:30", "15:00", "16:30", "18:00"] : ["15:00", "18:00"];
const BOOKINGS = TABLES * TIMES.length;
const FIRST_PICTURE_MS_MAX = 1000;
const KEY_MS_MAX = 100;
const PICTURES_PER_SECOND_MIN = 50;
const DRAG_STEPS = isLong ? 180 : 20;
const [DOWN_KEYS, RIGHT_KEYS] = isLong ? [20, 10] : [5, 3];

const DAY_MS = 24 * 60 * 60 * 1000;
/** The day of service after this one, which begins at 05:00. The venue's clock is UTC. */
const tomorrow = new Date(Date.now() - 5 * 60 * 60 * 1000 + DAY_MS).toISOString().slice(0, 10);

let desk: BookingDesk;

/** All bookings have two guests, so that each takes the next free table. */
beforeAll(async () => {
  desk = await openBookingDesk();
  await desk.server.query("update dining_tables set is_active = false returning id", []);
  await desk.server.query(
    `insert into dining_tables (restaurant_id, key, branch_id, name, seats, is_active, sort_order)
     select b.restaurant_id, 'big-' || n, b.id, 'Big ' || n, 2, true, 100 + n from branches b, generate_series(1, $1::integer) n
     where b.is_default and b.restaurant_id = (select id from restaurants where slug = $2) returning id`,
    [TABLES, desk.slug],
  );
  for (const time of TIMES)
    for (let guest = 1; guest <= TABLES; guest++) {
      const phone = `+1 555 ${String(guest).padStart(4, "0")}`;
      await desk.api("POST", "/reservations", { name: `Guest ${guest}`, phone, party_size: 2, date: tomorrow, time });
    }
});
afterAll(() => desk?.close());

const bars = (page: Page) => page.locator(".timeline-bar");
const showTomorrow = async (page: Page, place: number): Promise<void> => {
  await page.locator(".mantine-SegmentedControl-label").nth(place).click();
  await page.locator(".bookings-day button").nth(1).click();
  await expect.poll(() => bars(page).count()).toBe(BOOKINGS);
};

/** Where each bar begins and ends in its row, counted from the side where reading begins. */
const readPlaces = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll(".timeline-bar")].map((bar) => {
      const row = bar.closest("ul")?.getBoundingClientRect() ?? new DOMRect();
      const { left, right } = bar.getBoundingClientRect();
      const isMirrored = getComputedStyle(bar).direction === "rtl";
      const [begin, end] = isMirrored ? [row.right - right, row.right - left] : [left - row.left, right - row.left];
      return [begin, end].map((px) => ((px / row.width) * 1000).toFixed(0)).join("–");
    }),
  );

test("bars lie at the same times from left to right and from right to left", async () => {
  const page = await desk.openDay("staff");
  await showTomorrow(page, 1);
  const places = await readPlaces(page);
  const arabic = await newContext(desk.browser, desk.server.url, LOOKS.arabic);
  await arabic.addCookies(await page.context().cookies());
  const mirrored = await arabic.newPage();
  await mirrored.goto(`/console/v/${desk.slug}/bookings`);
  await mirrored.locator(".bookings-head").waitFor();
  expect(await mirrored.evaluate(() => document.documentElement.dir)).toBe("rtl");
  await showTomorrow(mirrored, 1);
  expect(await readPlaces(mirrored)).toEqual(places);
  expect(new Set(places).size).toBe(TIMES.length);
  await arabic.close();
});

/** Measures from the tap until the bars have been painted. */
const measureFirstPicture = async (page: Page): Promise<number> => {
  await page.locator(".mantine-SegmentedControl-label").nth(1).click();
  return page.evaluate(async (count) => {
    const from = performance.now();
    document.querySelectorAll<HTMLButtonElement>(".bookings-day button")[1]?.click();
    while (document.querySelectorAll(".timeline-bar").length < count) await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - from;
  }, BOOKINGS);
};

/** Measures from each key to the next picture, the slowest first. The browser does not report times below 16 ms. */
const measureKeys = async (page: Page): Promise<number[]> => {
  await page.evaluate(() => {
    const seen: number[] = [];
    (window as unknown as { keyTimes: number[] }).keyTimes = seen;
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") seen.push(duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await bars(page).first().focus();
  // The first picture of the rows that were scrolled into view is not part of a key.
  await page.waitForTimeout(500);
  for (const key of ["m", ...Array<string>(DOWN_KEYS).fill("ArrowDown"), ...Array<string>(RIGHT_KEYS).fill("ArrowRight")]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(80);
  }
  await page.locator(".timeline-ghost").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForTimeout(200);
  return page.evaluate(() => (window as unknown as { keyTimes: number[] }).keyTimes.toSorted((a, b) => b - a));
};

/** Pictures of a second while the pointer moves over the rows. */
const measureDrag = async (page: Page): Promise<number> => {
  const bar = bars(page).nth(TIMES.length);
  await bar.scrollIntoViewIfNeeded();
  const box = await bar.boundingBox();
  if (!box) throw new Error("The timeline is not on the page.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 10, y, { steps: 3 });
  await page.locator(".timeline-ghost").waitFor();
  await page.evaluate(() => {
    const counted = { from: performance.now(), pictures: 0, isOver: false };
    (window as unknown as { counted: typeof counted }).counted = counted;
    const count = (): void => {
      counted.pictures++;
      if (!counted.isOver) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  for (let step = 0; step < DRAG_STEPS; step++) {
    await page.mouse.move(x + Math.sin(step / 10) * 200, y + Math.cos(step / 14) * 150);
    await page.waitForTimeout(10);
  }
  const perSecond = await page.evaluate(() => {
    const { counted } = window as unknown as { counted: { from: number; pictures: number; isOver: boolean } };
    counted.isOver = true;
    return (counted.pictures / (performance.now() - counted.from)) * 1000;
  });
  await page.keyboard.press("Escape");
  await page.locator(".timeline-ghost").waitFor({ state: "detached" });
  await page.mouse.up();
  return perSecond;
};

test(`${TABLES} tables and ${BOOKINGS} bookings: first picture, keys, drag`, async () => {
  const page = await desk.openDay("staff");
  const firstMs = await measureFirstPicture(page);
  expect(await bars(page).count()).toBe(BOOKINGS);
  const [keyMs = 0, ...otherKeys] = await measureKeys(page);
  const perSecond = await measureDrag(page);
  console.info(
    `timeline: ${TABLES} tables, ${BOOKINGS} bookings: first picture after ${firstMs.toFixed(0)} ms, slowest keys ${[keyMs, ...otherKeys.slice(0, 4)].join(" ")} ms, ${perSecond.toFixed(0)} pictures a second while dragging`,
  );
  if (!isLong) return;
  expect(firstMs).toBeLessThan(FIRST_PICTURE_MS_MAX);
  expect(keyMs).toBeLessThan(KEY_MS_MAX);
  expect(perSecond).toBeGreaterThanOrEqual(PICTURES_PER_SECOND_MIN);
});
