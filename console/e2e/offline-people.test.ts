/** What a browser keeps for a time without a connection belongs to one person: two people, two tabs, sign-out, ended sessions, no storage. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { LOOKS, type OpenedPage, openBrowser, openInNewContext, openPage } from "./browser.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { acceptInvitation, button, signIn } from "./sign-in.ts";

let server: RealServer;
let browser: Browser;
let slug: string;
let api: ApiClient;
let itemId: number;

beforeAll(async () => {
  [server, browser] = await Promise.all([startRealServer(), openBrowser()]);
  slug = await server.venue("lab");
  api = createApiClient(server.url, await server.token(slug));
  const items = (await api("GET", "/items?per_page=100")) as { id: number; name: { en: string } }[];
  itemId = items.find(({ name }) => name.en === "Plain Plate")?.id ?? 0;
  // Both have an account before the tests.
  for (const name of ["Ann", "Ben"]) {
    const { page, context } = await openInNewContext(browser, server.url);
    await acceptInvitation(page, await server.invite(slug, `${name.toLowerCase()}@people.example`, "staff", name));
    await context.close();
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const place = async (name: string): Promise<string> => {
  const body = { type: "pickup", customer_name: name, customer_phone: "+1 555 4000", lines: [{ item_id: itemId, quantity: 1 }] };
  return ((await api("POST", "/orders", body)) as { id: string }).id;
};
const openBoard = async (page: Page, who: "ann" | "ben"): Promise<void> => {
  await page.goto(`/console/v/${slug}/orders`);
  await signIn(page, `${who}@people.example`);
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
};
const enter = async (who: "ann" | "ben", hasServiceWorker = false): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, server.url, { ...LOOKS.light, hasServiceWorker });
  await openBoard(opened.page, who);
  return opened;
};
const cardOf = (page: Page, id: string) => page.locator(`#order-${id}`);
const actorsOf = async (id: string): Promise<string[]> =>
  (
    await server.query<{ actor_name: string }>(
      "select actor_name from audit_entries where subject_id = $1 and action = 'order.moved' order by id",
      [id],
    )
  ).map(({ actor_name }) => actor_name);

/** Accepts an order while moves find no server, so that the move waits. */
const acceptUnsent = async ({ page, context }: OpenedPage, id: string): Promise<void> => {
  await context.route("**/orders/*/status", (route) => route.abort());
  await cardOf(page, id).locator(".order-next").click();
  await cardOf(page, id).getByText("Waiting to be sent").waitFor();
};
const endSessions = (email: string) =>
  server.query("delete from sessions where user_id = (select id from users where email = $1) returning 1 as one", [email]);

/** Everything that this browser keeps, as text. */
const readKept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const kept: unknown[] = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await ask(indexedDB.open(name ?? ""));
      for (const store of database.objectStoreNames) kept.push(store, await ask(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    const urls: string[] = [];
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
    return JSON.stringify([kept, urls, { ...localStorage }, { ...sessionStorage }]);
  });

test("sign-out deletes the board, the session and the waiting changes, and says so before", async () => {
  const { page, context, faults } = await enter("ann", true);
  const id = await place("Secret Guest");
  // The worker of this page passes by the routes of a test, so the page itself loses the call.
  await page.evaluate(() => {
    const send = window.fetch;
    window.fetch = (input, init) => (String(input).endsWith("/status") ? Promise.reject(new TypeError("lost")) : send(input, init));
  });
  await cardOf(page, id).locator(".order-next").click();
  await cardOf(page, id).getByText("Waiting to be sent").waitFor();
  await expect.poll(() => readKept(page), { timeout: 20_000 }).toContain("Secret Guest");
  const kept = await readKept(page);
  for (const text of ["ann@people.example", id]) expect(kept).toContain(text);
  // The caches of the service worker hold the shell and no answer of a call.
  expect(kept).not.toContain("/console/api/");
  await page
    .getByRole("button", { name: /^Account menu/ })
    .or(page.locator(".avatar-button"))
    .first()
    .click();
  await page.getByText("1 change waits to be sent. Signing out deletes it.").waitFor();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("E-mail address").waitFor();
  await expect.poll(() => readKept(page), { timeout: 20_000 }).not.toContain("Secret Guest");
  for (const text of ["ann@people.example", id, "accepted"]) expect(await readKept(page)).not.toContain(text);
  await context.setOffline(true);
  await page.goto(`/console/v/${slug}/orders`);
  await page.getByRole("heading", { name: /offline|cannot reach/ }).waitFor();
  expect(await page.locator("body").textContent()).not.toContain("Secret Guest");
  await context.setOffline(false);
  expect([await actorsOf(id), faults.filter((fault) => !fault.includes("did not answer"))]).toEqual([[], []]);
  await context.close();
});

