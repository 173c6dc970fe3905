/** An app asks, an owner decides, the app works until it is uninstalled, for real: browser, server, database and an app. */
import type { AppForm } from "@comanda/contract/console-apps.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authorizeUrl, FORM, newPkce, type Pkce } from "../../server/test/marketplace.ts";
import { type AppServer, startAppServer } from "./app-server.ts";
import { openBrowser, type Visit, visit } from "./browser.ts";
import { type House, openHouse } from "./house.ts";
import { button, callFrom, enter, signIn } from "./people.ts";

const OWNER = "owner@example.com";
const MANAGER = "manager@example.com";
const GONE = "Start again from the app";

type Secret = { id: number; client_id: string; client_secret: string };

let house: House;
let browser: Browser;
let shop: AppServer;
let slug: string;
let owner: Visit;
let app: Secret;
beforeAll(async () => {
  [house, browser, shop] = await Promise.all([openHouse(), openBrowser(), startAppServer()]);
  slug = await house.venue("trattoria");
  owner = await enter(browser, house, await house.invite(slug, OWNER, "owner"));
  await (await enter(browser, house, await house.invite(slug, MANAGER, "manager"))).context.close();
  app = await register({});
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await house?.close();
});

const register = async (changes: Partial<AppForm>): Promise<Secret> => {
  const { status, json } = await callFrom(owner.page, "POST", "/apps", { ...FORM, redirect_uris: [shop.back], ...changes });
  expect(status, JSON.stringify(json)).toBe(201);
  return (json as { data: Secret }).data;
};

/** By hand, past the buttons that a page has or has not. */
const allowByHand = async (page: Page, consentUrl: string, scopes: string[]): Promise<number> =>
  (await callFrom(page, "POST", `/venues/${slug}/consents`, { request: consentUrl.split("/").at(-1), scopes })).status;

const asking = (pkce: Pkce, scope = "menu:read orders:read orders:write"): string =>
  authorizeUrl(app, pkce, { redirect_uri: shop.back, scope, state: "a state of ours" });

const atConsent = (page: Page) => page.getByRole("heading", { name: "Table Talk asks for access" }).waitFor();

const backAtApp = async (page: Page): Promise<URLSearchParams> => {
  await page.getByRole("heading", { name: "Back at the app" }).waitFor();
  const { origin, pathname, searchParams } = new URL(page.url());
  expect(origin + pathname).toBe(shop.back);
  expect([searchParams.get("state"), searchParams.get("iss")]).toEqual(["a state of ours", house.url]);
  return searchParams;
};

