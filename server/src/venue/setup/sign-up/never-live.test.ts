/** Sign-up is bounded by network, and a venue that never was live is removed after a month, a week after its owners were warned. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runRound } from "#compose/venue-rounds.ts";
import { changePlanState } from "#platform/tenants/service.ts";
import { consoleCall, PASSWORD } from "../../../../test/support/console-client.ts";
import { FIRST_VENUE, openVenue, signUpSecret } from "../../../../test/support/opened-venue.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { removals, removalWarnings } from "./jobs.ts";
import { goLive } from "./service/opening.ts";

const DAY_MS = 24 * 60 * 60_000;
const OPENED = "2027-01-14T12:00:00Z";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  const environment = {
    SIGN_UP: "open",
    SIGN_UP_PLAN: "complete",
    TRUSTED_PROXIES: "127.0.0.1",
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`,
  };
  app = await startApp({ environment });
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const idOf = async (slug: string): Promise<number | null> => {
  const [row] = await app.database.asOwner<{ id: string }>("select id from restaurants where slug = $1", [slug]);
  return row ? Number(row.id) : null;
};
const noticesTo = (email: string) =>
  app.database.asOwner<{ language: string; subject: string }>(
    "select language, subject from notifications where recipient = $1 and kind = 'venue.removal'",
    [email],
  );
/** Tables with rows of one of these tenants, and how many. */
const rowsOf = async (ids: readonly number[]): Promise<Record<string, number>> => {
  const tables = await app.database.asOwner<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'app' and column_name = 'restaurant_id' and table_name not in ('venue_epochs', 'venue_moves')`,
  );
  const counted = await Promise.all(
    tables.map(async ({ name }): Promise<[string, number]> => {
      const [row] = await app.database.asOwner<{ count: number }>(
        `select count(*)::integer as count from ${name} where restaurant_id = any($1::bigint[])`,
        [ids],
      );
      return [name, row?.count ?? 0];
    }),
  );
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
};
const afterDays = async (days: number): Promise<void> => {
  app.clock.set(new Date(new Date(OPENED).getTime() + days * DAY_MS).toISOString());
  for (const round of [removalWarnings, removals]) await runRound(app.deps, round);
};

test("owners are told a week before, then the venue, its sandbox and all their rows go; others stay", async () => {
  app.clock.set(OPENED);
  const left = await openVenue(app, "left@example.com", "Left Alone");
  const live = await openVenue(app, "live@example.com", "Went Live");
  const held = await openVenue(app, "held@example.com", "Held Back");
  const late = await openVenue(app, "late@example.com", "Late");
  expect((await live.post("/opening/live")).status).toBe(200);
  await forVenue(app.deps, held.slug, (ctx) => changePlanState(ctx, { suspended_at: new Date(ctx.now.getTime() + 1000) }), {
    revokes: true,
  });
  expect((await left.post("/opening/test-order")).status).toBe(201);
  expect((await left.post("/tokens", { name: "mine", scopes: ["menu:read"] })).status).toBe(201);
  expect((await left.post("/webhooks", { url: "https://a.example/", events: ["order.created"] })).status).toBe(201);
  expect((await left.post("/team", { email: "invited@example.com", name: "Ada", role: "owner" })).status).toBe(201);
  const sandbox = await left.post("/sandbox");
  expect(sandbox.body.data.token, sandbox.text).toBeDefined();
  const [ownId, labRows] = [(await idOf(left.slug)) ?? 0, await rowsOf([lab.id])];
  const [ownSandbox] = await app.database.asOwner<{ sandbox_id: string }>("select sandbox_id from sandboxes where restaurant_id = $1", [
    ownId,
  ]);
  const ids = [ownId, Number(ownSandbox?.sandbox_id)];
  await afterDays(22);
  expect(await noticesTo("left@example.com")).toEqual([]);
  await afterDays(23.5);
  await afterDays(24);
  expect(await noticesTo("left@example.com")).toEqual([
    { language: "en", subject: "Left Alone is removed on 2027-02-14 unless you take it live" },
  ]);
  for (const email of ["live@example.com", "held@example.com", "invited@example.com"]) expect(await noticesTo(email)).toEqual([]);
  expect((await forVenue(app.deps, late.slug, goLive, { revokes: true })).is_live).toBe(true);
  await afterDays(30.2);
  expect(Object.keys(await rowsOf(ids))).toContain("orders");
  await afterDays(30.6);
  expect([await rowsOf(ids), await idOf(left.slug)]).toEqual([{}, null]);
  for (const { slug } of [live, held, late]) expect(await idOf(slug)).not.toBeNull();
  expect(await rowsOf([lab.id])).toEqual(labRows);
});

test("a venue that was opened long before is told first and has a week", async () => {
  app.clock.set(OPENED);
  const { slug } = await openVenue(app, "old@example.com", "Old");
  await afterDays(400);
  expect(await idOf(slug)).not.toBeNull();
  await afterDays(406.9);
  expect(await idOf(slug)).not.toBeNull();
  await afterDays(407.1);
  expect(await idOf(slug)).toBeNull();
});

test("links and venues of one IPv4 /24 are counted together, and venues of one address too", async () => {
  const ask = async (n: number, from: string) =>
    (await consoleCall(app, "POST", "/sign-up", { body: { email: `asks-${n}@example.com` }, from })).status;
  const asked = [];
  for (let n = 0; n < 241; n++) asked.push(await ask(n, `198.51.100.${n}`));
  expect([asked.filter((status) => status === 202).length, asked.at(-1), await ask(300, "198.51.101.1")]).toEqual([240, 429, 202]);
  const open = async (n: number, from: string) => {
    const secret = await signUpSecret(app, `opens-${n}@example.com`);
    const body = { secret, person_name: "Zoë", password: PASSWORD, locale: "en", venue: { ...FIRST_VENUE, name: `Many ${n}` } };
    return (await consoleCall(app, "POST", "/sign-up/venue", { body, from })).status;
  };
  const opened = [];
  for (let n = 0; n < 21; n++) opened.push(await open(n, "203.0.113.5"));
  expect([opened.filter((status) => status === 201).length, opened.at(-1), await open(30, "203.0.113.6")]).toEqual([20, 429, 201]);
}, 120_000);
