/** The tools of the menu: each job as a manager, in a real browser, against the real server. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { LOOKS, openBrowser, openInNewContext } from "./browser.ts";
import { job } from "./jobs.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let page: Page;
let colleague: Page;
let api: ApiClient;

const enter = async (name: string): Promise<Page> => {
  const opened = await openInNewContext(browser, server.url, LOOKS.light);
  await acceptInvitation(opened.page, await server.invite(slug, `${name.toLowerCase()}@menu.example`, "manager", name));
  return opened.page;
};

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  api = createApiClient(server.url, await server.token(slug));
  [page, colleague] = [await enter("Max"), await enter("Mia")];
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** A busy machine needs time. */
const soon = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 20_000 });

const openMenu = async (of: Page = page): Promise<void> => {
  await of.goto(`/console/v/${slug}/menu`);
  await of.getByRole("heading", { name: "Menu", level: 1 }).waitFor();
  await of.locator(".menu-line").first().waitFor();
};
const save = async (count: number, of: Page = page): Promise<void> => {
  const text = count === 1 ? "1 change" : `${count} changes`;
  await button(of, `Save ${text}`).click();
  await of.locator(".save-bar").getByText(`${text} saved`).waitFor();
};
const tree = (name: string | RegExp): Locator => page.locator(".menu-tree-item").filter({ hasText: name });
const choosePlace = (name: string | RegExp): Promise<void> => tree(name).getByRole("button").first().click();
const dialog = (name: string): Locator => page.getByRole("dialog", { name });
const close = (): Promise<void> => page.keyboard.press("Escape");

type JobDish = { id: string; price_minor: number; show_online: boolean };
const dishRow = async (key: string): Promise<JobDish | undefined> =>
  (await server.query<JobDish>("select id, price_minor::integer, show_online from items where key = $1 and deleted_at is null", [key]))[0];
const priceOf = async (key: string): Promise<number | undefined> => (await dishRow(key))?.price_minor;
type DishEntry = { action: string; actor_kind: string; actor_name: string };
const lastEntry = async (id: string | undefined): Promise<DishEntry | undefined> =>
  (
    await server.query<DishEntry>(
      "select action, actor_kind, actor_name from audit_entries where subject_kind = 'item' and subject_id = $1 order by id desc limit 1",
      [id],
    )
  )[0];
/** What the newest event about the dish says that changed. */
const lastChanged = async (id: string | undefined): Promise<string[]> =>
  (
    await server.query<{ changed: string[] }>(
      `select array(select jsonb_array_elements_text(body::jsonb #> '{data,changed}')) as changed from events
       where type = 'menu.item_updated' and body::jsonb #>> '{data,item,id}' = $1 order by created_at desc, id desc limit 1`,
      [id],
    )
  )[0]?.changed ?? [];

job("JM-06", async () => {
  await openMenu();
  await button(page, "Paste from a spreadsheet").click();
  const rows = dialog("Paste from a spreadsheet").getByLabel("Rows");
  await rows.fill(
    "Zinc Zabaglione\t7.50\tElements\n\t3\tElements\nIron Ice\tfree\tElements\nTin Tart\t4\tNowhere\nNeon Nachos\t10.50\tElements",
  );
  const row = (name: string): Locator => dialog("Paste from a spreadsheet").getByRole("row").filter({ hasText: name });
  await row("The name is missing.").waitFor();
  await row("Iron Ice").getByText("Not a price.").waitFor();
  await row("Tin Tart").getByText("There is no such category.").waitFor();
  await row("Neon Nachos").getByText("New price", { exact: true }).waitFor();
  await button(page, "Add 2 rows").click();
  // The rows with a fault stay in the field. They are corrected there.
  await rows.fill("Iron Ice\t2,50\tElements\nTin Tart\t4\tAlways");
  await button(page, "Add 2 rows").click();
  await save(4);
  const items = await api<{ id: number; name: { en: string }; price_minor: number }[]>("GET", "/items?per_page=100");
  const pairs = items.filter(({ name }) => /Zinc|Iron|Tin|Neon/.test(name.en)).map(({ name, price_minor }) => [name.en, price_minor]);
  expect(Object.fromEntries(pairs)).toEqual({ "Zinc Zabaglione": 750, "Iron Ice": 250, "Tin Tart": 400, "Neon Nachos": 1050 });
  const added = items.find(({ name }) => name.en === "Iron Ice");
  expect(await lastEntry(String(added?.id))).toMatchObject({ action: "item.created", actor_name: "Max" });
  // A column of prices goes into the chosen dishes; a row that is no price is named, and its dish keeps its price.
  await choosePlace(/^Elements/);
  for (const name of ["Helium Float", "Boron Burger", "Oxygen Omelette"]) await page.getByLabel(`Choose ${name}`).check();
  const first = page.getByLabel("Price of Helium Float");
  await first.focus();
  await first.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "2.20\nlots\n8.80\n");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByText("2 prices pasted.").waitFor();
  await page.getByText("Row 2: “lots” is not a price.").waitFor();
  await save(2);
  expect([await priceOf("helium"), await priceOf("lithium"), await priceOf("boron"), await priceOf("oxygen")]).toEqual([
    220, 300, 500, 880,
  ]);
  // Enter and the arrows lead from price to price.
  await page.getByLabel("Price of Helium Float").focus();
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Price of Lithium Lentils");
  await page.keyboard.press("ArrowUp");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Price of Helium Float");
});

