/** Somebody with a browser, from the invitation on. */
import type { Browser, Locator, Page } from "playwright-core";
import { type Visit, visit } from "./browser.ts";

export const PASSWORD = "four words of the kitchen";

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name, exact: true });

export const accept = async (page: Page, secret: string): Promise<void> => {
  await page.goto(`/console/link#${secret}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await button(page, "Accept and sign in").click();
  await page.waitForURL("**/tokens");
};

export const signIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Sign in").click();
};

/** With the secret of an invitation, in a browser of their own. */
export const enter = async (browser: Browser, { url }: { url: string }, secret: string): Promise<Visit> => {
  const visitor = await visit(browser, url);
  await accept(visitor.page, secret);
  return visitor;
};

/** A call of the console from a page that is signed in. */
export const callFrom = (page: Page, method: "GET" | "POST", path: string, body: object = {}): Promise<{ status: number; json: unknown }> =>
  page.evaluate(
    async (asked) => {
      const writing = asked.method === "GET" ? {} : { headers: { "Content-Type": "application/json" }, body: asked.body };
      const answer = await fetch(`/console/api${asked.path}`, { method: asked.method, ...writing });
      return { status: answer.status, json: (await answer.json()) as unknown };
    },
    { method, path, body: JSON.stringify(body) },
  );
