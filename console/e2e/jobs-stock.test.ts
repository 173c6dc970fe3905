/** Stock: each job as the person it belongs to, in a real browser, against the real server. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let token: string;
let items: { id: number; name: { en: string }; variants: { id: number }[] }[];
let staff: OpenedPage;
let manager: OpenedPage;

const enter = async (role: "staff" | "manager", name: string): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, server.url, LOOKS.light);
  await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@stock.example`, role, name));
  return opened;
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  token = await server.token(slug);
  items = (await api("GET", "/items?per_page=100")) as typeof items;
  [staff, manager] = [await enter("staff", "Sam"), await enter("manager", "Max")];
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const api = async (method: string, path: string, body?: object): Promise<unknown> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return ((await answer.json()) as { data: unknown }).data;
};

const itemNamed = (name: string) => items.find((item) => item.name.en === name) ?? { id: 0, variants: [] };

let guests = 0;
const place = async (name: string, line: object): Promise<string> =>
  (
    (await api("POST", "/orders", {
      type: "pickup",
      customer_name: name,
      customer_phone: `+1 555 88${String(++guests).padStart(2, "0")}`,
      lines: [line],
    })) as { id: string }
  ).id;

const openStock = async (page: Page): Promise<void> => {
  await page.goto(`/console/v/${slug}/stock`);
  await page.getByRole("heading", { name: "Stock", level: 1 }).waitFor();
};
const rowOf = (page: Page, name: string): Locator => page.locator(".stock-row").filter({ hasText: name });
const shows = (page: Page, name: string, text: string): Promise<void> =>
  expect.poll(() => rowOf(page, name).locator(".stock-on-hand").textContent()).toBe(text);

const addIngredient = async (page: Page, name: string, par: string): Promise<void> => {
  await button(page, "Add an ingredient").click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill(name);
  await form.getByLabel(/^Par level, Main/).fill(par);
  await form.getByRole("button", { name: "Save" }).click();
  await rowOf(page, name).waitFor();
};

const count = async (page: Page, name: string, keys: string): Promise<void> => {
  await rowOf(page, name)
    .getByRole("button", { name: `Count ${name}` })
    .click();
  const dialog = page.getByRole("dialog");
  for (const key of keys) await dialog.getByRole("button", { name: key, exact: true }).click();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
};

const belowPar = async (name: string): Promise<{ on_hand: number; previous_on_hand: number }[]> =>
  (
    await server.query<{ body: string }>(
      "select body from events where type = 'stock.below_par' and position($1 in body) > 0 order by created_at, id",
      [`"name":"${name}"`],
    )
  ).map(({ body }) => JSON.parse(body).data.stock);

/** One line of a part of the recipe that is shown. */
const fillLine = async (page: Page, part: string, ingredient: string, quantity: string): Promise<void> => {
  const section = page.getByRole("region", { name: part });
  await section.getByRole("button", { name: /^Add an ingredient/ }).click();
  const line = section.locator(".stock-line").last();
  await line.getByLabel("Ingredient").selectOption({ label: ingredient });
  await line.getByLabel("Quantity").fill(quantity);
};

job("JS-01", async () => {
  const { page } = manager;
  await openStock(page);
  await addIngredient(page, "Flour", "5");
  await addIngredient(page, "Oil", "1");
  const open = async (dish: string): Promise<void> => {
    await page.goto(`/console/v/${slug}/stock/recipes`);
    await page.getByLabel("Search for a dish").fill(dish);
    await page.getByRole("link", { name: new RegExp(`^${dish}`) }).click();
    await page.getByRole("heading", { name: `Recipe of ${dish}`, level: 1 }).waitFor();
  };
  await open("Sized Salad");
  await fillLine(page, "Every Sized Salad", "Flour", "0.5");
  await fillLine(page, "Extra for Large", "Oil", "0,1");
  await button(page, "Save the recipe").click();
  await page.getByText("The recipe is saved.").waitFor();
  await open("Optional Omelette");
  await fillLine(page, "With Salt", "Oil", "0.002");
  await button(page, "Save the recipe").click();
  await page.getByText("The recipe is saved.").first().waitFor();
  const stored = await server.query<{ ingredient: string; milli: number; part: string }>(
    `select n.name ->> 'en' as ingredient, r.quantity_milli::integer as milli,
       case when r.option_id is not null then 'option' when r.variant_id is not null then 'size' else 'dish' end as part
     from recipe_lines r join ingredients n on n.id = r.ingredient_id and n.restaurant_id = r.restaurant_id order by r.id`,
    [],
  );
  expect(stored).toEqual([
    { ingredient: "Flour", milli: 500, part: "dish" },
    { ingredient: "Oil", milli: 100, part: "size" },
    { ingredient: "Oil", milli: 2, part: "option" },
  ]);
});