/** Drags a row by its grip, to the upper half of the other row. */
const drag = async (from: Locator, to: Locator): Promise<void> => {
  await from.locator(".menu-grip").scrollIntoViewIfNeeded();
  const [grip, target] = [await from.locator(".menu-grip").boundingBox(), await to.boundingBox()];
  if (!grip || !target) expect.fail("not in sight");
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(grip.x + grip.width / 2, target.y + target.height / 2, { steps: 4 });
  await page.mouse.move(grip.x + grip.width / 2, target.y + 4, { steps: 4 });
  await page.mouse.up();
};
type MenuAnswer = { categories: { name: { en: string }; items: { id: number; name: { en: string } }[] }[] };
const readOrder = async (): Promise<MenuAnswer["categories"]> => {
  const [menu] = await api<{ id: number; name: { en: string } }[]>("GET", "/menus");
  return (await api<MenuAnswer>("GET", `/menus/${menu?.id}`)).categories;
};

job("JM-07", async () => {
  await openMenu();
  const names = async (): Promise<string[]> => (await readOrder()).map(({ name }) => name.en);
  const before = await names();
  expect(before.slice(0, 1)).toEqual(["Always"]);
  await drag(tree(/^Elements/), tree(/^Always\d/));
  await save(1);
  expect((await names())[0]).toBe("Elements");
  // Keys do it too: one place down.
  await tree(/^Elements/)
    .getByRole("button")
    .first()
    .focus();
  await page.keyboard.press("Alt+ArrowDown");
  await save(1);
  expect((await names()).slice(0, 2)).toEqual(["Always", "Elements"]);
  // Dishes by dragging, then by keys and by a button.
  await choosePlace(/^Elements/);
  const line = (name: string): Locator => page.locator(".menu-line").filter({ hasText: name });
  await drag(line("Boron Burger"), line("Helium Float"));
  const dishes = async (): Promise<string[]> =>
    (await readOrder()).find(({ name }) => name.en === "Elements")?.items.map(({ name }) => name.en) ?? [];
  await save(1);
  expect((await dishes()).slice(0, 3)).toEqual(["Hydrogen Fizz", "Boron Burger", "Helium Float"]);
  expect(await lastChanged((await dishRow("boron"))?.id)).toEqual(["sort_order"]);
  await button(page, "Boron Burger").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await soon(() => page.locator(".menu-line-name").first().textContent()).toBe("Boron Burger");
  await button(page, "Move Hydrogen Fizz down").click();
  await save(1);
  expect((await dishes()).slice(0, 3)).toEqual(["Boron Burger", "Helium Float", "Hydrogen Fizz"]);
  expect((await lastEntry((await dishRow("boron"))?.id))?.actor_name).toBe("Max");
});

const scheduled = (): Promise<{ price_minor: number; starts_at: Date }[]> =>
  server.query("select price_minor::integer, starts_at from scheduled_prices order by starts_at", []);

