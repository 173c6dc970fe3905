/** A venue has at most 100 active tokens, because each has its own rate limit. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../../test/support/fault-injection.ts";
import { addToken } from "../../../../test/support/many-tokens.ts";
import { install, newApp } from "../../../../test/support/marketplace.ts";
import { repeatUntilDetected } from "../../../../test/support/repeat-until-detected.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createToken } from "./service.ts";

const LIVE_MAX = 100;
const WANTED = { kind: "api" as const, name: "one of many", scopes: ["menu:read" as const], ratePerMinute: null, expiresAt: null };
const REFUSAL = { name: ["A venue has at most 100 active tokens: revoke one first."] };

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { OAUTH_RATE_PER_MINUTE: "100000" } });
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner");
});
afterAll(() => app.close());
beforeEach(() => app.database.asOwner("update tokens set revoked_at = now() where kind = 'api' and revoked_at is null"));

const fill = (count: number): Promise<number[]> =>
  forVenue(app.deps, lab.slug, async (ctx) => {
    const ids: number[] = [];
    for (let index = 0; index < count; index++) ids.push((await addToken(ctx, WANTED)).id);
    return ids;
  });
const create = () => owner.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "one more", scopes: ["menu:read"] } });
const countLive = async (): Promise<number> =>
  (
    await app.database.asOwner("select from tokens where kind = 'api' and revoked_at is null and (expires_at is null or expires_at > $1)", [
      app.clock.now(),
    ])
  ).length;

test("422 with a message for token 101; a revoked or expired token frees a place", async () => {
  const [first = 0, second = 0] = await fill(LIVE_MAX - 1);
  expect((await create()).status).toBe(201);
  const refused = await create();
  expect([refused.status, refused.body.error.details]).toEqual([422, REFUSAL]);
  await owner.call("DELETE", `/venues/${lab.slug}/tokens/${first}`);
  expect((await create()).status).toBe(201);
  await app.database.asOwner("update tokens set expires_at = $2 where id = $1", [second, app.clock.now()]);
  expect([(await create()).status, (await create()).status]).toEqual([201, 422]);
});

test("at the limit a token can be replaced at once but not with an overlap, and apps can still be allowed", async () => {
  const [id = 0] = await fill(LIVE_MAX);
  const roll = (overlap: string) => owner.call("POST", `/venues/${lab.slug}/tokens/${id}/roll`, { body: { overlap } });
  expect((await roll("24h")).status).toBe(422);
  expect((await roll("now")).status).toBe(201);
  await install(app, { owner, slug: lab.slug }, await newApp(app.deps));
  expect(await countLive()).toBe(LIVE_MAX);
});

const atOnce = async (target: TestApp): Promise<number> => {
  await app.database.asOwner("update tokens set revoked_at = now() where kind = 'api' and revoked_at is null");
  await fill(LIVE_MAX - 1);
  await Promise.allSettled(Array.from({ length: 8 }, () => forVenue(target.deps, lab.slug, (ctx) => createToken(ctx, WANTED))));
  return countLive();
};

test("of concurrent creations one gets the last place", async () => {
  expect(await atOnce(app)).toBe(LIVE_MAX);
});

test("planted fault: without the lock more than one gets it", async () => {
  const unlocked = faultInjectingPool(({ text }) => (/from restaurants .* for no key update/s.test(text) ? { text: "select 1" } : null));
  const careless = await startApp({ database: app.database, pool: unlocked });
  const live = await repeatUntilDetected(
    () => atOnce(careless),
    (count) => count > LIVE_MAX,
  );
  expect(live).toBeGreaterThan(LIVE_MAX);
  await careless.close();
});
