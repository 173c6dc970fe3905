/**
 * Bookings and their tables: timeline, floor plan, moves, blocks, in a real browser, against the real server.
 *
 * @long: it is among the longest.
 */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiReservation, type BookingDesk, freeTables, openBookingDesk } from "./booking-desk.ts";
import { job } from "./jobs.ts";
import { button } from "./sign-in.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The day of service after this one, which begins at 05:00. The venue's clock is UTC. */
const tomorrow = new Date(Date.now() - 5 * 60 * 60 * 1000 + DAY_MS).toISOString().slice(0, 10);

let desk: BookingDesk;

beforeAll(async () => {
  desk = await openBookingDesk();
});
afterAll(() => desk?.close());

/** Tomorrow, so that no time of the test is over. */
const book = async (name: string, changes: object): Promise<ApiReservation> =>
  (await desk.api("POST", "/reservations", { name, phone: "+1 555 0800", party_size: 2, date: tomorrow, ...changes })) as ApiReservation;

const showTomorrow = async (page: Page, view: string): Promise<void> => {
  await page.getByLabel("Day after").click();
  await page.getByText(view, { exact: true }).click();
};
const barOf = (page: Page, name: string): Locator => page.locator(".timeline-bar").filter({ hasText: name });
const rowOf = (page: Page, table: string): Locator => page.getByRole("list", { name: `Table ${table}` });
const tablesOf = async (id: string): Promise<string[]> =>
  (
    await desk.server.query<{ name: string }>(
      "select d.name from reservation_tables r join dining_tables d on d.id = r.table_id where r.reservation_id = $1 order by d.name",
      [id],
    )
  ).map(({ name }) => name);

job("JB-01", async () => {
  await freeTables(desk);
  await book("Vera Views", { time: "19:00", party_size: 4 });
  const page = await desk.openDay("staff");
  await page.getByLabel("Day after").click();
  await page.locator(".booking-row").filter({ hasText: "Vera Views" }).waitFor();
  // One tap each.
  await page.getByText("Timeline", { exact: true }).click();
  await barOf(page, "Vera Views").waitFor();
  expect(await page.locator(".timeline-load").getAttribute("aria-label")).toBe("At most 4 guests, at 19:00");
  await page.getByText("Floor plan", { exact: true }).click();
  await page.getByLabel("Show the tables at", { exact: true }).fill("19:30");
  await page.getByRole("button", { name: /^Table Lab table 1, 4 seats, Expected, 4 · Vera Views/ }).waitFor();
  await page.getByRole("button", { name: /^Table Lab table 2, 6 seats, Free/ }).waitFor();
  await page.getByText("List", { exact: true }).click();
});

/** Drags from the middle of the bar to the middle of the row of another table, some hours later. */
const dragTo = async (page: Page, bar: Locator, row: Locator, hours: number): Promise<() => Promise<void>> => {
  await bar.scrollIntoViewIfNeeded();
  const [from, to, hour] = [
    await bar.boundingBox(),
    await row.boundingBox(),
    await page.locator(".timeline-hours span").first().boundingBox(),
  ];
  if (!from || !to || !hour) throw new Error("The timeline is not on the page.");
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 8, y, { steps: 2 });
  await page.mouse.move(x + hours * hour.width, to.y + to.height / 2, { steps: 10 });
  return () => page.mouse.up();
};

job("JB-06", async () => {
  await freeTables(desk);
  const { id } = await book("Dora Drags", { time: "18:00", party_size: 4 });
  await book("Tom Takes", { time: "18:00", party_size: 6 });
  const page = await desk.openDay("staff");
  await showTomorrow(page, "Timeline");
  expect(await tablesOf(id)).toEqual(["Lab table 1"]);
  // The other table is taken at the same time: it is shaded before the drop, and the drop changes nothing.
  const drop = await dragTo(page, barOf(page, "Dora Drags"), rowOf(page, "Lab table 2"), 0);
  await page.getByText("The table is taken at that time.").waitFor();
  await expect.poll(() => rowOf(page, "Lab table 2").getAttribute("data-refused")).toBe("true");
  await drop();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await tablesOf(id)).toEqual(["Lab table 1"]);
  // Two hours later it is free.
  const dropLater = await dragTo(page, barOf(page, "Dora Drags"), rowOf(page, "Lab table 2"), 2);
  await page.getByText(/^Dora Drags: table Lab table 2, 20:00–/).waitFor();
  await dropLater();
  await page.getByText("Moved: Dora Drags, Lab table 2, 20:00").waitFor();
  expect(await desk.read(id)).toMatchObject({ date: tomorrow, time: "20:00" });
  expect(await tablesOf(id)).toEqual(["Lab table 2"]);
  await button(page, "Undo").click();
  await expect.poll(async () => [(await desk.read(id)).time, ...(await tablesOf(id))]).toEqual(["18:00", "Lab table 1"]);
  await rowOf(page, "Lab table 1").locator(".timeline-bar").waitFor();
  // Keys alone move the booking: a quarter of an hour earlier, and longer.
  await barOf(page, "Dora Drags").focus();
  for (const key of ["m", "ArrowDown"]) await page.keyboard.press(key);
  await page.getByText("The table is taken at that time.").waitFor();
  for (const key of ["ArrowUp", "ArrowLeft", "Shift+ArrowRight", "Enter"]) await page.keyboard.press(key);
  await page.getByText("Moved: Dora Drags, Lab table 1, 17:45").waitFor();
  expect((await desk.read(id)).time).toBe("17:45");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("Dora Drags");
  // Escape leaves it where it was.
  for (const key of ["m", "ArrowRight", "Escape"]) await page.keyboard.press(key);
  await page.locator(".timeline-ghost").waitFor({ state: "detached" });
  expect((await desk.read(id)).time).toBe("17:45");
  await page.getByText("List", { exact: true }).click();
});

