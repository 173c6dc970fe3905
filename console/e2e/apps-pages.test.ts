/** Consent, installation and registration of apps in a browser, on the real server with a fake app. */
import type { AppForm } from "@comanda/contract/console/apps.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authorizeUrl, FORM, newPkce, type TestPkce } from "../../server/test/support/marketplace.ts";
import { type OpenedPage, openBrowser, openInNewContext } from "./browser.ts";
import { type FakeApp, startFakeApp } from "./fake-app.ts";
import { type RealServer, startRealServer } from "./real-server.ts";
import { button, callFrom, signIn, signInByInvitation } from "./sign-in.ts";

const OWNER = "owner@example.com";
const MANAGER = "manager@example.com";
const GONE = "Start again from the app";

type ClientSecret = { id: number; client_id: string; client_secret: string };

let server: RealServer;
let browser: Browser;
let fakeApp: FakeApp;
let slug: string;
let owner: OpenedPage;
let app: ClientSecret;
beforeAll(async () => {
  [server, browser, fakeApp] = await Promise.all([startRealServer(), openBrowser(), startFakeApp()]);
  slug = await server.venue("trattoria");
  owner = await signInByInvitation(browser, server, await server.invite(slug, OWNER, "owner"));
  await (await signInByInvitation(browser, server, await server.invite(slug, MANAGER, "manager"))).context.close();
  app = await register({});
});
afterAll(async () => {
  await browser?.close();
  await fakeApp?.close();
  await server?.close();
});

const register = async (changes: Partial<AppForm>): Promise<ClientSecret> => {
  const { status, json } = await callFrom(owner.page, "POST", "/apps", { ...FORM, redirect_uris: [fakeApp.back], ...changes });
  expect(status, JSON.stringify(json)).toBe(201);
  return (json as { data: ClientSecret }).data;
};

/** Calls the operation directly, whatever buttons the page has. */
const allowByHand = async (page: Page, consentUrl: string, scopes: string[]): Promise<number> =>
  (await callFrom(page, "POST", `/venues/${slug}/consents`, { request: consentUrl.split("/").at(-1), scopes })).status;

const asking = (pkce: TestPkce, scope = "menu:read orders:read orders:write"): string =>
  authorizeUrl(app, pkce, { redirect_uri: fakeApp.back, scope, state: "a state of ours" });

const atConsent = (page: Page) => page.getByRole("heading", { name: "Table Talk asks for access" }).waitFor();

const backAtApp = async (page: Page): Promise<URLSearchParams> => {
  await page.getByRole("heading", { name: "Back at the app" }).waitFor();
  const { origin, pathname, searchParams } = new URL(page.url());
  expect(origin + pathname).toBe(fakeApp.back);
  expect([searchParams.get("state"), searchParams.get("iss")]).toEqual(["a state of ours", server.url]);
  return searchParams;
};

