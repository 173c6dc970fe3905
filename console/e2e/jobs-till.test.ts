/** The till as a manager connects it, with a receiver over TLS that gets the orders. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { answer } from "../../server/test/support/webhook-receiver.ts";
import { createApiClient } from "./api-client.ts";
import { type OpenedPage, openBrowser } from "./browser.ts";
import { job } from "./jobs.ts";
import { type ServerWithReceiver, startServerWithReceiver } from "./server-with-receiver.ts";
import { button, signInByInvitation } from "./sign-in.ts";

let server: ServerWithReceiver;
let browser: Browser;
let manager: OpenedPage;
let token: string;
const paths: (string | undefined)[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([startServerWithReceiver(), openBrowser()]);
  manager = await signInByInvitation(browser, server, await server.invite("manager"));
  token = await server.token(["menu:read", "orders:write"]);
  server.receiver.behave((request, response) => {
    paths.push(request.url);
    answer(200)(request, response);
  });
  await server.startWorker();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const place = async (): Promise<string> => {
  const api = createApiClient(server.url, token);
  const dishes = await api<{ id: number; name: { en: string } }[]>("GET", "/items?per_page=100");
  const lines = [{ item_id: dishes.find(({ name }) => name.en === "Plain Plate")?.id, quantity: 1 }];
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines };
  return (await api<{ id: string }>("POST", "/orders", body)).id;
};
const arrived = (order: string): boolean => server.receiver.received.some(({ body }) => body.includes(order));

job("JE-09", async () => {
  const { page, faults } = manager;
  await page.goto(`/console/v/${server.slug}/till`);
  await page.getByRole("heading", { name: "No till is connected" }).waitFor();
  await button(page, "Connect till").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address of the till").fill("https://10.0.0.1/orders");
  await dialog.getByRole("button", { name: "Connect till" }).click();
  await dialog.getByText("The address belongs to a private or special network.").waitFor();
  const address = new URL("/till", server.receiver.url).href;
  await dialog.getByLabel("Address of the till").fill(address);
  await dialog.getByRole("button", { name: "Connect till" }).click();
  // The secret is shown once.
  await page.getByRole("dialog", { name: "Secret of the till" }).waitFor();
  await button(page, "Copy Signing secret").click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
  await button(page, "Done").click();
  await page.getByText(address).waitFor();
  expect(await page.content()).not.toContain(secret);
  // The next order arrives there, and the page says so by itself.
  const first = await place();
  await expect.poll(() => arrived(first), { timeout: 20_000 }).toBe(true);
  await page
    .locator(".till-push", { hasText: first.slice(-6) })
    .getByText("Received")
    .waitFor();
  // Another address: the next order goes there.
  await button(page, "Change address").click();
  await dialog.getByLabel("Address of the till").fill(new URL("/other-till", server.receiver.url).href);
  await dialog.getByRole("button", { name: "Change address" }).click();
  await page.getByRole("dialog", { name: "Secret of the till" }).waitFor();
  await button(page, "Copy Signing secret").click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toBe(secret);
  await button(page, "Done").click();
  const second = await place();
  await expect.poll(() => arrived(second), { timeout: 20_000 }).toBe(true);
  expect(paths.at(-1)).toBe("/other-till");
  // Disconnected, nothing is sent any more.
  await button(page, "Disconnect").click();
  await dialog.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("heading", { name: "No till is connected" }).waitFor();
  const third = await place();
  expect(await server.query(`select from deliveries d join events e on e.id = d.event_id where e.body like '%${third}%'`)).toEqual([]);
  expect(faults).toEqual([]);
});
