/**
 * All pairs of OAuth calls that grant or revoke access, at the same time: nothing is left over, and no answer is a 5xx.
 *
 * @every-postgres
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RegisteredClient } from "../../src/platform/programs/apps/service.ts";
import { consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { faultInjectingPool, withoutAccessLocks } from "../support/fault-injection.ts";
import {
  askConsent,
  authorizeUrl,
  type ConsentingOwner,
  credentialsOf,
  exchangeForm,
  FORM,
  type Granted,
  grant,
  type IssuedPair,
  install,
  newApp,
  newPkce,
  postForm,
  refreshForm,
} from "../support/marketplace.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

/** Every other race of a pair is in the other order and with a delay. In the short form each pair races once, every other pair in that way. */
const RACES = process.env.TEST_STRESS ? 24 : 1;
const EACH = process.env.TEST_STRESS ? 3 : 2;
const SCOPES = ["menu:read" as const, "orders:read" as const];
const LIMITS = { OAUTH_RATE_PER_MINUTE: "1000000" };
const STAGGER_MS = 10;

let app: TestApp;
let owner: TestUser;
let approver: ConsentingOwner;

beforeAll(async () => {
  app = await startApp({ environment: LIMITS });
  const { slug } = await app.venue("trattoria");
  owner = await createUser(app, slug, "owner");
  approver = { owner, slug };
});
afterAll(() => app.close());

/** An app with families of tokens, codes not yet exchanged, and consent requests not yet decided. */
type GrantFixture = { client: RegisteredClient; installation: number; codes: Granted[]; pairs: IssuedPair[]; requests: string[] };

const repeat = async <T>(make: () => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (let index = 0; index < EACH; index++) made.push(await make());
  return made;
};

const createGrants = async (): Promise<GrantFixture> => {
  const client = await newApp(app.deps);
  await app.database.asOwner("update apps set user_id = (select id from users where email = $2) where id = $1", [client.id, owner.email]);
  const pairs = await repeat(() => install(app, approver, client, SCOPES));
  const codes = await repeat(() => grant(app, approver, client, SCOPES));
  const requests = await repeat(() => askConsent(app, authorizeUrl(client, newPkce(), { scope: SCOPES.join(" ") })));
  const [row] = await app.database.asOwner<{ id: string }>("select id from installations where app_id = $1", [client.id]);
  return { client, installation: Number(row?.id), codes, pairs, requests };
};

type ActAnswer = { status: number; text: string };
type Act = (world: GrantFixture, through: TestApp) => Promise<ActAnswer>[];

const byHand = (through: TestApp, method: string, path: string, body: object = {}): Promise<ActAnswer> =>
  consoleCall(through, method, path, { cookie: owner.cookie, body });

const decide =
  (scopes: string[]): Act =>
  ({ requests }, through) =>
    requests.map((request) => byHand(through, "POST", `/venues/${approver.slug}/consents`, { request, scopes }));

const revoke =
  (which: "access_token" | "refresh_token"): Act =>
  ({ client, pairs }, through) =>
    pairs.map((pair) => postForm(through, "/oauth/revoke", { token: pair[which], ...credentialsOf(client) }));

const ACTS = {
  allow: decide(SCOPES),
  narrow: decide(SCOPES.slice(1)),
  deny: ({ requests }, through) => requests.map((request) => byHand(through, "POST", "/consents/deny", { request })),
  uninstall: ({ installation }, through) => [byHand(through, "DELETE", `/venues/${approver.slug}/apps/${installation}`)],
  exchange: ({ client, codes }, through) => codes.map((code) => postForm(through, "/oauth/token", exchangeForm(client, code))),
  refresh: ({ client, pairs }, through) =>
    pairs.map(({ refresh_token }) => postForm(through, "/oauth/token", refreshForm(client, refresh_token))),
  "revoke refresh token": revoke("refresh_token"),
  "revoke access token": revoke("access_token"),
  roll: ({ client }, through) => [byHand(through, "POST", `/apps/${client.id}/secret`, { overlap: "now" })],
  change: ({ client }, through) => [byHand(through, "PUT", `/apps/${client.id}`, { ...FORM, scopes: SCOPES.slice(1) })],
  withdraw: ({ client }, through) => [byHand(through, "DELETE", `/apps/${client.id}`)],
} satisfies Record<string, Act>;

