/** T3.1, T3.6: fifty at once with one code or one refresh token, over two processes: one gets through, and nothing is left over. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RegisteredClient } from "../../src/platform/programs/apps/service.ts";
import { createUser } from "../support/console-client.ts";
import { faultInjectingPool, withoutAccessLocks } from "../support/fault-injection.ts";
import {
  type ConsentingOwner,
  exchangeForm,
  grant,
  type IssuedPair,
  install,
  newApp,
  post,
  postForm,
  refreshForm,
} from "../support/marketplace.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const AT_ONCE = 50;
const CODE_ROUNDS = process.env.TEST_STRESS ? 200 : 3;
const REFRESH_ROUNDS = process.env.TEST_STRESS ? 500 : 6;
const FAMILIES = process.env.TEST_STRESS ? 5 : 2;
const LIMITS = { OAUTH_RATE_PER_MINUTE: "1000000", RATE_PER_MINUTE: "1000000" };

let app: TestApp;
let fleet: Fleet;
let client: RegisteredClient;
let approver: ConsentingOwner;

beforeAll(async () => {
  app = await startApp({ environment: LIMITS });
  // Codes and tokens are judged by the clock of the processes that are stormed.
  app.clock.set(new Date().toISOString());
  const { slug } = await app.venue("trattoria");
  approver = { owner: await createUser(app, slug, "owner"), slug };
  client = await newApp(app.deps);
  fleet = await createFleet(app.database.appUrl, LIMITS);
  await Promise.all([fleet.start(), fleet.start()]);
});
afterAll(async () => {
  await fleet?.close();
  await app?.close();
});

type RaceAnswer = { status: number; body: IssuedPair & { error?: string } };
type SendForm = (form: URLSearchParams) => Promise<RaceAnswer>;

const overTheWire: SendForm = async (form) => {
  const answer = await fetch(`http://127.0.0.1:${fleet.port}/oauth/token`, { method: "POST", body: form });
  return { status: answer.status, body: (await answer.json()) as RaceAnswer["body"] };
};

const formOf = (values: Record<string, string | undefined>): URLSearchParams => new URLSearchParams(values as Record<string, string>);

const ask = (how: SendForm, values: Record<string, string | undefined>, times: number): Promise<RaceAnswer[]> =>
  Promise.all(Array.from({ length: times }, () => how(formOf(values))));

const count = (answers: RaceAnswer[]) => ({
  successes: answers.filter(({ status }) => status === 200).length,
  refused: answers.filter(({ status, body }) => status === 400 && body.error === "invalid_grant").length,
});

const menuStatus = async (token: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${fleet.port}/api/v1/menus`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Live tokens of apps that no live grant knows of, and live grants whose token is gone. */
const orphans = async (): Promise<number> => {
  const [row] = await app.database.asOwner<{ count: number }>(`
    select count(*)::integer as count from tokens t full join grants g on g.restaurant_id = t.restaurant_id and g.token_id = t.id
    where (t.kind = 'oauth' and t.revoked_at is null and (g.id is null or g.ended_at is not null))
       or (g.token_id is not null and g.ended_at is null and (t.id is null or t.revoked_at is not null))`);
  return row?.count ?? -1;
};

describe("one code", () => {
  test(`${AT_ONCE} exchanges at once: one succeeds, and as the others used it too, its tokens are ended`, async () => {
    let [successes, refused] = [0, 0];
    for (let round = 0; round < CODE_ROUNDS; round++) {
      app.clock.set(new Date().toISOString());
      const answers = await ask(overTheWire, exchangeForm(client, await grant(app, approver, client)), AT_ONCE);
      const counted = count(answers);
      expect([counted.successes, counted.refused], JSON.stringify(answers.map(({ status }) => status))).toEqual([1, AT_ONCE - 1]);
      const winner = answers.find(({ status }) => status === 200)?.body as IssuedPair;
      expect(await menuStatus(winner.access_token)).toBe(401);
      expect((await overTheWire(formOf(refreshForm(client, winner.refresh_token)))).body.error).toBe("invalid_grant");
      successes += counted.successes;
      refused += counted.refused;
    }
    expect(await orphans()).toBe(0);
    console.info(`codes: ${CODE_ROUNDS} rounds × ${AT_ONCE}: ${successes} successes, ${refused} refused, 0 ≥ 500, 0 orphans`);
  });
});

describe("one refresh token", () => {
  test("2, 5 and 50 refreshes at once: one succeeds, and the grant stays valid", async () => {
    app.clock.set(new Date().toISOString());
    const families = await Promise.all(Array.from({ length: FAMILIES }, () => install(app, approver, client)));
    let refused = 0;
    for (let round = 0; round < REFRESH_ROUNDS; round++) {
      const times = [2, 5, AT_ONCE][round % 3] ?? AT_ONCE;
      const index = round % FAMILIES;
      const before = families[index] as IssuedPair;
      const answers = await ask(overTheWire, refreshForm(client, before.refresh_token), process.env.TEST_STRESS ? AT_ONCE : times);
      const counted = count(answers);
      expect([counted.successes, counted.refused], JSON.stringify(answers)).toEqual([1, answers.length - 1]);
      families[index] = answers.find(({ status }) => status === 200)?.body as IssuedPair;
      refused += counted.refused;
      expect(await menuStatus(before.access_token)).toBe(401);
    }
    for (const { access_token } of families) expect(await menuStatus(access_token)).toBe(200);
    expect(await orphans()).toBe(0);
    console.info(`refreshes: ${REFRESH_ROUNDS} rounds: one success each, ${refused} refused, 0 ≥ 500, 0 orphans`);
  });
});

describe("planted: neither the grant nor access is locked", () => {
  let careless: TestApp;
  beforeAll(async () => {
    // Exchanges of one venue also come one after the other by the lock on its access; either lock alone would do here.
    const pool = faultInjectingPool(({ text, values = [] }) => {
      if (text.startsWith("begin")) return { text: withoutAccessLocks(text) };
      return text.includes("from grants") && text.includes("for update") ? { text: text.replace("for update", ""), values } : null;
    });
    careless = await startApp({ database: app.database, pool, environment: LIMITS });
    careless.clock.set(new Date().toISOString());
  });
  afterAll(() => careless.close());
  const inProcess: SendForm = async (form) =>
    post(careless, "/oauth/token", form.toString(), { "content-type": "application/x-www-form-urlencoded" });

  test("several get through with one code", async () => {
    const run = async () => count(await ask(inProcess, exchangeForm(client, await grant(app, approver, client)), AT_ONCE)).successes;
    expect(await repeatUntilDetected(run, (successes) => successes > 1)).toBeGreaterThan(1);
    expect(await orphans()).toBeGreaterThan(0);
  });
  test("several get through with one refresh token", async () => {
    const run = async () => {
      const pair = (await postForm(app, "/oauth/token", exchangeForm(client, await grant(app, approver, client)))).body as IssuedPair;
      return count(await ask(inProcess, refreshForm(client, pair.refresh_token), AT_ONCE)).successes;
    };
    expect(await repeatUntilDetected(run, (successes) => successes > 1)).toBeGreaterThan(1);
  });
});
