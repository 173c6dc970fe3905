/**
 * Gift cards, tickets, stock, shifts and reviews while servers, workers and PostgreSQL are killed: what was acknowledged is stored once, with
 * one event. `TEST_KILLS=500 npm test -- trade-kills` has the long form.
 *
 * @long
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeLabOrder } from "../support/console-bodies.ts";
import { createUser } from "../support/console-client.ts";
import { experienceTools } from "../support/experiences.ts";
import { API, createFleet, type Fleet, type Program, WORKER } from "../support/processes.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { newEncryptionKeys, sentLink, switchReviewsOn } from "../support/review-links.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { shiftTools } from "../support/shifts.ts";
import { stockTools } from "../support/stock.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { type CrashingPostgres, startCrashingPostgres } from "./process-kills/crashing-postgres.ts";
import { type EachKindSettings, type Kills, killAtRandom, killEachKind, killsOf } from "./process-kills/killer.ts";
import { startSupervisor } from "./process-kills/supervisor.ts";
import { differences } from "./process-kills/verifier.ts";
import { readEffects } from "./trade-kills/stored-effects.ts";
import { startTradeWriters, type TradeGround, type TradeLog, type TradeWriters } from "./trade-kills/writers.ts";

const IS_LONG = Boolean(process.env.TEST_KILLS ?? process.env.TEST_STRESS);
const KILLS = Number(process.env.TEST_KILLS ?? (IS_LONG ? 500 : 20));
const SECONDS = 1800;
const TIMEOUT_MS = (IS_LONG ? SECONDS + 300 : 300) * 1000;
const LINKS = IS_LONG ? 400 : 20;
const KINDS = 6;
const PLANTED_KILLS = 6;
const PLANTED_SECONDS = 8;
const PLANTED_RUNS_MAX = 3;
const ENCRYPTION_KEYS = newEncryptionKeys();
const RATES = { CONSOLE_RATE_PER_MINUTE: "1000000", PAGE_RATE_PER_MINUTE: "1000000", TRUSTED_PROXIES: "127.0.0.1" };

let postgres: CrashingPostgres;
let fleet: Fleet;

beforeAll(async () => {
  postgres = await startCrashingPostgres();
  fleet = await createFleet(postgres.database.appUrl, { ...RATES, ENCRYPTION_KEYS, SHUTDOWN_GRACE_MS: "0", DEADLINE_MS: "2000" });
  // A process that exits normally leaves its compile cache for those that are killed.
  if (IS_LONG) for (const program of [API, WORKER]) await (await fleet.start({}, program)).stop();
}, 120_000);
afterAll(async () => {
  // Whichever of them was reached.
  await (fleet as Fleet | undefined)?.close();
  await (postgres as CrashingPostgres | undefined)?.close();
});

const reviewLinksOf = async (app: TestApp, venue: TestVenue, count: number): Promise<TradeGround["reviewLinks"]> => {
  const links: TradeGround["reviewLinks"] = [];
  while (links.length < count) {
    const orderId = await placeLabOrder(app, venue, { customer_phone: `+1 555 8${String(links.length).padStart(6, "0")}` });
    links.push({ orderId, path: await sentLink(app, venue, { order: orderId }) });
  }
  return links;
};

const openGround = async (name: string, links: number): Promise<TradeGround & { venueId: number }> => {
  const app = await startApp({ database: postgres.database, environment: { ...RATES, ENCRYPTION_KEYS } });
  app.clock.set(new Date().toISOString());
  const venue = await app.venue("lab", (file) => {
    file.restaurant.slug = name;
  });
  await switchReviewsOn(app, venue);
  const manager = await createUser(app, venue.slug, "manager", `max@${name}.example`);
  const [stock, shifts, experiences] = [
    await stockTools(app, venue, manager),
    await shiftTools(app, venue, manager),
    experienceTools(app, venue, manager),
  ];
  const ingredient = await stock.add({ name: { en: "Flour" }, par_levels: [{ branch: "main", level: 10 }] });
  const date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const sessions = await experiences.plan((await experiences.add()).id, { date, capacity: 1000, weeks: 10 });
  const { data } = (await app.call(venue.token, "GET", "/items?per_page=100")).body;
  const dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const ground = {
    venueId: venue.id,
    port: fleet.port,
    slug: venue.slug,
    cookie: manager.cookie,
    orderId: await placeLabOrder(app, venue, { lines: [{ item_id: dish, quantity: 50 }] }),
    sessionIds: sessions.map(({ id }) => id),
    branchId: stock.branchId,
    ingredientId: ingredient.id,
    // A person who has not accepted gets no mails, so the limit of mails refuses no publication.
    staffId: (await shifts.week(date)).people.find(({ has_accepted }) => !has_accepted)?.id ?? 0,
    reviewLinks: await reviewLinksOf(app, venue, links),
  };
  await app.close();
  return ground;
};

type TradeRun = { kills: Kills; log: TradeLog; lost: string[]; doubled: string[]; seconds: number };
/** `secondsMax`: kills at random for so long; null: one of each kind. */
type TradePlan = { name: string; killsMax: number; secondsMax: number | null; links: number; api: Program };

