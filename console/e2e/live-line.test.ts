/** What one person does, another sees without asking: over the open line, and by the clock where there is none. */
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, type Visit } from "./browser.ts";
import { type ListeningHouse, openListeningHouse } from "./listening-house.ts";
import { callFrom, enter } from "./people.ts";

const AT_ONCE_MS = 3000;

let house: ListeningHouse;
let browser: Browser;
let owner: Visit;
let manager: Visit;

beforeAll(async () => {
  [house, browser] = await Promise.all([openListeningHouse(), openBrowser()]);
  owner = await enter(browser, house, await house.invite("owner"));
  manager = await enter(browser, house, await house.invite("manager"));
  await house.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const write = async (path: string, body: object = {}): Promise<{ id: number }> => {
  const { status, json } = await callFrom(owner.page, "POST", `/venues/${house.slug}${path}`, body);
  expect(status).toBeLessThan(300);
  return (json as { data: { id: number } }).data;
};

/** Opens a page and waits until its line is open; `staysFor` fails if the page is loaded again meanwhile. */
const watchPage = async ({ page }: Visit, path: string): Promise<{ staysFor(seen: Promise<void>): Promise<void> }> => {
  const line = page.waitForResponse((answer) => answer.url().endsWith("/live"));
  await page.goto(`/console/v/${house.slug}/${path}`);
  expect((await line).status()).toBe(200);
  await page.waitForLoadState("domcontentloaded");
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  return {
    async staysFor(seen) {
      await seen;
      expect([path, loads]).toEqual([path, 0]);
    },
  };
};

const seenWithin = async (ms: number, seen: Locator, cause: () => Promise<unknown>): Promise<void> => {
  expect(await seen.count()).toBe(0);
  await cause();
  await seen.first().waitFor({ timeout: ms });
};

test("a token, an address, a delivery, a change and a request are seen by the other within three seconds, without a reload", async () => {
  const { page, faults } = manager;
  let watched = await watchPage(manager, "tokens");
  await page.getByRole("heading", { name: "No tokens yet" }).or(page.locator(".empty")).first().waitFor();
  await watched.staysFor(
    seenWithin(AT_ONCE_MS, page.getByRole("heading", { name: "Website of the other" }), () =>
      write("/tokens", { name: "Website of the other", scopes: ["menu:read"] }),
    ),
  );

  watched = await watchPage(manager, "webhooks");
  await page.locator(".empty").waitFor();
  let hook = 0;
  await watched.staysFor(
    seenWithin(AT_ONCE_MS, page.getByRole("heading", { name: house.receiver.url }), async () => {
      ({ id: hook } = await write("/webhooks", { url: house.receiver.url, events: ["order.created"], description: null }));
    }),
  );

  watched = await watchPage(manager, "deliveries");
  await page.locator(".empty").waitFor();
  await watched.staysFor(seenWithin(AT_ONCE_MS, page.locator(".delivery-row").getByText("200"), () => write(`/webhooks/${hook}/ping`)));

  watched = await watchPage(manager, "activity?area=webhook");
  await page.locator(".activity-row").first().waitFor();
  await watched.staysFor(seenWithin(AT_ONCE_MS, page.getByText("rotated the signing secret of"), () => write(`/webhooks/${hook}/secret`)));

  const token = await house.token(["menu:read"]);
  watched = await watchPage(manager, "requests?status=4xx");
  await page.locator(".empty").waitFor();
  await watched.staysFor(
    seenWithin(AT_ONCE_MS, page.getByText("This token lacks orders:read"), () =>
      fetch(`${house.url}/api/v1/orders`, { headers: { Authorization: `Bearer ${token}` } }),
    ),
  );
  expect(faults).toEqual([]);
});

test("while the line is open nothing is asked by the clock; without one it is", async () => {
  const { page } = manager;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await watchPage(manager, "deliveries");
  await page.locator(".delivery-row").first().waitFor();
  await page.waitForTimeout(1500);
  asked.length = 0;
  await page.waitForTimeout(5000);
  expect(asked.filter((path) => path.endsWith("/deliveries"))).toEqual([]);

  await page.route("**/live", (route) => route.abort());
  await page.goto(`/console/v/${house.slug}/deliveries`);
  await page.locator(".delivery-row").first().waitFor();
  asked.length = 0;
  await page.waitForTimeout(5000);
  expect(asked.filter((path) => path.endsWith("/deliveries")).length).toBeGreaterThanOrEqual(1);
  await page.unroute("**/live");
});
