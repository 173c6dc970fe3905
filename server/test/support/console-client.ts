/** A person at the console: signs in over HTTP, keeps the cookie, and calls as the console's own page does. */
import type { Role } from "@comanda/contract/console/operation.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { expect } from "vitest";
import { withoutVenue } from "../../src/admin/command-context.ts";
import { acceptByProof, addStaff } from "../../src/platform/people/memberships/service.ts";
import { prepareLink, renewLinkSecret, sendInvitation } from "../../src/platform/sign-in/one-time-links/service.ts";
import { forVenue, type TestApp } from "./test-app.ts";

export const PASSWORD = "correct horse battery";

export type ConsoleAnswer = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely.
  body: any;
  text: string;
  headers: Record<string, string | string[] | undefined>;
  cookie: string | null;
  /** The cookie by which accounts know this browser. */
  devices: string | null;
  /** The cookie of a screen. */
  screen: string | null;
};

/** A header that is undefined is not sent. `from` is believed where 127.0.0.1 is a trusted proxy. */
export type ConsoleCallOptions = {
  body?: unknown;
  headers?: Record<string, string | undefined>;
  cookie?: string | null;
  devices?: string | null;
  /** The secret of a paired screen. */
  screen?: string | null;
  from?: string;
};

const OWN_PAGE = { "sec-fetch-site": "same-origin", "content-type": "application/json" };

export const consoleCall = async (
  { app }: TestApp,
  method: string,
  path: string,
  options: ConsoleCallOptions = {},
): Promise<ConsoleAnswer> => {
  const cookies = [
    ...(options.cookie ? [`__Host-comanda=${options.cookie}`] : []),
    ...(options.screen ? [`__Host-comanda-screen=${options.screen}`] : []),
    ...(options.devices ? [`__Host-comanda-devices=${options.devices}`] : []),
  ];
  const headers = {
    ...OWN_PAGE,
    ...(cookies.length > 0 ? { cookie: cookies.join("; ") } : {}),
    ...(options.from === undefined ? {} : { "x-forwarded-for": options.from }),
    ...options.headers,
  };
  const response = await app.http.inject({
    method: method as "GET",
    url: `${CONSOLE_PREFIX}${path}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<string, string>,
    ...(options.body === undefined ? {} : { payload: JSON.stringify(options.body) }),
  });
  const set = [response.headers["set-cookie"]].flat().join("\n");
  return {
    status: response.statusCode,
    text: response.payload,
    body: response.payload === "" ? null : JSON.parse(response.payload),
    headers: response.headers as ConsoleAnswer["headers"],
    cookie: /^__Host-comanda=([^;]*)/m.exec(set)?.[1] ?? null,
    screen: /^__Host-comanda-screen=([^;]*)/m.exec(set)?.[1] ?? null,
    devices: /^__Host-comanda-devices=([^;]*)/m.exec(set)?.[1] ?? null,
  };
};

export const linkFor = (app: TestApp, slug: string, email: string, role: Role): Promise<string> =>
  forVenue(app.deps, slug, async (ctx) => {
    await addStaff(ctx, { email, name: email.split("@")[0] ?? email, role, locale: null });
    const { linkId } = await sendInvitation(ctx, email);
    const fresh = await renewLinkSecret(ctx, linkId);
    if (!fresh) throw new Error("The link is gone");
    return fresh.secret;
  });

export type TestUser = {
  email: string;
  cookie: string;
  devices: string;
  call(method: string, path: string, options?: ConsoleCallOptions): Promise<ConsoleAnswer>;
  /** As the console's page does it: the password is given again when it is asked for. */
  act(method: string, path: string, options?: ConsoleCallOptions): Promise<ConsoleAnswer>;
};

/** Invited, with a password, signed in. */
export const createUser = async (app: TestApp, slug: string, role: Role, email = `${role}@${slug}.example`): Promise<TestUser> => {
  const secret = await linkFor(app, slug, email, role);
  const used = await consoleCall(app, "POST", "/links/use", { body: { secret, password: PASSWORD } });
  expect(used.status, used.text).toBe(201);
  const [cookie, devices] = [used.cookie ?? "", used.devices ?? ""];
  const call: TestUser["call"] = (method, path, options) => consoleCall(app, method, path, { cookie, ...options });
  const act: TestUser["act"] = async (method, path, options) => {
    const answer = await call(method, path, options);
    if (answer.body?.error?.code !== "password_required") return answer;
    const confirmed = await call("POST", "/session/password", { body: { password: PASSWORD } });
    expect(confirmed.status, confirmed.text).toBe(200);
    return call(method, path, options);
  };
  return { email, cookie, devices, call, act };
};

/** Makes a person with an account a member of one more venue, as if they had said yes. */
export const addMember = (app: TestApp, slug: string, email: string, role: Role): Promise<void> =>
  forVenue(app.deps, slug, async (ctx) => {
    await addStaff(ctx, { email, name: email.split("@")[0] ?? email, role, locale: null });
    await acceptByProof(ctx, email);
  });

/** What the worker would do with every request for a link, and the secret of the mail; null when none was to be sent. */
export const requestedLink = async (app: TestApp, email: string): Promise<string | null> => {
  const requests = await app.database.asOwner<{ id: string }>("select id from link_requests");
  for (const { id } of requests) await withoutVenue(app.deps, (ctx) => prepareLink(ctx, Number(id)));
  const [newest] = await app.database.asOwner<{ id: string }>(
    "select id from one_time_links where email = $1 and hash is null and used_at is null order by id desc limit 1",
    [email],
  );
  const fresh = newest && (await withoutVenue(app.deps, (ctx) => renewLinkSecret(ctx, Number(newest.id))));
  return fresh?.secret ?? null;
};
