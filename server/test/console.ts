/** A person at the console: signs in over HTTP, keeps the cookie, and calls as the console's own page does. */
import type { Role } from "@comanda/contract/console-operation.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console-operation.ts";
import { expect } from "vitest";
import { freshenLink, invite } from "../src/platform/people/service.ts";
import { addStaff } from "../src/platform/staff/service.ts";
import { forVenue, type TestApp } from "./app.ts";

export const PASSWORD = "correct horse battery";

export type ConsoleAnswer = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely.
  body: any;
  text: string;
  headers: Record<string, string | string[] | undefined>;
  cookie: string | null;
};

/** A header that is undefined is not sent. */
export type Options = { body?: unknown; headers?: Record<string, string | undefined>; cookie?: string | null };

const OWN_PAGE = { "sec-fetch-site": "same-origin", "content-type": "application/json" };

export const consoleCall = async ({ app }: TestApp, method: string, path: string, options: Options = {}): Promise<ConsoleAnswer> => {
  const headers = { ...OWN_PAGE, ...(options.cookie ? { cookie: `__Host-comanda=${options.cookie}` } : {}), ...options.headers };
  const response = await app.http.inject({
    method: method as "GET",
    url: `${CONSOLE_PREFIX}${path}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<string, string>,
    ...(options.body === undefined ? {} : { payload: JSON.stringify(options.body) }),
  });
  const set = [response.headers["set-cookie"]].flat()[0];
  return {
    status: response.statusCode,
    text: response.payload,
    body: response.payload === "" ? null : JSON.parse(response.payload),
    headers: response.headers as ConsoleAnswer["headers"],
    cookie: set === undefined ? null : (/^__Host-comanda=([^;]*)/.exec(set)?.[1] ?? null),
  };
};

export const linkFor = (app: TestApp, slug: string, email: string, role: Role): Promise<string> =>
  forVenue(app.deps, slug, async (ctx) => {
    await addStaff(ctx, { email, name: email.split("@")[0] ?? email, role, locale: null });
    const { linkId } = await invite(ctx, email);
    const fresh = await freshenLink(ctx, linkId);
    if (!fresh) throw new Error("The link is gone");
    return fresh.secret;
  });

export type TestPerson = { email: string; cookie: string; call(method: string, path: string, options?: Options): Promise<ConsoleAnswer> };

/** Invited, with a password, signed in. */
export const hire = async (app: TestApp, slug: string, role: Role, email = `${role}@${slug}.example`): Promise<TestPerson> => {
  const secret = await linkFor(app, slug, email, role);
  const used = await consoleCall(app, "POST", "/links/use", { body: { secret, password: PASSWORD } });
  expect(used.status, used.text).toBe(201);
  const cookie = used.cookie ?? "";
  return { email, cookie, call: (method, path, options) => consoleCall(app, method, path, { cookie, ...options }) };
};
