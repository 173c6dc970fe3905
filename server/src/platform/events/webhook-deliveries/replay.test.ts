/** Replay of several deliveries of the log: those that can be replayed are, and the dry run counts the same ones. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../../test/support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { removeEndpoint, sendPing } from "./service/endpoints.ts";
import { countReplayable, replayDeliveries } from "./service/resend.ts";

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let owner: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
  owner = await createUser(app, lab.slug, "owner");
});
afterAll(() => app.close());

const deliveryTo = async ({ slug }: TestVenue, state: string, isRemoved = false): Promise<number> => {
  const wanted = { url: "https://example.com/", events: ["order.created"], description: null };
  const endpointId = await forVenue(app.deps, slug, async (ctx) => {
    const { endpoint } = await addEndpoint(ctx, wanted, app.deps.config.encryptionKeys);
    await sendPing(ctx, endpoint.id);
    return endpoint.id;
  });
  const due = state === "waiting" || state === "ready" ? "now()" : "null";
  const [row] = await app.database.asOwner<{ id: string }>(
    `update deliveries set state = $2, due_at = ${due}, attempts = 6 where endpoint_id = $1 returning id`,
    [endpointId, state],
  );
  if (isRemoved) await forVenue(app.deps, slug, (ctx) => removeEndpoint(ctx, endpointId));
  return Number(row?.id);
};

let ids: number[];
const REPLAYABLE = 2;

beforeEach(async () => {
  await app.database.asOwner("update webhook_endpoints set removed_at = now() where removed_at is null");
  ids = [];
  for (const state of ["done", "failed", "ready", "waiting", "held"]) ids.push(await deliveryTo(lab, state));
  ids.push(await deliveryTo(lab, "failed", true));
});

const replay = (wanted: object) => owner.call("POST", `/venues/${lab.slug}/deliveries/replay`, { body: wanted });
const countReplays = (wanted: object) => owner.call("POST", `/venues/${lab.slug}/deliveries/replay-count`, { body: wanted });
const rowsOf = () =>
  app.database.asOwner<{ state: string; cycle: number }>(
    "select state, cycle, attempts, due_at from deliveries where id = any($1) order by id",
    [ids],
  );

const EXPECTED = { count: REPLAYABLE, on_the_way: 3, removed: 1 };

test("R6.1-10 D182 of several, those that have ended are replayed; the others are only counted", async () => {
  const before = await rowsOf();
  const dry = await countReplays({ ids });
  expect([dry.status, dry.body.data]).toEqual([200, EXPECTED]);
  expect(await rowsOf()).toEqual(before);
  // A repeated id counts once.
  expect((await replay({ ids: [...ids, ...ids] })).body.data).toEqual(EXPECTED);
  const after = await rowsOf();
  expect(after.map(({ state, cycle }) => `${state} ${cycle}`)).toEqual([
    "ready 2",
    "ready 2",
    "ready 1",
    "waiting 1",
    "held 1",
    "failed 1",
  ]);
  expect(after.slice(REPLAYABLE)).toEqual(before.slice(REPLAYABLE));
  expect((await countReplays({ ids })).body.data).toEqual({ count: 0, on_the_way: 5, removed: 1 });
  expect((await replay({ ids })).body.data).toEqual({ count: 0, on_the_way: 5, removed: 1 });
  const entries = await app.database.asOwner<{ id: number }>(
    "select (after->>'delivery')::bigint as id from audit_entries where action = 'webhook.replayed' and (after->>'delivery')::bigint = any($1)",
    [ids],
  );
  expect(entries.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(ids.slice(0, REPLAYABLE));
});

test("an unknown id, or one of another venue, refuses all and changes nothing", async () => {
  const before = await rowsOf();
  const foreign = await deliveryTo(cafe, "failed");
  for (const stray of [foreign, 999_999_999])
    for (const act of [countReplays, replay]) {
      const answer = await act({ ids: [...ids, stray] });
      expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"]);
    }
  expect(await rowsOf()).toEqual(before);
});

test("planted fault: a count that ignores the state differs from the replay", async () => {
  const pool = faultInjectingPool((statement) =>
    statement.text.includes("as is_ended") ? { ...statement, text: statement.text.replace("d.state in ('done', 'failed')", "true") } : null,
  )(app.deps.config);
  const dry = await forVenue({ ...app.deps, pool }, lab.slug, (ctx) => countReplayable(ctx, ids));
  await pool.end();
  const real = await forVenue(app.deps, lab.slug, (ctx) => replayDeliveries(ctx, ids));
  expect(real).toEqual(EXPECTED);
  expect(dry).not.toEqual(real);
});

test("a user has thirty calls a minute", async () => {
  const other = await createUser(app, lab.slug, "owner", "many@example.com");
  const path = `/venues/${lab.slug}/deliveries/replay-count`;
  const statuses: number[] = [];
  for (let count = 0; count <= 30; count++) statuses.push((await other.call("POST", path, { body: { ids } })).status);
  expect(statuses).toEqual([...Array(30).fill(200), 429]);
});