/** What must never be: something live under something that has ended, or a scope that the installation has lost. */
const leftOver = async (): Promise<string[]> => {
  const rows = await app.database.asOwner<{ what: string | null }>(`
    select distinct case
        when a.withdrawn_at is not null and i.uninstalled_at is null then 'an installation of a withdrawn app'
        when i.uninstalled_at is not null and g.ended_at is null then 'a grant of what was uninstalled'
        when t.id is not null and (t.revoked_at is null) <> (g.ended_at is null) then 'a token without its grant, or a grant without its token'
        when g.ended_at is null and not (g.scopes <@ i.scopes and coalesce(t.scopes, '{}') <@ g.scopes) then 'a scope that was taken back'
      end as what
    from installations i join apps a on a.id = i.app_id join grants g on g.restaurant_id = i.restaurant_id and g.installation_id = i.id
      left join tokens t on t.restaurant_id = g.restaurant_id and t.id = g.token_id`);
  return rows.flatMap(({ what }) => what ?? []);
};

const race = async (first: Act, second: Act, round: number, through = app): Promise<string[]> => {
  const world = await createGrants();
  const early = first(world, through);
  await sleep(round % 2 === 0 ? 0 : Math.random() * STAGGER_MS);
  const said = await Promise.all([...early, ...second(world, through)]);
  const failed = said.filter(({ status }) => status >= 500).map(({ status, text }) => `${status} ${text}`);
  return [...failed, ...(await leftOver())];
};

test("all pairs: no 5xx, nothing live that has ended, no scope that was taken back", { timeout: 600_000 }, async () => {
  const acts = Object.entries(ACTS);
  const pairs = acts.flatMap(([one, first], index) =>
    acts.slice(index).map(([other, second]) => ({ name: `${one} × ${other}`, first, second })),
  );
  for (const [place, { name, first, second }] of pairs.entries())
    for (let turn = place; turn < place + RACES; turn++)
      expect(await (turn % 2 === 0 ? race(first, second, turn) : race(second, first, turn)), name).toEqual([]);
  console.info(`${pairs.length} pairs × ${RACES} races: 0 × 5xx, nothing left over`);
});

describe("planted", () => {
  type InjectedFault = { from: string; to: string; first: Act; second: Act };

  const isFound = async ({ from, to, first, second }: InjectedFault, fault: string): Promise<boolean> => {
    // The lock on the venue's access would keep the two apart.
    const pool = faultInjectingPool(({ text, values = [] }) => {
      if (text.startsWith("begin")) return { text: withoutAccessLocks(text) };
      return text.includes(from) ? { text: text.replace(from, to), values } : null;
    });
    const server = await startApp({ database: app.database, pool, environment: LIMITS });
    let round = 0;
    const run = async () => (await race(first, second, round++, server)).some((found) => found.startsWith(fault));
    try {
      return await repeatUntilDetected(run, (isDetected) => isDetected, 60);
    } finally {
      await server.close();
    }
  };

  test("a consent that locks the installation's key as well meets an exchange in the wrong order", async () => {
    const plant = { from: "for no key update", to: "for update", first: ACTS.narrow, second: ACTS.exchange };
    expect(await isFound(plant, "503")).toBe(true);
  });
  test("a consent that does not hold the app outlives its withdrawal", async () => {
    const plant = { from: "for share", to: "", first: ACTS.allow, second: ACTS.withdraw };
    expect(await isFound(plant, "an installation of a withdrawn app")).toBe(true);
  });
});