job("JM-09", async () => {
  await openMenu();
  for (const name of ["Plain Plate", "Taxed Tart"]) await page.getByLabel(`Choose ${name}`).check();
  await button(page, "Plan prices of 2 dishes").click();
  const tool = dialog("Planned prices");
  await tool.getByLabel("New price of Plain Plate").fill("12.50");
  await tool.getByLabel("New price of Taxed Tart").fill("14");
  await button(page, "Plan 2 prices").click();
  await tool.locator(".menu-planned-rows li", { hasText: "planned by Max" }).nth(1).waitFor();
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  expect((await scheduled()).map(({ price_minor, starts_at }) => [price_minor, starts_at.toISOString()])).toEqual([
    [1250, `${tomorrow}T05:00:00.000Z`],
    [1400, `${tomorrow}T05:00:00.000Z`],
  ]);
  // A planned price is taken back, planned again by undo, and taken back once more.
  await button(page, "Take back the planned price of Taxed Tart").click();
  await tool.getByText("The planned price of Taxed Tart was taken back.").waitFor();
  await tool.getByRole("button", { name: "Undo" }).click();
  await button(page, "Take back the planned price of Taxed Tart").waitFor();
  await button(page, "Take back the planned price of Taxed Tart").click();
  await soon(async () => (await scheduled()).length).toBe(1);
  await close();
  expect([await priceOf("plain"), await priceOf("taxed")]).toEqual([1000, 1000]);
  // Tomorrow comes at once for the job. The open page shows the price that began.
  await server.query("update jobs.job set start_after = now() where name = 'apply-scheduled-prices'", []);
  await server.startWorker();
  await expect.poll(() => priceOf("plain"), { timeout: 60_000 }).toBe(1250);
  expect([await priceOf("taxed"), await scheduled()]).toEqual([1000, []]);
  const plain = (await dishRow("plain"))?.id;
  expect(await lastEntry(plain)).toMatchObject({ action: "item.price_changed", actor_kind: "system" });
  expect(await lastChanged(plain)).toEqual(["price_minor"]);
  await expect.poll(() => page.getByLabel("Price of Plain Plate").inputValue(), { timeout: 40_000 }).toBe("12.50");
});

/** Plan prices of two dishes, with a column pasted into the first field. Unheard: the form does not get the paste. */
const pastePlanned = async (text: string, isHeard = true): Promise<Locator> => {
  await openMenu();
  for (const name of ["Plain Plate", "Taxed Tart"]) await page.getByLabel(`Choose ${name}`).check();
  await button(page, "Plan prices of 2 dishes").click();
  const tool = dialog("Planned prices");
  const given = [text, isHeard] as const;
  await tool.getByLabel("New price of Plain Plate").evaluate((field, [pasted, bubbles]) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", pasted);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles, cancelable: true }));
  }, given);
  return tool;
};

test("planned prices are pasted as a column, or filled in at once; planted: an unheard paste plans nothing", async () => {
  const tool = await pastePlanned("21,50\n22\n23", false);
  expect(await button(page, /^Plan \d+ price/).isDisabled()).toBe(true);
  await close();
  await pastePlanned("21,50\n22\n23");
  await tool.getByText("2 prices filled in.").waitFor();
  await tool.getByText("Change all at once").click();
  await tool.getByRole("textbox", { name: "Per cent" }).fill("10");
  await button(page, "Fill in 2 prices").click();
  await soon(() => tool.getByLabel("New price of Taxed Tart").inputValue()).toBe("11.00");

  await close();
});

job("JM-10", async () => {
  await openMenu();
  const helium = (await dishRow("helium"))?.id;
  await page.getByRole("switch", { name: "Show Helium Float online" }).click();
  await save(1);
  expect((await api<{ show_online: boolean }>("GET", `/items/${helium}`)).show_online).toBe(false);
  expect(await lastChanged(helium)).toEqual(["show_online"]);
  // A dish that was sold is removed: the order keeps its name and price, the report its sum.
  const lithium = Number((await dishRow("lithium"))?.id);
  const guest = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0133" };
  const order = await api<{ id: string; total_minor: number }>("POST", "/orders", { ...guest, lines: [{ item_id: lithium, quantity: 2 }] });
  for (const status of ["accepted", "ready", "completed"]) await api("POST", `/orders/${order.id}/status`, { status });
  const report = (): Promise<{ orders: number; revenue_minor: number }> => api("GET", "/reports/sales-summary");
  const before = await report();
  expect(before.revenue_minor).toBe(order.total_minor);
  await button(page, "Lithium Lentils").click();
  await button(page, "Remove dish").click();
  await save(1);
  expect(await dishRow("lithium")).toBeUndefined();
  expect(await lastEntry(String(lithium))).toMatchObject({ action: "item.removed", actor_name: "Max" });
  const kept = await api<{ items: { name: { en: string }; quantity: number }[] }>("GET", `/orders/${order.id}`);
  expect(kept.items).toMatchObject([{ name: { en: "Lithium Lentils" }, quantity: 2 }]);
  expect(await report()).toEqual(before);
  await page.goto(`/console/v/${slug}/orders?order=${order.id}`);
  await openMenu();
  expect(await button(page, "Lithium Lentils").count()).toBe(0);
});