job("JS-03", async () => {
  const { page } = staff;
  await openStock(page);
  expect(await page.locator(".stock-tools").count()).toBe(0);
  await count(page, "Flour", "5.75");
  await shows(page, "Flour", "5.75 kg");
  await rowOf(page, "Flour").getByRole("button", { name: "Count Flour" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Expected: 5.75 kg").waitFor();
  for (const key of "5.5") await dialog.getByRole("button", { name: key, exact: true }).click();
  await dialog.getByText("Variance: -0.25 kg").waitFor();
  const key = dialog.getByRole("button", { name: "7", exact: true });
  await expect.poll(async () => (await key.boundingBox())?.height).toBeGreaterThanOrEqual(72);
  // An order takes something while the count is typed: the page says so, shows the new variance, and saves with the next tap.
  const sized = itemNamed("Sized Salad");
  const order = await place("Carl Counter", { item_id: sized.id, variant_id: sized.variants[0]?.id, quantity: 1 });
  await page.route("**/stock?*", (route) => route.abort());
  await page.route("**/stock", (route) => route.abort());
  await api("POST", `/orders/${order}/status`, { status: "accepted" });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/changed this in the meantime/).waitFor();
  await page.unrouteAll();
  await page.reload();
  await shows(page, "Flour", "5.25 kg");
  await count(page, "Flour", "6");
  await page.getByText("Saved. The variance was +0.75 kg.").waitFor();
  await shows(page, "Flour", "6 kg");
});

job("JS-02", async () => {
  const { page } = staff;
  const before = (await belowPar("Flour")).length;
  const sized = itemNamed("Sized Salad");
  await place("Paula Par", { item_id: sized.id, variant_id: sized.variants[0]?.id, quantity: 3 });
  await page.goto(`/console/v/${slug}/orders`);
  const card = page.locator(".order-card").filter({ hasText: "Paula Par" });
  await card.locator(".order-next").click();
  await expect.poll(async () => (await belowPar("Flour")).length).toBe(before + 1);
  expect((await belowPar("Flour")).at(-1)).toMatchObject({ previous_on_hand: 6, on_hand: 4.5 });
  await openStock(page);
  await shows(page, "Flour", "4.5 kg");
  await rowOf(page, "Flour").getByText("Below par").waitFor();
  await api("POST", `/orders/${await place("Quin Again", { item_id: sized.id, variant_id: sized.variants[0]?.id, quantity: 1 })}/status`, {
    status: "accepted",
  });
  // The page reads it again by itself.
  await shows(page, "Flour", "4 kg");
  expect(await belowPar("Flour")).toHaveLength(before + 1);
  // Cancelled after the kitchen has begun: the board asks, and the ingredients go back.
  await page.goto(`/console/v/${slug}/orders`);
  await card.getByRole("button", { name: /^More/ }).or(card.locator(".order-more")).first().click();
  await page.getByRole("menuitem", { name: "Cancel order…" }).click();
  await page.getByLabel("Back into stock").check();
  // It is sent when its undo is over.
  const answer = page.waitForResponse((sent) => sent.url().endsWith("/status") && sent.request().method() === "POST");
  await button(page, "The guest asked for it").click();
  expect((await answer).status()).toBe(200);
  await openStock(page);
  await shows(page, "Flour", "5.5 kg");
});

job("JS-04", async () => {
  const { page } = manager;
  await openStock(page);
  await button(page, "Delivery").click();
  const dialog = page.getByRole("dialog");
  const line = (at: number): Locator => dialog.locator(".stock-move").nth(at);
  await line(0).getByLabel("Ingredient").selectOption({ label: "Flour" });
  await line(0).getByLabel("Quantity").fill("10");
  await dialog.getByRole("button", { name: "Another ingredient" }).click();
  await line(1).getByLabel("Ingredient").selectOption({ label: "Oil" });
  await line(1).getByLabel("Quantity").fill("2.5");
  await dialog.getByRole("button", { name: "Record the delivery" }).click();
  await dialog.waitFor({ state: "hidden" });
  await shows(page, "Flour", "15.5 kg");
  await shows(page, "Oil", "2.5 kg");
  await button(page, "Waste").click();
  await line(0).getByLabel("Ingredient").selectOption({ label: "Oil" });
  await line(0).getByLabel("Quantity").fill("0.5");
  await dialog.getByLabel("Reason").fill("Bottle broke");
  await dialog.getByRole("button", { name: "Record the waste" }).click();
  await dialog.waitFor({ state: "hidden" });
  await shows(page, "Oil", "2 kg");
  await rowOf(page, "Oil").getByRole("link", { name: "Entries of Oil" }).click();
  const rows = page.getByRole("table").getByRole("row");
  await expect
    .poll(async () => (await rows.allInnerTexts()).slice(1))
    .toEqual([
      expect.stringMatching(/Waste · Bottle broke.*Max.*-0\.5 kg.*2 kg/s),
      expect.stringMatching(/Delivery.*Max.*\+2\.5 kg.*2\.5 kg/s),
    ]);
});
