/** Every write of the console × every way in that must be shut, out of the table of calls, and counted. */
import { randomBytes } from "node:crypto";
import { consoleEntries } from "@comanda/contract/console.ts";
import { type ConsoleOperation, ROLES, type Role } from "@comanda/contract/console-operation.ts";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, type TestVenue } from "./app.ts";
import { consoleCall, hire, type Options, type TestPerson } from "./console.ts";
import { CONSOLE_BODIES, fingerprint } from "./console-bodies.ts";

let app: TestApp;
let lab: TestVenue;
let people: Record<Role, TestPerson>;
let stranger: TestPerson;
const ids = { token: 0, webhook: 0 };

beforeAll(async () => {
  app = await startApp({ environment: { SECRET_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  const cafe = await app.venue("gulf-cafe");
  const hired = await Promise.all(ROLES.map(async (role) => [role, await hire(app, lab.slug, role)] as const));
  people = Object.fromEntries(hired) as Record<Role, TestPerson>;
  stranger = await hire(app, cafe.slug, "owner");
  const made = async (path: string, body: unknown) => (await people.owner.call("POST", `/venues/${lab.slug}${path}`, { body })).body.data;
  ids.token = (await made("/tokens", CONSOLE_BODIES.createToken)).id;
  ids.webhook = (await made("/webhooks", CONSOLE_BODIES.addWebhook)).id;
  await made(`/webhooks/${ids.webhook}/ping`, {});
});
afterAll(() => app.close());

type Write = (typeof consoleEntries)[number];
const writes: Write[] = consoleEntries.filter(([, { method }]) => method !== "GET");

const lowerRoles = ({ who }: ConsoleOperation): Role[] => (ROLES.includes(who as Role) ? ROLES.slice(ROLES.indexOf(who as Role) + 1) : []);

/** The attempts of each kind and the refusal that each must meet; none where a call has no such way in. */
const KINDS: Record<string, (operation: ConsoleOperation) => { refusal: string; attempts: Options[] }> = {
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
    attempts: path.startsWith("/venues/") ? [{ cookie: stranger.cookie }] : [],
  }),
  "a lower role": (operation) => ({
    refusal: "403 role_required",
    attempts: lowerRoles(operation).map((role) => ({ cookie: people[role].cookie })),
  }),
};

const pathOf = ({ path }: ConsoleOperation): string =>
  path.replace("{venue}", lab.slug).replace("{id}", String(path.includes("/tokens/") ? ids.token : ids.webhook));

type Findings = { combinations: number; without: string[]; requests: number; letIn: string[] };

const tryAll = async (through: TestApp, calls: Write[]): Promise<Findings> => {
  const found: Findings = { combinations: 0, without: [], requests: 0, letIn: [] };
  for (const [id, operation] of calls)
    for (const [kind, waysOf] of Object.entries(KINDS)) {
      const { refusal, attempts } = waysOf(operation);
      if (attempts.length === 0) found.without.push(`${id}: ${kind}`);
      else found.combinations++;
      const before = await fingerprint(app);
      for (const options of attempts) {
        found.requests++;
        const { status, body } = await consoleCall(through, operation.method, pathOf(operation), {
          body: CONSOLE_BODIES[id] ?? {},
          ...options,
        });
        const met = `${status} ${body?.error?.code ?? ""}`.trim();
        if (met !== refusal) found.letIn.push(`${id} with ${kind}: ${met}`);
      }
      if ((await fingerprint(app)) !== before) found.letIn.push(`${id} with ${kind} changed something`);
    }
  return found;
};

test("T8.5 R5.1-05 every write × {no cookie, another origin, a simple type, another restaurant, a lower role} is refused and changes nothing", async () => {
  const { combinations, without, requests, letIn } = await tryAll(app, writes);
  const kinds = Object.keys(KINDS).length;
  console.info(
    `console: ${writes.length} writes × ${kinds} kinds = ${writes.length * kinds}: ${combinations} tried with ${requests} requests, ${letIn.length} let in; ${without.length} have no such way in`,
  );
  expect(letIn).toEqual([]);
  expect(combinations + without.length).toBe(writes.length * kinds);
  // A call before signing in needs no cookie; one of a person is in no restaurant and asks for no role.
  const anyone = writes.filter(([, { who }]) => who === "anyone").length;
  const outside = writes.filter(([, { path }]) => !path.startsWith("/venues/")).length;
  const ofAll = writes.filter(([, { who }]) => who === "staff").length;
  expect(without.length).toBe(anyone + 2 * outside + ofAll);
});

/** What stands in front rewrites every request, as if the protection were not there. */
const behind = (rewrite: (headers: Record<string, string>) => Record<string, string>): TestApp => {
  const inject = (options: InjectOptions) =>
    app.app.http.inject({ ...options, headers: rewrite(options.headers as Record<string, string>) });
  return { ...app, app: { ...app.app, http: { inject } as unknown as TestApp["app"]["http"] } };
};

test("planted: without a look at the origin, at the type or at who it is, writes are let in and found", async () => {
  const calls = writes.filter(([id]) => id === "createToken");
  const kindsLetIn = async (through: TestApp): Promise<string[]> => {
    const { letIn } = await tryAll(through, calls);
    return [...new Set(letIn.filter((text) => !text.includes("changed")).map((text) => /with (.*):/.exec(text)?.[1] ?? ""))];
  };
  expect(await kindsLetIn(behind((headers) => ({ ...headers, "sec-fetch-site": "same-origin" })))).toEqual(["another origin"]);
  expect(await kindsLetIn(behind((headers) => ({ ...headers, "content-type": "application/json" })))).toEqual(["a simple type"]);
  const everybody = behind((headers) => ({ ...headers, cookie: `__Host-comanda=${people.owner.cookie}` }));
  expect(await kindsLetIn(everybody)).toEqual(["no cookie", "another restaurant", "a lower role"]);
});