job("JM-11", async () => {
  await openMenu();
  const countOf = async (condition: string): Promise<number> =>
    Number(
      (
        await server.query<{ count: string }>(
          `select count(*) from items i join categories c on c.id = i.category_id where i.deleted_at is null and c.deleted_at is null and ${condition}`,
          [],
        )
      )[0]?.count,
    );
  const chip = (label: string): Locator => page.locator(".menu-lacks").getByRole("button", { name: label });
  const shows = (label: string, count: number): Promise<void> => soon(() => chip(label).textContent()).toBe(`${label} ${count}`);
  await shows("Without stated allergens", await countOf("i.allergens is null"));
  await shows("Without a station", await countOf("c.station is null"));
  const untranslated = Number(/\d+$/.exec((await chip("Without a translation").textContent()) ?? "")?.[0]);
  expect(untranslated).toBeGreaterThan(10);
  // What is chosen shows those dishes only; stating the allergens of one makes it one fewer.
  await chip("Without stated allergens").click();
  expect(await chip("Without stated allergens").getAttribute("aria-pressed")).toBe("true");
  const without = await countOf("i.allergens is null");
  await soon(() => page.locator(".menu-line").count()).toBe(without);
  await button(page, "Off-Menu Offcuts").click();
  await dialog("Dish").getByLabel("Allergens are stated").click();
  await button(page, "Done").click();
  await shows("Without stated allergens", without - 1);
  await soon(() => button(page, "Off-Menu Offcuts").count()).toBe(0);
  await save(1);
  expect(await countOf("i.allergens is null")).toBe(without - 1);
});

job("JM-12", async () => {
  const openHistory = async (): Promise<Locator> => {
    await openMenu();
    await button(page, "History").click();
    return dialog("History").locator(".menu-history li");
  };
  await openMenu();
  await page.getByLabel("Price of Calcium Custard").fill("21.50");
  await save(1);
  await openMenu(colleague);
  await colleague.getByLabel("Price of Argon Arancini").fill("18.80");
  await save(1, colleague);
  const rows = await openHistory();
  await rows.nth(1).waitFor();
  expect(await rows.first().textContent()).toMatch(/Argon Arancini.*Mia.*changed.*\$18\.00.*→.*\$18\.80/);
  expect(await rows.nth(1).textContent()).toMatch(/Calcium Custard.*Max.*changed.*\$20\.00.*→.*\$21\.50/);
  await button(page, "Put back: Calcium Custard").click();
  await dialog("History").getByText("The change of Calcium Custard was put back.").waitFor();
  expect([await priceOf("calcium"), await priceOf("argon")]).toEqual([2000, 1880]);
  const calcium = (await dishRow("calcium"))?.id;
  expect(await lastEntry(calcium)).toMatchObject({ action: "item.price_changed", actor_name: "Max" });
  expect(await lastChanged(calcium)).toEqual(["price_minor"]);
  // The history shows the new change; the one that was put back says that it was changed again.
  await soon(() => rows.first().textContent()).toMatch(/Calcium Custard.*\$21\.50.*→.*\$20\.00/);
  await rows.nth(2).getByText("Changed again since").waitFor();
  await close();
});

