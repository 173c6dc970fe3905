/** What people do on the developer pages, each in a few steps. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { ServerWithReceiver } from "./server-with-receiver.ts";
import { button } from "./sign-in.ts";

type ActingPage = { page: Page; server: Pick<ServerWithReceiver, "url" | "slug" | "receiver"> };

export const openVenuePage = ({ page, server }: ActingPage, path: string) => page.goto(`/console/v/${server.slug}/${path}`);

export const createAndUseToken = async (at: ActingPage, name: string): Promise<void> => {
  const { page, server } = at;
  await openVenuePage(at, "tokens");
  await button(page, "Create token").first().click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  await button(page, "Copy Token").click();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  expect((await fetch(`${server.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  await button(page, "Done").click();
  await page.getByRole("heading", { name }).waitFor();
};

export const revokeTokenNamed = async (at: ActingPage, name: string): Promise<void> => {
  const { page } = at;
  await openVenuePage(at, "tokens");
  await button(page, `Actions for ${name}`).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await button(page, "Revoke token").click();
  await page.getByText(`“${name}” is revoked.`).waitFor();
};

export const openAndResetSandbox = async (at: ActingPage): Promise<void> => {
  const { page } = at;
  await openVenuePage(at, "sandbox");
  const create = button(page, "Open the sandbox");
  await create
    .or(page.getByRole("heading", { name: "Contents" }))
    .first()
    .waitFor();
  if ((await create.count()) > 0) {
    await create.click();
    await button(page, "Copy Token").click();
    await button(page, "Done").click();
  }
  await button(page, "Reset now").click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset now" }).click();
  await page.getByText("The sandbox has been reset.").waitFor();
};

/** Checks the last message that the receiver got. */
export const checkSignature = async (at: ActingPage, secret: string): Promise<void> => {
  const { page, server } = at;
  const got = server.receiver.received.at(-1);
  await openVenuePage(at, "signature");
  await page.getByLabel("Raw body").fill(got?.body ?? "");
  await page.getByLabel("Service-Signature header").fill(String(got?.headers["service-signature"]));
  await page.getByRole("textbox", { name: "Secret" }).fill(secret);
  await page.getByText("Genuine. Your server should accept this.").waitFor();
};

/** Adds the receiver's address to what is shown, the venue or its sandbox, and pings it. */
export const addAndPingWebhook = async (at: ActingPage): Promise<string> => {
  const { page, server } = at;
  await button(page, "Add address").first().click();
  await page.getByLabel("Address", { exact: true }).fill(server.receiver.url);
  await page.getByRole("searchbox", { name: "Find an event" }).fill("order");
  await button(page, "All").click();
  await page.getByRole("dialog").getByRole("button", { name: "Add address" }).click();
  await button(page, "Copy Secret").click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await button(page, "Send a ping now").click();
  await page.getByText(/The ping arrived: 200/).waitFor();
  await button(page, "Done").click();
  return secret;
};

/** Whether the page shows the venue or its sandbox. */
export const choosePlace = (page: Page, place: "Live" | "Sandbox") => page.locator(".place").getByText(place, { exact: true }).click();
