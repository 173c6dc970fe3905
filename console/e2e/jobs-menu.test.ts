/** The menu: each job as a manager, in a real browser, against the real server. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let page: Page;
let token: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  token = await server.token(slug);
  ({ page } = await openInNewContext(browser, server.url, LOOKS.light));
  await acceptInvitation(page, await server.invite(slug, "max@menu.example", "manager", "Max"));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

type PricedDish = { id: number; key: string; price_minor: number | null };
const dishRow = async (key: string): Promise<PricedDish | undefined> => {
  const [row] = await server.query<PricedDish>("select id, key, price_minor::integer from items where key = $1 and deleted_at is null", [
    key,
  ]);
  return row;
};
const priceOf = async (key: string): Promise<number | null | undefined> => (await dishRow(key))?.price_minor;

type ApiMenuDish = {
  name: object;
  price_minor: number | null;
  allergens: string[];
  modifier_groups: object[];
  variants: { price_minor: number; is_default: boolean }[];
};
const readDish = async (id: number): Promise<ApiMenuDish> => {
  const answer = await fetch(`${server.url}/api/v1/items/${id}`, { headers: { Authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { data: ApiMenuDish }).data;
};

const open = async (): Promise<void> => {
  await page.goto(`/console/v/${slug}/menu`);
  await page.getByRole("heading", { name: "Menu", level: 1 }).waitFor();
  await page.getByLabel("Price of Plain Plate").waitFor();
};
const bar = () => page.locator(".save-bar");
const undo = async (): Promise<void> => {
  await bar().getByRole("button", { name: "Undo" }).click();
  await bar()
    .getByText(/taken back/)
    .waitFor();
};

job("JM-03", async () => {
  await open();
  expect(await priceOf("plain")).toBe(1000);
  await page.getByLabel("Price of Plain Plate").fill("11,x");
  await page.getByText("A field has no valid price.").waitFor();
  await page.getByLabel("Price of Plain Plate").fill("11,50");
  await button(page, "Save 1 change").waitFor();
  await page.keyboard.press("Control+s");
  await bar().getByText("1 change saved").waitFor();
  expect(await priceOf("plain")).toBe(1150);
  expect((await readDish(Number((await dishRow("plain"))?.id))).price_minor).toBe(1150);
  await undo();
  expect(await priceOf("plain")).toBe(1000);
  await expect.poll(() => page.getByLabel("Price of Plain Plate").inputValue()).toBe("10.00");
  // A colleague saves another price meanwhile: it is marked, the own price stays and takes effect with the save.
  const other = await openInNewContext(browser, server.url, LOOKS.light);
  await acceptInvitation(other.page, await server.invite(slug, "mia@menu.example", "manager", "Mia"));
  await other.page.goto(`/console/v/${slug}/menu`);
  await page.getByLabel("Price of Plain Plate").fill("12.00");
  await other.page.getByLabel("Price of Plain Plate").fill("10.50");
  await other.page.keyboard.press("Control+s");
  await other.page.getByText("1 change saved").waitFor();
  await page.getByText("Changed by a colleague in the meantime.").waitFor();
  await page.keyboard.press("Control+s");
  await bar().getByText("1 change saved").waitFor();
  expect(await priceOf("plain")).toBe(1200);
  await other.context.close();
});

job("JM-04", async () => {
  await open();
  await page.locator(".menu-tree").getByRole("button", { name: "Always 10" }).click();
  await button(page, "Add dish").click();
  const form = page.getByRole("dialog", { name: "Dish" });
  await form.getByLabel("Name (English)").fill("Lemon Cake");
  await form.getByLabel("Name (Arabic)").fill("كعكة الليمون");
  await form.getByLabel("Several sizes").click();
  await form.getByLabel("Name of the size (English)").first().fill("Small");
  await form.getByLabel("Price (USD)").first().fill("4");
  await form.getByLabel("Name of the size (English)").last().fill("Large");
  await form.getByLabel("Price (USD)").last().fill("7.50");
  await form.getByLabel("Add a group of extras").selectOption({ label: "Pick any" });
  await form.getByLabel("Allergens are stated").click();
  await form.getByText("gluten", { exact: true }).click();
  await form.getByText("eggs", { exact: true }).click();
  await button(page, "Done").click();
  await bar().getByRole("button", { name: "Save 1 change" }).click();
  await bar().getByText("1 change saved").waitFor();
  const [row] = await server.query<{ id: number }>("select id from items where name ->> 'en' = 'Lemon Cake' and deleted_at is null", []);
  const dish = await readDish(Number(row?.id));
  expect(dish).toMatchObject({ name: { en: "Lemon Cake", ar: "كعكة الليمون" }, allergens: ["gluten", "eggs"] });
  expect(dish.variants.map(({ price_minor, is_default }) => [price_minor, is_default])).toEqual([
    [400, true],
    [750, false],
  ]);
  expect(dish.modifier_groups).toHaveLength(1);
  // It is removed without a question, and put back with its place.
  await button(page, "Lemon Cake").click();
  await button(page, "Remove dish").click();
  await page.getByText("Removed with the next save").waitFor();
  await bar().getByRole("button", { name: "Save 1 change" }).click();
  await bar().getByText("1 change saved").waitFor();
  expect(await page.getByRole("button", { name: "Lemon Cake", exact: true }).count()).toBe(0);
  await undo();
  await button(page, "Lemon Cake").waitFor();
});

job("JM-05", async () => {
  await open();
  await page.locator(".menu-tree").getByRole("button", { name: "Elements 20" }).click();
  await page.getByLabel("Choose all 20 dishes").check();
  await button(page, "Change prices of 20 dishes").click();
  const form = page.getByRole("dialog", { name: "Change prices" });
  await form.getByLabel("Per cent").last().fill("5");
  await form.getByLabel("Round to").selectOption({ label: "$0.10" });
  await form
    .getByRole("row", { name: /Oxygen Omelette/ })
    .getByText("$8.40")
    .waitFor();
  await button(page, "Change 20 dishes").click();
  expect(await priceOf("oxygen")).toBe(800);
  // 1.00 and 5 per cent is 1.05, which is rounded to 1.10.
  await expect.poll(() => page.getByLabel("Price of Hydrogen Fizz").inputValue(), { timeout: 10_000 }).toBe("1.10");
  await bar().getByRole("button", { name: "Save 20 changes" }).click();
  await bar().getByText("20 changes saved").waitFor();
  expect([await priceOf("hydrogen"), await priceOf("oxygen"), await priceOf("calcium")]).toEqual([110, 840, 2100]);
  await undo();
  expect([await priceOf("hydrogen"), await priceOf("oxygen"), await priceOf("calcium")]).toEqual([100, 800, 2000]);
  // Rows of a spreadsheet: a new dish, a new price, and a fault that stays.
  await button(page, "Paste from a spreadsheet").click();
  const paste = page.getByRole("dialog", { name: "Paste from a spreadsheet" });
  await paste.getByLabel("Rows").fill("Scandium Scone\t21\tElements\nNeon Nachos\t10.50\t\nZinc\tx\tElements");
  await paste.getByText("Not a price.").waitFor();
  await button(page, "Add 2 rows").click();
  expect(await paste.getByLabel("Rows").inputValue()).toBe("Zinc\tx\tElements");
  await page.keyboard.press("Escape");
  await bar().getByRole("button", { name: "Save 2 changes" }).click();
  await bar().getByText("2 changes saved").waitFor();
  expect(await priceOf("neon")).toBe(1050);
});