test("a dish that a colleague removed while it was changed is added again, or left removed, as the person decides", async () => {
  await openMenu();
  for (const name of ["Sodium Soup", "Silicon Slaw"]) await page.getByLabel(`Price of ${name}`).fill("33");
  await openMenu(colleague);
  for (const name of ["Sodium Soup", "Silicon Slaw"]) {
    await button(colleague, name).click();
    await button(colleague, "Remove dish").click();
  }
  await save(2, colleague);
  await page.getByText("A colleague removed it while you changed it.").nth(1).waitFor();
  expect(await button(page, "Save 2 changes").isDisabled()).toBe(true);
  await button(page, "Add it again: Sodium Soup").click();
  await button(page, "Leave it removed: Silicon Slaw").click();
  await save(1);
  expect([await priceOf("sodium"), await dishRow("silicon")]).toEqual([3300, undefined]);
});

const nextFriday = (): string => {
  const day = new Date();
  do day.setUTCDate(day.getUTCDate() + 1);
  while (day.getUTCDay() !== 5);
  return day.toISOString().slice(0, 10);
};
const setHours = async (form: Locator, from: string, to: string): Promise<void> => {
  await form.getByLabel("Only at certain times").click();
  await form.getByLabel("From", { exact: true }).fill(from);
  await form.getByLabel("To", { exact: true }).fill(to);
};

job("JM-08", async () => {
  await openMenu();
  await choosePlace(/^Always open/);
  await page.locator(".menu-place").getByRole("button", { name: "Change" }).click();
  await setHours(dialog("Menu"), "18:00", "23:00");
  await button(page, "Done").click();
  await choosePlace(/^Elements/);
  await page.locator(".menu-place").getByRole("button", { name: "Change" }).click();
  await setHours(dialog("Category"), "11:00", "18:30");
  await button(page, "Done").click();
  await choosePlace("Happy hours");
  await button(page, "Add happy hour").click();
  const form = dialog("Happy hour");
  await form.getByLabel("Name (English)").fill("Friday half");
  await form.getByLabel("Per cent off").last().fill("50");
  await setHours(form, "18:00", "20:00");
  for (const day of ["Mon", "Tue", "Wed", "Thu", "Sat", "Sun"]) await form.locator(".rule-days").getByText(day, { exact: true }).click();
  await form.locator(".menu-chips").getByText("Always", { exact: true }).click();
  await button(page, "Done").click();
  await save(3);
  await button(page, "Preview").click();
  const preview = dialog("Preview");
  await preview.getByLabel("Date").fill(nextFriday());
  await preview.getByLabel("Time").fill("19:00");
  const dish = (name: string): Locator => preview.locator("li").filter({ hasText: name });
  await dish("Taxed Tart").getByText("$5.00").waitFor();
  await dish("Taxed Tart").getByText("instead of $10.00").waitFor();
  expect(await preview.getByText(/Happy hour: .*Friday half/).count()).toBe(1);
  await dish("Helium Float").waitFor({ state: "detached" });
  expect(await preview.getByText("Not offered then. Its times: Mon, Tue, Wed, Thu, Fri, Sat, Sun 11:00–18:30.").count()).toBe(1);
  expect(await dish("Off-Menu Offcuts").textContent()).toContain("Hidden: it cannot be ordered online.");
  expect(await dish("Sold-Out Sole").textContent()).toContain("Sold out now.");
  expect(await preview.locator(".menu-previewed", { hasText: "Retired" }).textContent()).toContain("Hidden: it is switched off.");
  // An hour later the happy hour is over, and at noon the menu is not offered.
  await preview.getByLabel("Time").fill("20:30");
  await dish("Taxed Tart").getByText("$10.00", { exact: true }).waitFor();
  await preview.getByLabel("Time").fill("12:00");
  await preview.getByText("Not offered then. Its times: Mon, Tue, Wed, Thu, Fri, Sat, Sun 18:00–23:00.").waitFor();
  const [saved] = await server.query<{ menu: object; hour: object; entries: number }>(
    `select (select hours from menus where key = 'open') as menu, (select hours from happy_hours where name ->> 'en' = 'Friday half') as hour,
       (select count(*)::integer from audit_entries where action in ('menu.changed', 'category.changed', 'happy_hour.created')
         and at > now() - interval '10 minutes' and (after ? 'hours')) as entries`,
    [],
  );
  expect(saved?.menu).toMatchObject([{ from: "18:00", to: "23:00" }]);
  expect(saved?.hour).toEqual([{ days: ["fri"], from: "18:00", to: "20:00" }]);
  expect(saved?.entries).toBe(3);
});
