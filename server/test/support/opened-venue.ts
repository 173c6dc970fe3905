/** A venue that its owner opened in the browser, by an operator's invitation. It is not live. */
import type { FirstVenue } from "@comanda/contract/console/sign-up.ts";
import { expect } from "vitest";
import { withoutVenue } from "../../src/admin/command-context.ts";
import { inviteToSignUp } from "../../src/venue/setup/sign-up/service/links.ts";
import { type ConsoleAnswer, consoleCall, PASSWORD } from "./console-client.ts";
import type { TestApp } from "./test-app.ts";

export const FIRST_VENUE: FirstVenue = {
  name: "Chez Zoë",
  currency: "KWD",
  zone: "Asia/Kuwait",
  language: "ar",
  hours: { from: "11:00", to: "01:00", closed: ["fri"] },
  menu: [{ name: { ar: "أطباق", en: "Dishes" }, dishes: [{ name: { ar: "حساء", en: "Soup" }, price_minor: 1250 }] }],
};

export const signUpSecret = async (app: TestApp, email: string): Promise<string> =>
  (await withoutVenue(app.deps, (ctx) => inviteToSignUp(ctx, { email, plan: null, locale: null, days: 7 }, false))).secret ?? "";

type OpenedVenue = { slug: string; cookie: string; post: (path: string, body?: object) => Promise<ConsoleAnswer> };

/** `post`: a call of the owner below the venue's path. */
export const openVenue = async (app: TestApp, email: string, name: string): Promise<OpenedVenue> => {
  const secret = await signUpSecret(app, email);
  const body = { secret, person_name: "Zoë", password: PASSWORD, locale: "en", venue: { ...FIRST_VENUE, name } };
  const opened = await consoleCall(app, "POST", "/sign-up/venue", { body });
  expect(opened.status, opened.text).toBe(201);
  const [slug, cookie] = [opened.body.data.slug, opened.cookie ?? ""];
  return { slug, cookie, post: (path, sent = {}) => consoleCall(app, "POST", `/venues/${slug}${path}`, { body: sent, cookie }) };
};
