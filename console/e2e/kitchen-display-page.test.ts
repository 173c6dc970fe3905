/** Work on the kitchen display: taps, keys, pages, lost races, and what it says without a connection. The answers are prepared, the browser is real. */
import type { Kitchen, KitchenTicket, TicketChange } from "@comanda/contract/console/kitchen.ts";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOOKS, openBrowser, openInNewContext, smallTargets, takeScreenshot } from "./browser.ts";
import { busyKitchen, doneTickets, expoKitchen, kitchen, tickets } from "./fixtures-kitchen.ts";
import { pairedState, unpaired } from "./fixtures-screens.ts";
import { type MockAnswers, type MockServer, startMockServer } from "./mock-server.ts";
import { button } from "./sign-in.ts";

const PATH = "/console/screen";

let mockServer: MockServer;
let browser: Browser;
beforeAll(async () => {
  [mockServer, browser] = await Promise.all([startMockServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await mockServer?.close();
});

const ticketBy = (id: number): KitchenTicket =>
  [...tickets, ...doneTickets].find((ticket) => ticket.id === id) ?? (tickets[0] as KitchenTicket);

/** The service answers with the ticket as the change leaves it. The number of the ticket is not in the body, so each test names its own. */
const changed = (id: number) => (body: unknown) => {
  const { change, line } = body as TicketChange;
  const before = ticketBy(id);
  const lines = before.lines.map((given) => ({
    ...given,
    is_done: given.index === line ? change === "line_done" : given.is_done,
    is_acknowledged: change === "acknowledge" || given.is_acknowledged,
  }));
  const state = change === "bump" ? ("done" as const) : change === "recall" ? ("fired" as const) : before.state;
  const data = { ...before, lines, state, is_acknowledged: change === "acknowledge", changed_at: new Date().toISOString() };
  return { data };
};

type OpenedDisplay = {
  page: Page;
  writes: Request[];
  faults: string[];
  set: (more: MockAnswers) => Promise<void>;
  close: () => Promise<void>;
};

const openDisplay = async (more: MockAnswers = {}, given: Kitchen = kitchen): Promise<OpenedDisplay> => {
  const { page, context, faults } = await openInNewContext(browser, mockServer.url, LOOKS.wall);
  const writes: Request[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") writes.push(request);
  });
  const answers: MockAnswers = {
    readScreen: { data: pairedState },
    readKitchen: { data: given },
    listDoneTickets: { data: doneTickets },
    ...more,
  };
  const unchanged = { ...given, is_whole: false, tickets: [], now: new Date().toISOString() };
  await mockServer.setAnswers(page, answers);
  await page.goto(PATH);
  await page.locator(".kd-ticket").first().waitFor();
  // The server reports from now on that nothing has changed.
  const set = (other: MockAnswers) => mockServer.setAnswers(page, { ...answers, readKitchen: { data: unchanged }, ...other });
  await set({});
  return { page, writes, faults, set, close: () => context.close() };
};

const ticketOn = (page: Page, number: number) => page.getByRole("article", { name: `Ticket #${number},` });
const bumpOf = (page: Page, number: number) => page.getByRole("button", { name: new RegExp(`^Bump #${number}\\b`) });
const bodies = (writes: Request[]): unknown[] => writes.map((request) => request.postDataJSON() as unknown);
const keysOf = (writes: Request[]): Set<string | undefined> => new Set(writes.map((request) => request.headers()["idempotency-key"]));

test("bump takes one tap, is shown at once, and is sent once with a key and the state that was seen", async () => {
  const { page, writes, faults, close } = await openDisplay({ changeTicket: changed(41) });
  await bumpOf(page, 41).click();
  await ticketOn(page, 41).waitFor({ state: "detached" });
  await expect.poll(() => writes.length).toBe(1);
  await page.waitForTimeout(1500);
  expect(bodies(writes)).toEqual([{ change: "bump", seen_state: "fired" }]);
  expect(writes[0]?.url()).toContain("/screen/kitchen/tickets/41");
  expect(writes[0]?.headers()["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(await ticketOn(page, 41).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test("a tap on a line marks it as done, a second one opens it again", async () => {
  const { page, writes, close } = await openDisplay({ changeTicket: changed(41) });
  const line = ticketOn(page, 41).getByRole("button", { name: /Fries/ });
  await line.click();
  await ticketOn(page, 41).getByRole("button", { name: /Fries/, pressed: true }).waitFor();
  await line.click();
  await ticketOn(page, 41).getByRole("button", { name: /Fries/, pressed: false }).waitFor();
  await expect
    .poll(() => bodies(writes))
    .toEqual([
      { change: "line_done", seen_state: "fired", line: 2 },
      { change: "line_open", seen_state: "fired", line: 2 },
    ]);
  expect(keysOf(writes).size).toBe(2);
  await close();
});

test("a bump is undone by the bar, by a key, and from the panel of done tickets", async () => {
  const { page, writes, set, close } = await openDisplay({ changeTicket: changed(41) });
  await bumpOf(page, 41).click();
  await page.getByRole("button", { name: "#41 bumped · Undo" }).click();
  await ticketOn(page, 41).waitFor();
  await page.keyboard.press("1");
  await page.keyboard.press("Backspace");
  await expect.poll(() => writes.length).toBe(4);
  expect(bodies(writes).map((body) => (body as TicketChange).seen_state)).toEqual(["fired", "done", "fired", "done"]);
  await set({ changeTicket: changed(40) });
  await button(page, "Recall").click();
  await page.getByRole("button", { name: /^Recall #40/ }).click();
  await ticketOn(page, 40).waitFor();
  await expect.poll(() => bodies(writes).at(-1)).toEqual({ change: "recall", seen_state: "done" });
  expect(writes.at(-1)?.url()).toContain("/screen/kitchen/tickets/40");
  await close();
});

test("struck lines and cancelled tickets are acknowledged", async () => {
  const { page, writes, set, close } = await openDisplay({ changeTicket: changed(42) });
  const struck = ticketOn(page, 42).getByRole("button", { name: /Tagliatelle/ });
  await struck.getByText("struck").waitFor();
  await struck.click();
  await struck.waitFor({ state: "detached" });
  await expect.poll(() => bodies(writes)).toEqual([{ change: "acknowledge", seen_state: "fired", struck_lines: [1] }]);
  await set({ changeTicket: changed(43) });
  await ticketOn(page, 43).getByText("Cancelled").waitFor();
  await ticketOn(page, 43).getByRole("button", { name: "Got it", exact: true }).click();
  await ticketOn(page, 43).waitFor({ state: "detached" });
  await expect.poll(() => bodies(writes).at(-1)).toEqual({ change: "acknowledge", seen_state: "voided", struck_lines: [] });
  await close();
});

test("a long press opens the sheet: priority, and a dish that is sold out", async () => {
  const sold = { data: { id: 3, until: null } };
  const { page, writes, faults, close } = await openDisplay({ changeTicket: changed(45), sellOutDish: sold });
  await bumpOf(page, 45).click({ delay: 900 });
  await button(page, "Sold out today: Tagliata of beef").click();
  await page.getByText("Tagliata of beef is sold out for today.").waitFor();
  expect(writes.map((request) => new URL(request.url()).pathname)).toEqual(["/console/api/screen/kitchen/dishes/3/sold-out"]);
  await page.waitForTimeout(1000);
  await bumpOf(page, 45).dispatchEvent("contextmenu");
  await button(page, "★ Cook first").click();
  await expect.poll(() => bodies(writes).at(-1)).toEqual({ change: "priority", seen_state: "fired" });
  expect(await ticketOn(page, 45).count()).toBe(1);
  expect(faults).toEqual([]);
  await close();
});

test("keys: digits and Enter bump, arrows select, Page Down turns the page, another key is learned", async () => {
  const { page, writes, close } = await openDisplay({ changeTicket: { refused: "service_unavailable" } }, busyKitchen);
  await page.getByText(/^1 of \d$/).waitFor();
  // Priority comes first.
  await page.keyboard.press("1");
  await ticketOn(page, 44).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  await page.locator(".kd-ticket[data-selected]").filter({ hasText: "#41" }).waitFor();
  await page.keyboard.press("Enter");
  await ticketOn(page, 41).waitFor({ state: "detached" });
  await page.keyboard.press("PageDown");
  await page.getByText(/^2 of \d$/).waitFor();
  await page.keyboard.press("PageUp");
  await button(page, "Next").click();
  await page.getByText(/^2 of \d$/).waitFor();
  await button(page, "Keys").click();
  await page.getByRole("button", { name: /^Page before PageUp/ }).click();
  await page.keyboard.press("b");
  await page.getByRole("button", { name: /^Page before B/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("b");
  await page.getByText(/^1 of \d$/).waitFor();
  // The first waits, so the second is not sent before it.
  expect(keysOf(writes).size).toBe(1);
  await close();
});

/** Rows in the browser's database. */
const countKept = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const request = indexedDB.open("comanda-kitchen");
        request.onerror = () => reject(new Error("not opened"));
        request.onsuccess = () => {
          const stores = request.result.transaction(["changes", "kitchens"]);
          const counts = ["changes", "kitchens"].map((name) => stores.objectStore(name).count());
          stores.oncomplete = () => resolve(counts.reduce((sum, { result }) => sum + result, 0));
        };
      }),
  );

test("what waits survives a reload without a connection and is sent with the same key", async () => {
  const { page, writes, set, close } = await openDisplay({ changeTicket: { refused: "service_unavailable" } });
  await bumpOf(page, 41).click();
  await expect.poll(() => writes.length).toBeGreaterThan(0);
  // The tap and the kitchen.
  await expect.poll(() => countKept(page)).toBe(2);
  await page.route("**/console/api/**", (route) => route.abort());
  await page.reload();
  await page.getByText(/^Last current .* New tickets do not appear\.$/).waitFor();
  await page.getByText("1 tap will be sent when the connection is back.").waitFor();
  await ticketOn(page, 42).waitFor();
  expect(await ticketOn(page, 41).count()).toBe(0);
  const sentBefore = writes.length;
  await set({ readKitchen: { data: kitchen }, changeTicket: changed(41) });
  await page.unroute("**/console/api/**");
  await expect.poll(() => writes.length, { timeout: 15_000 }).toBe(sentBefore + 1);
  await page.locator(".kd-bar").waitFor({ state: "detached" });
  expect(keysOf(writes).size).toBe(1);
  await close();
});

/** These tickets fit on one page. */
const smallExpo: Kitchen = { ...expoKitchen, tickets: expoKitchen.tickets.filter(({ id }) => [41, 42, 43, 47].includes(id)) };
const arabicExpo: Kitchen = { ...smallExpo, screen: { ...expoKitchen.screen, language: "ar" } };

test("expo shows the allergens of each dish, without a connection too, and says when they are not stated; a station does not show them", async () => {
  const { page, faults, close } = await openDisplay({}, smallExpo);
  const lineOf = (number: number, dish: RegExp) => ticketOn(page, number).getByRole("button", { name: dish });
  await lineOf(42, /Margherita.* Allergens: gluten, milk/).waitFor();
  await lineOf(47, /Tagliatelle al ragù Allergens: gluten, eggs, milk, celery, sulphites/).waitFor();
  await lineOf(41, /Fries Allergens not stated/).waitFor();
  expect(await lineOf(41, /Tagliata/).textContent()).not.toContain("llergen");
  expect(await lineOf(42, /Tagliatelle/).textContent()).not.toContain("llergen");
  expect(await lineOf(43, /Fries/).textContent()).not.toContain("llergen");
  await expect.poll(() => countKept(page)).toBe(1);
  await page.route("**/console/api/**", (route) => route.abort());
  await page.reload();
  await page.getByText(/New tickets do not appear\./).waitFor();
  await lineOf(42, /Margherita.* Allergens: gluten, milk/).waitFor();
  expect(faults).toEqual([]);
  await close();
  const grill = await openDisplay();
  await ticketOn(grill.page, 42).waitFor();
  expect(await grill.page.getByText(/llergen/).count()).toBe(0);
  await grill.close();
  const arabic = await openDisplay({}, arabicExpo);
  await arabic.page.getByText("مسببات الحساسية: غلوتين، بيض، حليب، كرفس، كبريتيت").waitFor();
  await arabic.close();
});

test("who loses a race sees who was faster, and the present state", async () => {
  const details = { ticket: { ...ticketBy(41), state: "done", changed_at: new Date().toISOString() }, changed_by: "Pass screen" };
  const { page, close } = await openDisplay({ changeTicket: { refused: "state_changed", details } });
  await ticketOn(page, 41).getByRole("button", { name: /Fries/ }).click();
  await page.getByText("#41 is done already: Pass screen was faster.").waitFor();
  expect(await ticketOn(page, 41).count()).toBe(0);
  await close();
});

test("an ended screen shows nothing and keeps nothing", async () => {
  const { page, set, close } = await openDisplay();
  await expect.poll(() => countKept(page)).toBe(1);
  await set({ changeTicket: { refused: "signed_out" } });
  await bumpOf(page, 41).click();
  await page.getByText("This screen was ended.").waitFor();
  expect(await page.locator(".kd-ticket").count()).toBe(0);
  expect(await countKept(page)).toBe(0);
  await close();
});

test("a screen that was ended while its device was off keeps nothing", async () => {
  const { page, set, close } = await openDisplay();
  await expect.poll(() => countKept(page), { timeout: 10_000 }).toBe(1);
  await set({ readScreen: { data: unpaired } });
  await page.reload();
  await button(page, "Pair this screen").waitFor();
  expect(await countKept(page)).toBe(0);
  await close();
});

test("requests that are never answered: after a reload the kept kitchen is shown and stays", async () => {
  const { page, close } = await openDisplay();
  await expect.poll(() => countKept(page), { timeout: 10_000 }).toBe(1);
  await page.route("**/console/api/**", () => undefined);
  await page.reload();
  await ticketOn(page, 41).waitFor();
  await page.getByText(/^Last current .* New tickets do not appear\.$/).waitFor();
  await page.locator(".kitchen").evaluate((element: HTMLElement) => (element.dataset.mark = "same"));
  await page.waitForTimeout(12_000);
  expect(await page.locator(".kitchen[data-mark]").count()).toBe(1);
  expect(await ticketOn(page, 41).count()).toBe(1);
  await close();
});

test("a screen that gets other stations shows the tickets of those, and no others", async () => {
  const { page, close } = await openDisplay();
  const bar = { ...kitchen, screen: { ...kitchen.screen, stations: ["Bar"] }, tickets: [ticketBy(42)] };
  await page.route("**/screen/kitchen*", (route) => {
    const isDelta = new URL(route.request().url()).searchParams.has("after");
    return route.fulfill({ json: { data: isDelta ? { ...bar, is_whole: false, tickets: [] } : bar } });
  });
  await page.getByText(/^Bar · 1 ticket$/).waitFor();
  await ticketOn(page, 42).waitFor();
  expect(await ticketOn(page, 41).count()).toBe(0);
  await close();
});

test("a screen of all branches names the branch of each ticket", async () => {
  const branches = [
    { id: 3, name: { en: "Trastevere" } },
    { id: 4, name: { en: "Testaccio" } },
  ];
  const { page, close } = await openDisplay({}, { ...kitchen, branches, tickets: [{ ...ticketBy(41), branch_id: 4 }] });
  await ticketOn(page, 41).getByText("Testaccio").waitFor();
  await close();
});

test("a silent stream: amber after five seconds, red after fifteen", async () => {
  const { page, close } = await openDisplay();
  await page.route("**/screen/live", (route) => route.abort());
  await page.locator(".kd-bar-late").waitFor();
  const lateAt = Date.now();
  await page.getByText(/No live connection since .* New tickets come a few seconds late\./).waitFor();
  expect(Date.now() - lateAt).toBeGreaterThan(8000);
  expect(Date.now() - lateAt).toBeLessThan(13_000);
  await page.route("**/screen/kitchen*", (route) => route.abort());
  await page.getByText(/New tickets do not appear\./).waitFor();
  await close();
});

/** A wall, a tablet, and a phone. */
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1180, height: 820 },
  { width: 390, height: 844 },
];
const TARGET_PX = 72;

/** Each opens what it measures, and leaves the tickets alone. */
const OPENED: Record<string, (page: Page) => Promise<void>> = {
  tickets: async () => undefined,
  "undo and a note": async (page) => {
    await bumpOf(page, 44).click({ delay: 900 });
    await page.locator(".kd-row button").first().click();
    await page.locator(".kd-toast button").waitFor();
    await page.locator(".kd-head").first().click();
    await page.locator(".kd-undo").waitFor();
  },
  sheet: async (page) => {
    // A bar that goes away during the press moves the ticket away from under the finger, which ends the press: it is held again.
    const row = page.locator(".kd-dialog .kd-row").first();
    for (let presses = 0; presses < 3 && !(await row.isVisible()); presses++) {
      await page.locator(".kd-head").first().click({ delay: 900 });
      await row.waitFor({ timeout: 5000 }).catch(() => undefined);
    }
    await row.waitFor({ timeout: 1000 });
  },
  recall: async (page) => {
    await button(page, "Recall").click();
    await page.locator(".kd-done").first().waitFor();
  },
  // A phone has no keys, and does not show the button.
  keys: async (page) => {
    if (!(await button(page, "Keys").isVisible())) return;
    await button(page, "Keys").click();
    await page.locator(".kd-kbd").first().waitFor();
  },
};

test.each(SIZES)("at $width pixels every target has 72 pixels or more, and no ticket is cut off", async (size) => {
  const sold = { data: { id: 3, until: null } };
  const { page, close } = await openDisplay({ changeTicket: changed(44), sellOutDish: sold }, busyKitchen);
  await page.setViewportSize(size);
  await page.waitForTimeout(500);
  await takeScreenshot(page, `kitchen-display.${size.width}`);
  const cut = await page
    .locator(".kd-column")
    .evaluateAll((columns) => columns.filter((column) => column.scrollHeight > column.clientHeight).length);
  expect(cut).toBe(0);
  for (const [name, open] of Object.entries(OPENED)) {
    await open(page);
    expect([name, await smallTargets(page, TARGET_PX)]).toEqual([name, []]);
    await page.keyboard.press("Escape");
  }
  await close();
});

test("the measure finds a target that is too small", async () => {
  const { page, close } = await openDisplay();
  await page
    .locator(".kd-count")
    .first()
    .evaluate((element: HTMLElement) => element.style.setProperty("min-height", "0"));
  expect(await smallTargets(page, TARGET_PX)).toContainEqual(expect.stringMatching(/^kd-count: /));
  await close();
});
