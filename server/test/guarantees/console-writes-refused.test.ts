/** Every write of the console × every access that must be refused, out of the table of calls, and counted. */
import { randomBytes } from "node:crypto";
import { type ConsoleOperation, ROLES, type Role } from "@comanda/contract/console/operation.ts";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSOLE_BODIES, fillConsolePath, fingerprint, placeLabOrder } from "../support/console-bodies.ts";
import { type ConsoleCallOptions, consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let people: Record<Role, TestUser>;
let outsider: TestUser;
const ids = { token: 0, webhook: 0, order: "" };

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  const cafe = await app.venue("gulf-cafe");
  const created = await Promise.all(ROLES.map(async (role) => [role, await createUser(app, lab.slug, role)] as const));
  people = Object.fromEntries(created) as Record<Role, TestUser>;
  outsider = await createUser(app, cafe.slug, "owner");
  const made = async (path: string, body: unknown) => (await people.owner.call("POST", `/venues/${lab.slug}${path}`, { body })).body.data;
  ids.token = (await made("/tokens", CONSOLE_BODIES.createToken)).id;
  ids.webhook = (await made("/webhooks", CONSOLE_BODIES.addWebhook)).id;
  await made(`/webhooks/${ids.webhook}/ping`, {});
  ids.order = await placeLabOrder(app, lab);
});
afterAll(() => app.close());

type ConsoleWriteEntry = (typeof consoleEntries)[number];
const writes: ConsoleWriteEntry[] = consoleEntries.filter(([, { method }]) => method !== "GET");

const lowerRoles = ({ who }: ConsoleOperation): Role[] => (ROLES.includes(who as Role) ? ROLES.slice(ROLES.indexOf(who as Role) + 1) : []);

/** The attempts of each kind and the refusal that each must meet; none where a call has no such way in. */
const KINDS: Record<string, (operation: ConsoleOperation) => { refusal: string; attempts: ConsoleCallOptions[] }> = {
  "no cookie": ({ who }) => ({
    refusal: "401 signed_out",
    attempts: who === "anyone" ? [] : [null, "x", "0".repeat(43), `${people.owner.cookie}x`].map((cookie) => ({ cookie })),
  }),
  "another origin": () => ({
    refusal: "403 cross_site",
    attempts: [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": undefined, origin: "https://evil.example" },
      { "sec-fetch-site": undefined, origin: "null" },
      { "sec-fetch-site": undefined },
    ].map((headers) => ({ cookie: people.owner.cookie, headers })),
  }),
  "a simple type": () => ({
    refusal: "403 cross_site",
    attempts: [
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain",
      "text/plain; application/json",
      undefined,
    ].map((type) => ({ cookie: people.owner.cookie, headers: { "content-type": type } })),
  }),
  "another restaurant": ({ path }) => ({
    refusal: "404 not_found",
    attempts: path.startsWith("/venues/") ? [{ cookie: outsider.cookie }] : [],
  }),
  "a lower role": (operation) => ({
    refusal: "403 role_required",
    attempts: lowerRoles(operation).map((role) => ({ cookie: people[role].cookie })),
  }),
};

const pathOf = ({ path }: ConsoleOperation): string =>
  fillConsolePath(path, { venue: lab.slug, id: path.includes("/tokens/") ? ids.token : ids.webhook, order: ids.order });

type RefusalFindings = { combinations: number; without: string[]; requests: number; accepted: string[] };

const tryAll = async (through: TestApp, calls: ConsoleWriteEntry[]): Promise<RefusalFindings> => {
  const found: RefusalFindings = { combinations: 0, without: [], requests: 0, accepted: [] };
  let before = await fingerprint(app);
  for (const [id, operation] of calls)
    for (const [kind, waysOf] of Object.entries(KINDS)) {
      const { refusal, attempts } = waysOf(operation);
      if (attempts.length === 0) found.without.push(`${id}: ${kind}`);
      else found.combinations++;
      for (const options of attempts) {
        found.requests++;
        const { status, body } = await consoleCall(through, operation.method, pathOf(operation), {
          body: CONSOLE_BODIES[id] ?? {},
          ...options,
        });
        const met = `${status} ${body?.error?.code ?? ""}`.trim();
        if (met !== refusal) found.accepted.push(`${id} with ${kind}: ${met}`);
      }
      if (attempts.length === 0) continue;
      const after = await fingerprint(app);
      if (after !== before) found.accepted.push(`${id} with ${kind} changed something`);
      before = after;
    }
  return found;
};

test("R5.1-05 every write × {no cookie, another origin, a simple type, another restaurant, a lower role} is refused and changes nothing", async () => {
  const { combinations, without, requests, accepted } = await tryAll(app, writes);
  const kinds = Object.keys(KINDS).length;
  console.info(
    `console: ${writes.length} writes × ${kinds} kinds = ${writes.length * kinds}: ${combinations} tried with ${requests} requests, ${accepted.length} accepted; ${without.length} not applicable`,
  );
  expect(accepted).toEqual([]);
  expect(combinations + without.length).toBe(writes.length * kinds);
  // A call before signing in needs no cookie; one of a person is in no restaurant and asks for no role.
  const anyone = writes.filter(([, { who }]) => who === "anyone").length;
  const outside = writes.filter(([, { path }]) => !path.startsWith("/venues/")).length;
  const ofAll = writes.filter(([, { who }]) => who === "staff" || who === "invited").length;
  expect(without.length).toBe(anyone + 2 * outside + ofAll);
});

/** What stands in front rewrites every request, as if the protection were not there. */
const behind = (rewrite: (headers: Record<string, string>) => Record<string, string>): TestApp => {
  const inject = (options: InjectOptions) =>
    app.app.http.inject({ ...options, headers: rewrite(options.headers as Record<string, string>) });
  return { ...app, app: { ...app.app, http: { inject } as unknown as TestApp["app"]["http"] } };
};

test("planted: without the check of origin, content type or session, writes are accepted and found", async () => {
  const calls = writes.filter(([id]) => id === "createToken");
  const kindsLetIn = async (through: TestApp): Promise<string[]> => {
    const { accepted } = await tryAll(through, calls);
    return [...new Set(accepted.filter((text) => !text.includes("changed")).map((text) => /with (.*):/.exec(text)?.[1] ?? ""))];
  };
  expect(await kindsLetIn(behind((headers) => ({ ...headers, "sec-fetch-site": "same-origin" })))).toEqual(["another origin"]);
  expect(await kindsLetIn(behind((headers) => ({ ...headers, "content-type": "application/json" })))).toEqual(["a simple type"]);
  const everybody = behind((headers) => ({ ...headers, cookie: `__Host-comanda=${people.owner.cookie}` }));
  expect(await kindsLetIn(everybody)).toEqual(["no cookie", "another restaurant", "a lower role"]);
});
