/** Signing in, and calls from a signed-in page. */
import type { Browser, Locator, Page } from "playwright-core";
import { type OpenedPage, openInNewContext } from "./browser.ts";

export const PASSWORD = "four words of the kitchen";

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });

/** Tests of the invitation's form use it. */
export const acceptInvitationByForm = async (page: Page, secret: string): Promise<void> => {
  await page.goto(`/console/link#${secret}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await button(page, "Accept and sign in").click();
  await page.waitForURL("**/orders");
};

/** As the form does, from a picture of the console: its first page costs a second of the processor. */
export const acceptInvitation = async (page: Page, secret: string): Promise<void> => {
  await page.goto("/console/mark.svg");
  const { status } = await callFrom(page, "POST", "/links/use", { secret, password: PASSWORD });
  if (status !== 201) throw new Error(`The invitation was answered with ${status}.`);
};

export const signIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Sign in").click();
};

/** Accepts an invitation in a new browser context. */
export const signInByInvitation = async (browser: Browser, { url }: { url: string }, secret: string): Promise<OpenedPage> => {
  const opened = await openInNewContext(browser, url);
  await acceptInvitation(opened.page, secret);
  return opened;
};

/** Calls a console operation from a signed-in page. */
export const callFrom = (
  page: Page,
  method: "GET" | "POST" | "PATCH",
  path: string,
  body: object = {},
): Promise<{ status: number; json: unknown }> =>
  page.evaluate(
    async (asked) => {
      const writing = asked.method === "GET" ? {} : { headers: { "Content-Type": "application/json" }, body: asked.body };
      const answer = await fetch(`/console/api${asked.path}`, { method: asked.method, ...writing });
      return { status: answer.status, json: (await answer.json()) as unknown };
    },
    { method, path, body: JSON.stringify(body) },
  );
