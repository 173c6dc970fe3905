/** The console API, generated from the table of calls: what it answers to those who belong to a venue, and to others. */
import { randomBytes } from "node:crypto";
import { type ConsoleOperation, ROLES, type Role } from "@comanda/contract/console/operation.ts";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { strictCheck } from "../../../conformance/strict-schema.ts";
import { addEndpoint } from "../../src/platform/events/webhooks/service/endpoints.ts";
import { CONSOLE_BODIES, fillConsolePath, fingerprint, placeLabOrder } from "../support/console-bodies.ts";
import { type ConsoleAnswer, type ConsoleCallOptions, consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let people: Record<Role, TestUser>;
let outsider: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
  const created = await Promise.all(ROLES.map(async (role) => [role, await createUser(app, lab.slug, role)] as const));
  people = Object.fromEntries(created) as Record<Role, TestUser>;
  outsider = await createUser(app, cafe.slug, "owner");
});
afterAll(() => app.close());

const venueCalls = consoleEntries.filter(([, { path }]) => path.startsWith("/venues/"));

const ids = { token: 0, webhook: 0, order: "" };

const pathOf = ({ path }: ConsoleOperation, slug: string): string =>
  fillConsolePath(path, {
    venue: slug,
    id: path.includes("/tokens/") ? ids.token : path.includes("/webhooks/") ? ids.webhook : 1,
    order: ids.order,
  });

const send = (id: string, operation: ConsoleOperation, options: ConsoleCallOptions = {}, slug = lab.slug): Promise<ConsoleAnswer> =>
  consoleCall(app, operation.method, pathOf(operation, slug), {
    ...(operation.method === "GET" ? {} : { body: CONSOLE_BODIES[id] ?? {} }),
    ...options,
  });

beforeAll(async () => {
  ids.order = await placeLabOrder(app, lab);
  ids.token = Number((await app.token(lab.slug)).split("|")[0]);
  ids.webhook = await forVenue(app.deps, lab.slug, async (ctx) => {
    const wanted = { url: "https://example.com/", events: ["order.created"], description: null };
    return (await addEndpoint(ctx, wanted, app.deps.config.encryptionKeys)).endpoint.id;
  });
});

/** Which role may make a call is in `console-access-table.test.ts`. */
test("R5.1-05 D35 every call of a venue answers another venue's owner as if the venue did not exist, and changes nothing", async () => {
  const before = await fingerprint(app);
  for (const [id, operation] of venueCalls) {
    const [foreign, unknown] = [
      await send(id, operation, { cookie: outsider.cookie }),
      await send(id, operation, { cookie: outsider.cookie }, "no-such-venue"),
    ];
    expect([id, foreign.status, foreign.text]).toEqual([id, 404, unknown.text]);
  }
  expect(venueCalls.length).toBeGreaterThan(100);
  expect(await fingerprint(app)).toBe(before);
});

test("every answer has exactly the shape that the contract names", async () => {
  const owner = people.owner;
  const problems: string[] = [];
  const look = async (id: string, options: ConsoleCallOptions = {}): Promise<ConsoleAnswer> => {
    const [, operation] = consoleEntries.find(([name]) => name === id) ?? [];
    if (!operation) throw new Error(id);
    const answer = await send(id, operation, { cookie: owner.cookie, ...options });
    if (answer.status !== operation.success.status) problems.push(`${id}: ${answer.status} ${answer.text}`);
    else problems.push(...strictCheck(operation.success.body)(answer.body).map((fault) => `${id}: ${fault}`));
    return answer;
  };
  const orderOf = async () => {
    const dish = (await app.call(lab.token, "GET", "/items?per_page=100")).body.data.find(
      (item: { name: { en: string } }) => item.name.en === "Plain Plate",
    );
    const body = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: dish.id, quantity: 1 }] };
    expect((await app.call(lab.token, "POST", "/orders", { body })).status).toBe(201);
  };
  await orderOf();
  await look("createToken");
  await look("listTokens");
  await look("readSession");
  await look("listSessions");
  await look("readSandbox");
  await look("openSandbox");
  await look("readSandbox");
  await look("resetSandbox");
  await look("openSandbox");
  await look("checkAddress");
  await look("addWebhook");
  await look("listWebhooks");
  await look("changeWebhook");
  await look("rotateSecret");
  await look("pingWebhook");
  const deliveries = await look("listDeliveries");
  const [delivery] = deliveries.body.data;
  const detail = await owner.call("GET", `/venues/${lab.slug}/deliveries/${delivery.id}`);
  problems.push(...strictCheck(consoleEntries.find(([name]) => name === "readDelivery")?.[1].success.body as never)(detail.body));
  expect(detail.body.data.curl).toMatch(/^curl -i 'https:\/\/example\.com\/' \\\n {2}-H 'Content-Type: application\/json'/);
  await look("listActivity");
  await look("listRequests");
  await look("changeUser");
  await app.database.asOwner("update deliveries set state = 'failed', due_at = null");
  const since = new Date(0).toISOString();
  const dry = await look("countReplays", { body: { failed_at: { webhook: ids.webhook, since } } });
  const done = await look("replayDeliveries", { body: { failed_at: { webhook: ids.webhook, since } } });
  expect(done.body).toEqual(dry.body);
  await look("retryDeliveries", { body: { webhook: ids.webhook } });
  await look("rollToken");
  await look("revokeToken");
  await look("removeWebhook");
  expect(problems).toEqual([]);
});

test("404 for an impossible venue name and for an unknown call", async () => {
  for (const venue of ["%00", `${lab.slug}%00`, "%ef%bf%bd", "%ed%a0%80", "a%2Fb", "a".repeat(101), "%25"])
    for (const path of ["tokens", "apps", "live"]) {
      const { status, body } = await people.owner.call("GET", `/venues/${venue}/${path}`);
      expect([venue, path, status, body.error?.code]).toEqual([venue, path, 404, "not_found"]);
    }
  const stray = await people.owner.call("GET", "/nothing");
  expect([stray.status, stray.body]).toEqual([404, { error: { code: "not_found", message: expect.any(String), details: {} } }]);
});

test("paging by `before` walks the whole activity once", async () => {
  const seen: number[] = [];
  for (let before = ""; ; ) {
    const { body } = await people.manager.call("GET", `/venues/${lab.slug}/activity?rows=3${before}`);
    seen.push(...body.data.map(({ id }: { id: number }) => id));
    if (body.next === null) break;
    before = `&before=${body.next}`;
  }
  const [{ count } = { count: 0 }] = await app.database.asOwner<{ count: number }>(
    "select count(*)::integer from audit_entries where restaurant_id = $1",
    [lab.id],
  );
  expect(seen.length).toBe(count);
  expect(new Set(seen).size).toBe(count);
});