const chooseMore = async (page: Page, action: string): Promise<void> => {
  await button(page, "More for this day").click();
  await page.getByRole("menuitem", { name: action }).click();
};

test("a booking after midnight is on the evening before, and a table with an open order is taken", async () => {
  await freeTables(desk);
  const nextDay = new Date(Date.parse(tomorrow) + DAY_MS).toISOString().slice(0, 10);
  await book("Nora Night", { date: nextDay, time: "01:30" });
  const page = await desk.openDay("staff");
  await showTomorrow(page, "Timeline");
  await barOf(page, "Nora Night").waitFor();
  // A table with an open order is taken without a booking.
  const dishes = (await desk.api("GET", "/items?available=true&per_page=100")) as { id: number; name: { en: string } }[];
  const dish = dishes.find(({ name }) => name.en === "Plain Plate");
  const order = (await desk.api("POST", "/orders", {
    type: "dine_in",
    table_code: "L1",
    customer_name: "Olga Orders",
    customer_phone: "+1 555 0801",
    lines: [{ item_id: dish?.id, quantity: 1 }],
  })) as { id: string };
  const [{ number } = { number: 0 }] = await desk.server.query<{ number: number }>("select number from orders where id = $1", [order.id]);
  await button(page, "Today").click();
  await rowOf(page, "Lab table 1").getByText(`Taken, #${number} since`).waitFor();
  await page.getByText("Floor plan", { exact: true }).click();
  const onPlan = page.getByRole("button", { name: new RegExp(`^Table Lab table 1, 4 seats, Taken, #${number} since`) });
  await onPlan.waitFor();
  await page.locator(".bookings-head").getByRole("button", { name: "Walk-in" }).click();
  await page.getByRole("button", { name: /^Seat 2 guests at Lab table 2/ }).waitFor();
  await page.keyboard.press("Escape");
  await onPlan.click();
  await page.getByText(/have an open order here/).waitFor();
  await page.keyboard.press("Escape");
  // When the order is done, the table is free.
  for (const status of ["accepted", "ready", "completed"]) await desk.api("POST", `/orders/${order.id}/status`, { status });
  await page.getByRole("button", { name: /^Table Lab table 1, 4 seats, Free/ }).waitFor();
  await page.getByText("List", { exact: true }).click();
});

job("JB-13", async () => {
  await freeTables(desk);
  const page = await desk.openDay("manager");
  await showTomorrow(page, "Timeline");
  await chooseMore(page, "Block tables");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("From").fill("18:00");
  await dialog.getByLabel(/^To\b/).fill("20:00");
  await dialog.getByRole("checkbox", { name: /^Lab table 1/ }).check();
  await dialog.getByLabel("Reason").fill("A broken lamp");
  await dialog.getByRole("button", { name: "Block" }).click();
  await button(page, "Blocked: A broken lamp").waitFor();
  // A party of two gets the larger table while the smaller one is blocked.
  expect(await tablesOf((await book("Bea Beside", { time: "18:30" })).id)).toEqual(["Lab table 2"]);
  await button(page, "Blocked: A broken lamp").click();
  await page.getByRole("dialog").getByRole("button", { name: "End this block" }).click();
  await button(page, "Blocked: A broken lamp").waitFor({ state: "detached" });
  expect(await tablesOf((await book("Ben Back", { time: "18:30" })).id)).toEqual(["Lab table 1"]);
  await page.getByText("List", { exact: true }).click();
});

job("JB-14", async () => {
  await freeTables(desk);
  const page = await desk.openDay("manager");
  await chooseMore(page, "Would this time be free?");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Date").fill(tomorrow);
  await dialog.getByLabel("Time").fill("20:00");
  await dialog.getByLabel("Guests").fill("4");
  await dialog.locator("button[type=submit]").click();
  await dialog.getByText(/Lab table 1/).waitFor();
  await dialog.getByText("No deposit is asked for: your rules ask for none.").waitFor();
  await book("Occa Pied", { time: "20:00", party_size: 4 });
  await book("Occa Pied", { time: "20:00", party_size: 6 });
  await dialog.getByLabel("Time").fill("20:15");
  await dialog.locator("button[type=submit]").click();
  await dialog.getByText(/No table is free/).waitFor();
});