test("an ended session asks to sign in and keeps the changes for the same person; another one neither sees nor sends them", async () => {
  const ann = await enter("ann");
  const { page, context } = ann;
  const id = await place("Guest of Ann");
  await acceptUnsent(ann, id);
  await endSessions("ann@people.example");
  await context.unroute("**/orders/*/status");
  await page.getByLabel("E-mail address").waitFor();
  // The changes stay; what Ann could see does not.
  expect(await readKept(page)).toContain(id);
  expect(await readKept(page)).not.toContain("Guest of Ann");
  await openBoard(page, "ben");
  await cardOf(page, id)
    .getByRole("button", { name: /^Accept/ })
    .waitFor();
  await page.waitForTimeout(4000);
  expect([await actorsOf(id), await page.getByText(/to be sent/).count()]).toEqual([[], 0]);
  await page.locator(".avatar-button").click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("E-mail address").waitFor();
  await openBoard(page, "ann");
  await expect.poll(() => actorsOf(id), { timeout: 20_000 }).toEqual(["Ann"]);
  await context.close();
});

test("another person signs in in a second tab: the first tab becomes theirs and sends nothing of the first person", async () => {
  const ann = await enter("ann");
  const { page, context } = ann;
  const id = await place("Two tabs");
  await acceptUnsent(ann, id);
  const second = (await openPage(context, server.url)).page;
  await second.goto("/console/sign-in");
  await signIn(second, "ben@people.example");
  await second.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
  await context.unroute("**/orders/*/status");
  await page.getByRole("button", { name: /Ben/ }).first().waitFor();
  await page.waitForTimeout(4000);
  expect(await actorsOf(id)).toEqual([]);
  expect(await readKept(page)).not.toContain("ann@people.example");
  await context.close();
});

test("two tabs of one person: each change is sent once, also when the tab that made it is closed", async () => {
  const ann = await enter("ann");
  const { page, context } = ann;
  const ids = [await place("Tab one"), await place("Tab two")];
  const second = (await openPage(context, server.url)).page;
  await second.goto(`/console/v/${slug}/orders`);
  await acceptUnsent(ann, ids[0] as string);
  await cardOf(second, ids[1] as string)
    .locator(".order-next")
    .click();
  await second.getByText("2 changes wait to be sent.").waitFor();
  await page.getByText("2 changes wait to be sent.").waitFor();
  await page.close();
  await context.unroute("**/orders/*/status");
  await second
    .getByText(/to be sent/)
    .first()
    .waitFor({ state: "hidden" });
  for (const id of ids) expect(await actorsOf(id)).toEqual(["Ann"]);
  await context.close();
});

test("a colleague was faster: it is said, dropped with the later change, and the rest goes on", async () => {
  const ann = await enter("ann");
  const { page, context } = ann;
  const [lost, kept] = [await place("Lost race"), await place("Goes on")];
  await acceptUnsent(ann, lost);
  await cardOf(page, lost)
    .getByRole("button", { name: /^Ready/ })
    .click();
  await cardOf(page, kept).locator(".order-next").click();
  await page.getByText("3 changes wait to be sent.").waitFor();
  await api("POST", `/orders/${lost}/status`, { status: "cancelled" });
  await context.unroute("**/orders/*/status");
  await page.getByText(/is cancelled already/).waitFor();
  await page.getByText(/A later change of #\d+ was dropped as well/).waitFor();
  await expect.poll(() => actorsOf(kept), { timeout: 20_000 }).toEqual(["Ann"]);
  expect(await page.getByText(/to be sent/).count()).toBe(0);
  await context.close();
});

test.each([
  ["is missing", () => Object.defineProperty(window, "indexedDB", { value: undefined })],
  [
    "is full",
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    },
  ],
  [
    "does not answer",
    () => {
      IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
    },
  ],
] as const)("the board works when the browser's database %s", async (_name, breakIt) => {
  const opened = await openInNewContext(browser, server.url);
  const { page, context, faults } = opened;
  await page.addInitScript(breakIt);
  await openBoard(page, "ann");
  const id = await place("No storage");
  await cardOf(page, id).locator(".order-next").click();
  await expect.poll(() => actorsOf(id), { timeout: 20_000 }).toEqual(["Ann"]);
  await context.route("**/orders/*/status", (route) => route.abort());
  await cardOf(page, id).locator(".order-next").click();
  await cardOf(page, id).getByText("Waiting to be sent").waitFor();
  await context.unroute("**/orders/*/status");
  await expect.poll(() => actorsOf(id), { timeout: 20_000 }).toEqual(["Ann", "Ann"]);
  await page.locator(".avatar-button").click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await button(page, "Sign in").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
