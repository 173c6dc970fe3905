/** Pairs a kitchen screen as people do: the device shows its code, and the manager types it. */
import type { Browser, Page } from "playwright-core";
import { LOOKS, type OpenedPage, openInNewContext } from "./browser.ts";
import type { RealServer } from "./real-server.ts";
import { button } from "./sign-in.ts";

type Pairing = {
  browser: Browser;
  server: RealServer;
  slug: string;
  manager: Page;
  /** Where the device reaches the server, when it is not the server's own address. */
  deviceUrl?: string;
};

export const pairScreen = async (
  { browser, server, slug, manager, deviceUrl = server.url }: Pairing,
  name: string,
  stations: readonly string[] = [],
): Promise<OpenedPage> => {
  const device = await openInNewContext(browser, deviceUrl, { ...LOOKS.wall, hasServiceWorker: true });
  await device.page.goto("/console/screen");
  await button(device.page, "Pair this screen").click();
  await device.page.getByText(/^Valid for/).waitFor();
  const [row] = await server.query<{ code: string }>("select code from screen_pairings order by expires_at desc limit 1", []);
  for (const part of [row?.code.slice(0, 4), row?.code.slice(4)]) await device.page.getByText(part ?? "", { exact: true }).waitFor();
  await manager.goto(`/console/v/${slug}/screens`);
  await button(manager, "Pair a screen").first().click();
  const dialog = manager.getByRole("dialog", { name: "Pair a screen" });
  await dialog.getByLabel("Code on the screen").fill(row?.code ?? "");
  await dialog.getByLabel("Name").fill(name);
  for (const station of stations) await dialog.getByText(station, { exact: true }).click();
  await dialog.getByRole("button", { name: "Pair", exact: true }).click();
  await manager.getByText(`“${name}” is paired.`).waitFor();
  await device.page.locator(".kitchen").waitFor();
  return device;
};