type Tokens = { access_token: string; scope: string; error?: string };
const trade = async (values: Record<string, string>, { client_id, client_secret } = app): Promise<{ status: number; body: Tokens }> => {
  const answer = await fetch(`${house.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ ...values, client_id, client_secret }),
  });
  return { status: answer.status, body: (await answer.json()) as Tokens };
};
const exchange = (code: string | null, pkce: Pkce) =>
  trade({ grant_type: "authorization_code", code: code ?? "", redirect_uri: shop.back, code_verifier: pkce.verifier });

/** The app's secret is good when only the code is refused. */
const proves = async (secret: Secret): Promise<boolean> =>
  (await trade({ grant_type: "authorization_code", code: "none", redirect_uri: shop.back, code_verifier: newPkce().verifier }, secret)).body
    .error !== "invalid_client";

/** Going to the app is what this is about. */
const others = (faults: string[]): string[] => faults.filter((fault) => fault !== `asked ${shop.host}`);

test("signed out, the owner signs in, unticks one thing and allows the rest: the app gets just that", async () => {
  const { page, context, faults } = await visit(browser, house.url);
  const pkce = newPkce();
  await page.goto(asking(pkce));
  await signIn(page, OWNER);
  await atConsent(page);
  await page.getByText("Nobody here has looked at this app").waitFor();
  await page.getByLabel("Place orders and move them on their way to the table.").uncheck();
  await button(page, "Allow").dblclick();
  const { status, body } = await exchange((await backAtApp(page)).get("code"), pkce);
  expect([status, body.scope]).toEqual([200, "menu:read orders:read"]);
  const menus = await fetch(`${house.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${body.access_token}` } });
  expect(menus.status).toBe(200);
  expect(others(faults)).toEqual([]);
  await context.close();
});

test("asked again, only what is new stands out, and what was allowed stays", async () => {
  const { page } = owner;
  const pkce = newPkce();
  await page.goto(asking(pkce));
  await page.getByText("2 things that are already allowed").waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(1);
  await button(page, "Allow").click();
  const { body } = await exchange((await backAtApp(page)).get("code"), pkce);
  expect(body.scope).toBe("menu:read orders:read orders:write");
});

test("a no goes back as one", async () => {
  const { page } = owner;
  await page.goto(asking(newPkce()));
  await button(page, "Do not allow").click();
  const answer = await backAtApp(page);
  expect([answer.get("error"), answer.get("code")]).toEqual(["access_denied", null]);
});

test("by keyboard alone: a tick is taken away, and the rest allowed", async () => {
  const { page } = owner;
  const pkce = newPkce();
  await page.goto(asking(pkce, "menu:read guests:read"));
  await atConsent(page);
  const reach = async (role: "checkbox" | "button", name: RegExp): Promise<void> => {
    const wanted = page.getByRole(role, { name });
    for (let step = 0; step < 20 && !(await wanted.evaluate((element) => element === document.activeElement)); step++)
      await page.keyboard.press("Tab");
  };
  await reach("checkbox", /^Read guest profiles/);
  await page.keyboard.press("Space");
  await reach("button", /^Allow$/);
  await page.keyboard.press("Enter");
  expect((await exchange((await backAtApp(page)).get("code"), pkce)).body.scope).toBe("menu:read");
});

test("with nothing ticked there is nothing to allow", async () => {
  const { page } = owner;
  await page.goto(asking(newPkce(), "guests:read"));
  await page.getByLabel(/^Read guest profiles/).uncheck();
  expect(await button(page, "Nothing is ticked to allow").isDisabled()).toBe(true);
  expect(await button(page, "Do not allow").isEnabled()).toBe(true);
});

test("a manager is told who could, cannot allow by hand either, and can hand over to the owner", async () => {
  const { page, context, faults } = await visit(browser, house.url);
  const pkce = newPkce();
  await page.goto(asking(pkce));
  await signIn(page, MANAGER);
  await page.getByText(/Only owners can let an app in/).waitFor();
  expect(await button(page, "Allow").count()).toBe(0);
  expect(await allowByHand(page, page.url(), ["menu:read"])).toBe(403);
  await button(page, "Use another account").click();
  await signIn(page, OWNER);
  await atConsent(page);
  await button(page, "Allow").click();
  expect((await exchange((await backAtApp(page)).get("code"), pkce)).status).toBe(200);
  expect(others(faults)).toEqual([]);
  await context.close();
});

test("what was not asked for cannot be slipped in, and the question stays open", async () => {
  const { page } = owner;
  await page.goto(asking(newPkce(), "menu:read"));
  await atConsent(page);
  expect(await allowByHand(page, page.url(), ["menu:read", "guests:read"])).toBe(422);
  await button(page, "Allow").click();
  expect((await backAtApp(page)).get("code")).toMatch(/^\w+$/);
});

test("a decision counts once: back and again, or in a second tab, the way leads to a fresh start", async () => {
  const { page, context } = owner;
  await page.goto(asking(newPkce(), "menu:read"));
  await atConsent(page);
  const [consentUrl, second] = [page.url(), await context.newPage()];
  await second.goto(consentUrl);
  await atConsent(second);
  await button(page, "Allow").click();
  await backAtApp(page);
  await button(second, "Allow").click();
  await second.getByRole("heading", { name: GONE }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: GONE }).waitFor();
  expect(await allowByHand(page, consentUrl, ["menu:read"])).toBe(422);
  await second.close();
});

test("another site cannot put the question into a frame of its own", async () => {
  const { page } = owner;
  await page.goto(asking(newPkce(), "menu:read"));
  await atConsent(page);
  const consentUrl = page.url();
  // What may be framed is, so an empty frame means that the browser refused.
  await page.goto(shop.frame(shop.back));
  await page.frameLocator("iframe").getByRole("heading", { name: "Back at the app" }).waitFor();
  for (const address of [consentUrl, `${house.url}${asking(newPkce(), "menu:read")}`]) {
    await page.goto(shop.frame(address));
    const [, frame] = page.frames();
    await frame?.waitForLoadState();
    expect(frame?.url()).toBe("chrome-error://chromewebdata/");
    expect(await page.frameLocator("iframe").getByText("Table Talk").count()).toBe(0);
  }
});

test("uninstalled in the console, the app is refused on its next request", async () => {
  const { page } = owner;
  const pkce = newPkce();
  await page.goto(asking(pkce, "menu:read"));
  await button(page, "Allow").click();
  const { body } = await exchange((await backAtApp(page)).get("code"), pkce);
  const menus = async () =>
    (await fetch(`${house.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${body.access_token}` } })).status;
  expect(await menus()).toBe(200);
  await page.goto(`/console/v/${slug}/apps`);
  await button(page, "Uninstall Table Talk").click();
  await page.getByText("Its tokens are refused from the next request on.", { exact: false }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Uninstall" }).click();
  await page.getByRole("heading", { name: "No app is installed" }).waitFor();
  expect(await menus()).toBe(401);
  await page.goto(`/console/v/${slug}/activity?area=app`);
  await page
    .getByText(/uninstalled/)
    .first()
    .waitFor();
});

const copied = async (page: Page): Promise<string> => {
  await button(page, "Copy Client secret").click();
  return page.evaluate(() => navigator.clipboard.readText());
};

test("an app is registered with a logo, its secret used and rolled, and then withdrawn", async () => {
  const { page, context, faults } = await visit(browser, house.url);
  await page.goto("/console/apps");
  await signIn(page, MANAGER);
  await button(page, "Register an app").click();
  const dialog = page.getByRole("dialog");
  await button(page, "Register app").click();
  await page.getByText("Choose at least one.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Forno");
  await dialog.getByLabel("Developer", { exact: true }).fill("Pane e figli");
  await dialog.getByLabel("In one sentence").fill("Prints orders where the oven is.");
  await dialog.getByLabel("Site").fill("https://forno.example");
  // A picture that is far too large, and comes out small.
  await page.setInputFiles("input[type=file]", { name: "logo.png", mimeType: "image/png", buffer: await page.screenshot() });
  await dialog.locator("img.app-logo").waitFor();
  const side = await dialog
    .locator("img.app-logo")
    .evaluate((image: HTMLImageElement) => Math.max(image.naturalWidth, image.naturalHeight));
  expect(side).toBe(128);
  await dialog.getByLabel("Redirect address 1").fill(`${shop.back}#part`);
  await dialog.getByLabel(/^Menu: Read/).check();
  await button(page, "Register app").click();
  await page.getByText("Must not have a part behind #.").waitFor();
  await dialog.getByLabel("Redirect address 1").fill(shop.back);
  await button(page, "Add an address").click();
  await dialog.getByLabel("Redirect address 2").fill("https://forno.example/back");
  await button(page, "Register app").click();
  await page.getByRole("dialog", { name: "Your app's secret" }).waitFor();
  await page.keyboard.press("Escape");
  await button(page, "Go back and copy").click();
  const client_secret = await copied(page);
  await button(page, "Done").click();
  await page.getByRole("heading", { name: "Forno" }).waitFor();
  expect(await page.content()).not.toContain(client_secret);
  await button(page, "Copy Client id").click();
  const client_id = await page.evaluate(() => navigator.clipboard.readText());
  const first = { id: 0, client_id, client_secret };
  expect(await proves(first)).toBe(true);
  await button(page, "Actions for Forno").click();
  await page.getByRole("menuitem", { name: "Roll secret" }).click();
  await page.getByLabel("Now", { exact: true }).check();
  await button(page, "Make a new secret").click();
  const rolled = { ...first, client_secret: await copied(page) };
  await button(page, "Done").click();
  expect([await proves(first), await proves(rolled)]).toEqual([false, true]);
  await button(page, "Actions for Forno").click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  expect(await button(page, "Withdraw for good").isDisabled()).toBe(true);
  await page.getByLabel("Type the name of the app to go on").fill("Forno");
  await button(page, "Withdraw for good").click();
  await page.getByRole("heading", { name: "Build something for every venue" }).waitFor();
  expect(await proves(rolled)).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
