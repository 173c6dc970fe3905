/** Tables and booking rules: each job as a manager, in a real browser, against the real server. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let server: RealServer;
let browser: Browser;
let slug: string;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  ({ page } = await openInNewContext(browser, server.url, LOOKS.light));
  await acceptInvitation(page, await server.invite(slug, "max@floor.example", "manager", "Max"));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

type TableRow = { name: string; seats: number; code: string | null; place_x: number | null; place_y: number | null; shape: string | null };

const tableRow = async (name: string): Promise<TableRow | undefined> => {
  const [row] = await server.query<TableRow>(
    "select name, seats, code, place_x, place_y, shape from dining_tables where name = $1 and deleted_at is null",
    [name],
  );
  return row;
};
const open = async (path: string, heading: string): Promise<void> => {
  await page.goto(`/console/v/${slug}/${path}`);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
};
const onPlan = (name: RegExp) => page.getByRole("button", { name });
const save = async (said: string): Promise<void> => {
  await page.locator(".save-bar").getByRole("button", { name: "Save" }).click();
  await page.getByText(said).first().waitFor();
};

job("JE-03", async () => {
  await open("floor", "Tables");
  // The pointer drags a table to the right by a quarter of the field.
  const box = await onPlan(/^Lab table 1, 4 seats/).boundingBox();
  const field = await page.locator(".floor-field").boundingBox();
  if (!box || !field) throw new Error("The plan is not shown.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + field.width / 8, y, { steps: 5 });
  await page.mouse.move(x + field.width / 4, y, { steps: 5 });
  await page.mouse.up();
  await page.locator(".save-bar-note").getByText("Changes are not saved").waitFor();
  // A new table by keys and form.
  await button(page, "Add table").click();
  await onPlan(/^Lab table 4, 4 seats/).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByLabel("Name").fill("Window");
  await page.getByLabel("Seats", { exact: true }).fill("7");
  await page.getByText("Round", { exact: true }).click();
  await page.getByLabel("QR code text").fill("W1");
  const before = await tableRow("Lab table 1");
  expect(before?.place_x).toBeNull();
  await save("Tables saved");
  const moved = await tableRow("Lab table 1");
  const drawn = Math.round(((x - field.x) / field.width) * 100);
  expect(moved?.place_x).toBeGreaterThanOrEqual(drawn + 23);
  expect(moved?.place_x).toBeLessThanOrEqual(drawn + 27);
  expect(await tableRow("Window")).toMatchObject({ seats: 7, code: "W1", shape: "round" });
  // Another name that is taken is shown at its table, and nothing is saved.
  await page.getByLabel("Name").fill("Lab table 2");
  await page.locator(".save-bar").getByRole("button", { name: "Save" }).click();
  await page.getByText("Another table has this name.").waitFor();
  await button(page, "Discard").click();
  // The sheet has a code for each table that has a text and is switched on.
  await page.getByRole("link", { name: "Print QR codes" }).click();
  await page.getByRole("heading", { name: "QR codes", level: 1 }).waitFor();
  // Without an address of the venue's own page there is no code that leads anywhere.
  await page.getByText("Where do the codes lead?").waitFor();
  expect([await page.locator(".qr-card").count(), await button(page, "Print").isDisabled()]).toEqual([0, true]);
  await page.getByLabel("Address in the code").fill(`${new URL(page.url()).origin}/t/{code}`);
  await page.getByText("This service has no page for guests.").waitFor();
  await page.getByLabel("Address in the code").fill("https://lab.example/t/{code}");
  await page.getByRole("img", { name: "QR code of table Window" }).waitFor();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "yes");
  });
  await button(page, "Print").click();
  expect(await page.locator("body").getAttribute("data-printed")).toBe("yes");
  expect(await page.locator(".qr-print .qr-card").count()).toBe(4);
});

job("JE-06", async () => {
  await open("booking-rules", "Booking rules");
  const trial = page.locator(".try-booking");
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await trial.getByLabel("Date").fill(tomorrow);
  await trial.getByLabel("Time").fill("19:00");
  await trial.getByLabel("Guests").fill("6");
  await trial.getByRole("button", { name: "Try" }).click();
  await trial.getByText("Yes, this party can book.").waitFor();
  await trial.getByText(/until 20:30/).waitFor();
  await trial.getByText("No deposit is asked for: your rules ask for none.").waitFor();
  await page.getByLabel("Largest party").fill("4");
  await page.getByLabel("Minutes", { exact: true }).last().fill("120");
  await save("Booking rules saved");
  // The unchanged question gets the new answer at once.
  await trial.getByText("No, this party cannot book.").waitFor();
  await trial.getByText("The party is larger than 4 guests.").waitFor();
  await trial.getByLabel("Guests").fill("2");
  await trial.getByRole("button", { name: "Try" }).click();
  await trial.getByText(/until 21:00/).waitFor();
  const [row] = await server.query<{ booking: object }>(
    "select s.booking from settings s join restaurants r on r.id = s.restaurant_id where r.slug = $1",
    [slug],
  );
  expect(row?.booking).toMatchObject({ party_size_max: 4, turn_times: [{ party_size_max: null, minutes: 120 }] });
});