type ExchangedToken = { access_token: string; scope: string; error?: string };
const trade = async (
  values: Record<string, string>,
  { client_id, client_secret } = app,
): Promise<{ status: number; body: ExchangedToken }> => {
  const answer = await fetch(`${server.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ ...values, client_id, client_secret }),
  });
  return { status: answer.status, body: (await answer.json()) as ExchangedToken };
};
const exchange = (code: string | null, pkce: TestPkce) =>
  trade({ grant_type: "authorization_code", code: code ?? "", redirect_uri: fakeApp.back, code_verifier: pkce.verifier });

/** The secret is valid when only the code is refused. */
const proves = async (secret: ClientSecret): Promise<boolean> =>
  (await trade({ grant_type: "authorization_code", code: "none", redirect_uri: fakeApp.back, code_verifier: newPkce().verifier }, secret))
    .body.error !== "invalid_client";

/** Requests to the app are expected. */
const others = (faults: string[]): string[] => faults.filter((fault) => fault !== `asked ${fakeApp.host}`);

test("an app gets only the scopes that the owner left ticked", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
  const pkce = newPkce();
  await page.goto(asking(pkce));
  await signIn(page, OWNER);
  await atConsent(page);
  await page.getByText("This app has not been reviewed").waitFor();
  await page.getByLabel("Place orders and change their status.").uncheck();
  await button(page, "Allow").dblclick();
  const { status, body } = await exchange((await backAtApp(page)).get("code"), pkce);
  expect([status, body.scope]).toEqual([200, "menu:read orders:read"]);
  const menus = await fetch(`${server.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${body.access_token}` } });
  expect(menus.status).toBe(200);
  expect(others(faults)).toEqual([]);
  await context.close();
});

test("a second request lists only new scopes and keeps the granted ones", async () => {
  const { page } = owner;
  const pkce = newPkce();
  await page.goto(asking(pkce));
  await page.getByText("2 permissions already allowed").waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(1);
  await button(page, "Allow").click();
  const { body } = await exchange((await backAtApp(page)).get("code"), pkce);
  expect(body.scope).toBe("menu:read orders:read orders:write");
});

test("denying returns access_denied to the app", async () => {
  const { page } = owner;
  await page.goto(asking(newPkce()));
  await button(page, "Do not allow").click();
  const answer = await backAtApp(page);
  expect([answer.get("error"), answer.get("code")]).toEqual(["access_denied", null]);
});

test("consent works by keyboard alone", async () => {
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

test("Allow is disabled when nothing is ticked", async () => {
  const { page } = owner;
  await page.goto(asking(newPkce(), "guests:read"));
  await page.getByLabel(/^Read guest profiles/).uncheck();
  expect(await button(page, "Tick at least one permission").isDisabled()).toBe(true);
  expect(await button(page, "Do not allow").isEnabled()).toBe(true);
});

test("403 when a manager allows an app; another account can sign in", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
  const pkce = newPkce();
  await page.goto(asking(pkce));
  await signIn(page, MANAGER);
  await page.getByText(/Only owners can install apps/).waitFor();
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

test("422 when a scope was not requested; the request stays open", async () => {
  const { page } = owner;
  await page.goto(asking(newPkce(), "menu:read"));
  await atConsent(page);
  expect(await allowByHand(page, page.url(), ["menu:read", "guests:read"])).toBe(422);
  await button(page, "Allow").click();
  expect((await backAtApp(page)).get("code")).toMatch(/^\w+$/);
});

test("a consent request can be answered once, also in a second tab or after going back", async () => {
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

test("the consent screen cannot be framed", async () => {
  const { page } = owner;
  await page.goto(asking(newPkce(), "menu:read"));
  await atConsent(page);
  const consentUrl = page.url();
  // Control: a page that may be framed is shown.
  await page.goto(fakeApp.frame(fakeApp.back));
  await page.frameLocator("iframe").getByRole("heading", { name: "Back at the app" }).waitFor();
  for (const address of [consentUrl, `${server.url}${asking(newPkce(), "menu:read")}`]) {
    await page.goto(fakeApp.frame(address));
    const [, frame] = page.frames();
    await frame?.waitForLoadState();
    expect(frame?.url()).toBe("chrome-error://chromewebdata/");
    expect(await page.frameLocator("iframe").getByText("Table Talk").count()).toBe(0);
  }
});

test("an app is allowed in the sandbox, and sees nothing of the venue", async () => {
  const { page } = owner;
  await page.goto(`/console/v/${slug}/apps`);
  expect((await callFrom(page, "POST", `/venues/${slug}/sandbox`, {})).status).toBe(201);
  const pkce = newPkce();
  await page.goto(asking(pkce, "menu:read"));
  await page.getByRole("radio", { name: /Sandbox/ }).check();
  await page.getByText("It sees nothing of your venue.", { exact: false }).waitFor();
  await button(page, "Allow").click();
  const { body } = await exchange((await backAtApp(page)).get("code"), pkce);
  const menus = await fetch(`${server.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${body.access_token}` } });
  expect([menus.status, menus.headers.get("service-sandbox")]).toEqual([200, "true"]);
  await page.goto(`/console/v/${slug}.sandbox/apps`);
  await button(page, "Uninstall Table Talk").waitFor();
  await page.locator(".place-sandbox").waitFor();
});

test("401 on the next request after an app is uninstalled", async () => {
  const { page } = owner;
  const pkce = newPkce();
  await page.goto(asking(pkce, "menu:read"));
  await button(page, "Allow").click();
  const { body } = await exchange((await backAtApp(page)).get("code"), pkce);
  const menus = async () =>
    (await fetch(`${server.url}/api/v1/menus`, { headers: { Authorization: `Bearer ${body.access_token}` } })).status;
  expect(await menus()).toBe(200);
  await page.goto(`/console/v/${slug}/apps`);
  await button(page, "Uninstall Table Talk").click();
  await page.getByText("Its next request is refused.", { exact: false }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Uninstall" }).click();
  await page.getByRole("heading", { name: "No apps installed" }).waitFor();
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

test("an app is registered with a logo, its secret rotated, and withdrawn", async () => {
  const { page, context, faults } = await openInNewContext(browser, server.url);
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
  // A large picture, which is scaled down.
  await page.setInputFiles("input[type=file]", { name: "logo.png", mimeType: "image/png", buffer: await page.screenshot() });
  await dialog.locator("img.app-logo").waitFor();
  const side = await dialog
    .locator("img.app-logo")
    .evaluate((image: HTMLImageElement) => Math.max(image.naturalWidth, image.naturalHeight));
  expect(side).toBe(128);
  await dialog.getByLabel("Redirect address 1").fill(`${fakeApp.back}#part`);
  await dialog.getByLabel(/^Menu: Read/).check();
  await button(page, "Register app").click();
  await page.getByText("Must not have a part behind #.").waitFor();
  await dialog.getByLabel("Redirect address 1").fill(fakeApp.back);
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
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  await page.getByLabel("Now", { exact: true }).check();
  await button(page, "Create a new secret").click();
  const rolled = { ...first, client_secret: await copied(page) };
  await button(page, "Done").click();
  expect([await proves(first), await proves(rolled)]).toEqual([false, true]);
  await button(page, "Actions for Forno").click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  expect(await button(page, "Withdraw for good").isDisabled()).toBe(true);
  await page.getByLabel("Type the app's name to continue").fill("Forno");
  await button(page, "Withdraw for good").click();
  await page.getByRole("heading", { name: "No apps yet" }).waitFor();
  expect(await proves(rolled)).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
