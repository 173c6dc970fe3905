/** Changes of one person appear on another's page: by the change stream, or by polling without one. */
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedPage, openBrowser, openPage } from "./browser.ts";
import { type ServerWithReceiver, startServerWithReceiver } from "./server-with-receiver.ts";
import { callFrom, signInByInvitation } from "./sign-in.ts";

const AT_ONCE_MS = 3000;

let server: ServerWithReceiver;
let browser: Browser;
let owner: OpenedPage;
let manager: OpenedPage;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServerWithReceiver(), openBrowser()]);
  owner = await signInByInvitation(browser, server, await server.invite("owner"));
  manager = await signInByInvitation(browser, server, await server.invite("manager"));
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const write = async (path: string, body: object = {}): Promise<{ id: number }> => {
  const { status, json } = await callFrom(owner.page, "POST", `/venues/${server.slug}${path}`, body);
  expect(status).toBeLessThan(300);
  return (json as { data: { id: number } }).data;
};

/** Opens a page and waits for its change stream. `staysFor` fails if the page is loaded again. */
const watchPage = async ({ page }: Pick<OpenedPage, "page">, path: string): Promise<{ staysFor(seen: Promise<void>): Promise<void> }> => {
  const line = page.waitForResponse((answer) => answer.url().endsWith("/live"));
  await page.goto(`/console/v/${server.slug}/${path}`);
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

test("changes of another person appear within three seconds without a reload", async () => {
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
    seenWithin(AT_ONCE_MS, page.getByRole("heading", { name: server.receiver.url }), async () => {
      ({ id: hook } = await write("/webhooks", { url: server.receiver.url, events: ["order.created"], description: null }));
    }),
  );

  watched = await watchPage(manager, "deliveries");
  await page.locator(".empty").waitFor();
  await watched.staysFor(seenWithin(AT_ONCE_MS, page.locator(".delivery-row").getByText("200"), () => write(`/webhooks/${hook}/ping`)));

  watched = await watchPage(manager, "activity?area=webhook");
  await page.locator(".activity-row").first().waitFor();
  await watched.staysFor(seenWithin(AT_ONCE_MS, page.getByText("rotated the signing secret of"), () => write(`/webhooks/${hook}/secret`)));

  const token = await server.token(["menu:read"]);
  watched = await watchPage(manager, "requests?status=4xx");
  await page.locator(".empty").waitFor();
  await watched.staysFor(
    seenWithin(AT_ONCE_MS, page.getByText("This token lacks orders:read"), () =>
      fetch(`${server.url}/api/v1/orders`, { headers: { Authorization: `Bearer ${token}` } }),
    ),
  );
  expect(faults).toEqual([]);
});

test("pages poll only without a change stream", async () => {
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
  await page.goto(`/console/v/${server.slug}/deliveries`);
  await page.locator(".delivery-row").first().waitFor();
  asked.length = 0;
  await expect.poll(() => asked.filter((path) => path.endsWith("/deliveries")).length).toBeGreaterThanOrEqual(1);
  await page.unroute("**/live");
});

test("two tabs share one stream; when the tab that has it closes, the other opens its own and misses nothing", async () => {
  const [first, second] = await Promise.all([openPage(manager.context, server.url), openPage(manager.context, server.url)]);
  await manager.page.goto("about:blank");
  const streams: string[] = [];
  for (const [name, { page }] of Object.entries({ first, second }))
    page.on("request", (request) => request.url().endsWith("/live") && streams.push(name));
  await watchPage(first, "tokens");
  await second.page.goto(`/console/v/${server.slug}/tokens`);
  const seenBy = ({ page }: Pick<OpenedPage, "page">, name: string) =>
    seenWithin(AT_ONCE_MS, page.getByRole("heading", { name }), () => write("/tokens", { name, scopes: ["menu:read"] }));
  await second.page.locator(".token-item").first().waitFor();
  await seenBy(second, "Seen by both tabs");
  expect(streams).toEqual(["first"]);
  const opened = second.page.waitForResponse((answer) => answer.url().endsWith("/live"));
  await first.page.close();
  expect((await opened).status()).toBe(200);
  await seenBy(second, "Seen by the other tab");
  expect([streams, first.faults, second.faults]).toEqual([["first", "second"], [], []]);
  await second.page.close();
});

test("a tab that has the stream and tells nothing loses it to a visible one", async () => {
  const [silent, visible] = [await openPage(manager.context, server.url), await openPage(manager.context, server.url)];
  await watchPage(silent, "tokens");
  await visible.page.goto(`/console/v/${server.slug}/tokens`);
  await visible.page.locator(".token-item").first().waitFor();
  const opened = visible.page.waitForResponse((answer) => answer.url().endsWith("/live"));
  await silent.page.evaluate(() => {
    BroadcastChannel.prototype.postMessage = () => undefined;
  });
  expect((await opened).status()).toBe(200);
  await seenWithin(AT_ONCE_MS, visible.page.getByRole("heading", { name: "After the silence" }), () =>
    write("/tokens", { name: "After the silence", scopes: ["menu:read"] }),
  );
  expect(visible.faults).toEqual([]);
  await Promise.all([silent.page.close(), visible.page.close()]);
});