/** The kinds of the expected events. */
const kindsOf = ({ expected }: TradeLog): Set<string> => new Set(expected.flatMap((effect) => /^event (\S+)/.exec(effect)?.[1] ?? []));

const killEach = async (settings: Omit<EachKindSettings, "work">, { log }: TradeWriters): Promise<Kills> => {
  const done = (): number => log.acknowledged;
  const kills = await killEachKind({
    ...settings,
    work: {
      api: { isUnderWay: () => log.open > 0, done, wasInterrupted: () => log.repeated > 0 },
      // A worker has nothing to do with these writes.
      worker: { isUnderWay: () => true, done, wasInterrupted: () => true },
    },
  });
  while (kindsOf(log).size < KINDS && log.strange.length === 0) await sleep(20);
  return kills;
};

const runTrade = async ({ name, killsMax, secondsMax, links, api }: TradePlan): Promise<TradeRun> => {
  const ground = await openGround(name, links);
  const before = await readEffects(postgres.database, ground.venueId);
  const crew = await startSupervisor({
    fleet,
    postgres,
    programs: { api, worker: WORKER },
    environment: () => ({}),
    ...(secondsMax === null ? { processes: ["api", "worker"] } : {}),
  });
  const writers = startTradeWriters(ground);
  try {
    const begin = performance.now();
    const nothing = (): void => undefined;
    const settings = { crew, postgres, pick: random(SEED), killsMax, whileDark: nothing };
    const atRandom = { prey: ["api", "worker"] as ("api" | "worker")[], cutEverySeconds: null, onProgress: nothing };
    const kills = secondsMax === null ? await killEach(settings, writers) : await killAtRandom({ ...settings, ...atRandom, secondsMax });
    await writers.finish();
    const seconds = (performance.now() - begin) / 1000;
    await Promise.all(crew.posts.map((post) => crew.dismiss(post)));
    const after = await readEffects(postgres.database, ground.venueId);
    const { missing, surplus } = differences([...before, ...writers.log.expected], after);
    return { kills, log: writers.log, lost: missing, doubled: surplus, seconds };
  } finally {
    writers.close();
    await Promise.all(crew.posts.map((post) => crew.dismiss(post)));
  }
};

const report = (name: string, { kills, log, lost, doubled, seconds }: TradeRun): void =>
  console.info(
    `${name}: TEST_SEED=${SEED} ${killsOf(kills)} kills in ${seconds.toFixed(0)} s ${JSON.stringify(kills)}: ${log.acknowledged} writes ` +
      `acknowledged, ${log.repeated} repeated, lost ${lost.length}, doubled ${doubled.length}${lost[0] ? `, such as ${lost[0]}` : ""}`,
  );

test(`up to ${KILLS} kills during writes of gift cards, tickets, stock, shifts and reviews: nothing is lost, nothing is doubled`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const run = await runTrade({ name: "trade", killsMax: KILLS, secondsMax: IS_LONG ? SECONDS : null, links: LINKS, api: API });
  report("trade kills", run);
  expect({ strange: run.log.strange, lost: run.lost, doubled: run.doubled }).toEqual({ strange: [], lost: [], doubled: [] });
  // A run whose servers were killed without a lost answer, or one without one of the kinds, would prove little.
  if (run.kills.api > 0) expect(run.log.repeated).toBeGreaterThan(0);
  expect(killsOf(run.kills)).toBeGreaterThan(0);
  expect(kindsOf(run.log).size).toBe(KINDS);
});

const FAULTY_API: Program = { ...API, file: fileURLToPath(new URL("./process-kills/faulty-api.ts", import.meta.url)) };

test.runIf(IS_LONG)(
  "planted: events are written after the commit, and the same comparison finds one missing",
  { timeout: 300_000 },
  async () => {
    let number = 0;
    const plan = { killsMax: PLANTED_KILLS, secondsMax: PLANTED_SECONDS, links: 10, api: FAULTY_API };
    const isFound = ({ lost }: TradeRun): boolean => lost.some((effect) => effect.startsWith("event "));
    const run = await repeatUntilDetected(() => runTrade({ ...plan, name: `trade-planted-${++number}` }), isFound, PLANTED_RUNS_MAX);
    report("planted", run);
    expect(isFound(run)).toBe(true);
  },
);
