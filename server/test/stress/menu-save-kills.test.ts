/**
 * A save of 500 prices while its server is killed, at any moment: all of it is there or nothing, with its entries, events and number, and the
 * repeated call completes it once. The short form has two kills; `TEST_STRESS=1 npm test -- menu-save-kills` has 60, and
 * judges the time of a save.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../support/console-client.ts";
import { API, createFleet, type Fleet, type Program, type ServerProcess } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const IS_LONG = Boolean(process.env.TEST_STRESS);
const KILLS_MAX = Number(process.env.TEST_KILLS ?? (IS_LONG ? 60 : 2));
const TIMEOUT_MS = IS_LONG ? 1_020_000 : 300_000;
const SAVE_MS_MAX = 2000;
const DISHES = 500;
/** The planted fault writes its events 300 ms after the commit. */
const AFTER_ANSWER_MS = 200;
const SETTLE_MS = 2000;
const PLANTED_RUNS_MAX = 6;

let app: TestApp;
let fleet: Fleet;
let venue: TestVenue;
let manager: TestUser;
let dishes: { key: string; base: number }[];
/** All prices are this much above those of the file. */
let above = 0;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  venue = await app.venue("lab", (file) => {
    const category = file.menus[0]?.categories[0];
    const [model] = category?.items.filter(({ price_minor }) => price_minor !== null) ?? [];
    if (!category || !model) throw new Error("The sample has no dish with a price");
    category.items.push(
      ...Array.from({ length: DISHES }, (_none, at) => ({
        ...model,
        key: `dish-${at}`,
        name: { en: `Dish ${at}` },
        price_minor: 1000 + at,
      })),
    );
  });
  manager = await createUser(app, venue.slug, "manager");
  const plan: MenuPlan = (await manager.call("GET", `/venues/${venue.slug}/menu-plan`)).body.data;
  dishes = plan.items.flatMap(({ key, value }) => (key.startsWith("dish-") ? [{ key, base: value.price_minor ?? 0 }] : []));
  fleet = await createFleet(app.database.appUrl, { CONSOLE_RATE_PER_MINUTE: "200000", SHUTDOWN_GRACE_MS: "0" });
});
afterAll(async () => {
  await fleet.close();
  await app.close();
});

type PricesBody = { prices: { item: string; variant: null; seen_minor: number; price_minor: number }[] };
const bodyFor = (from: number, to: number): PricesBody => ({
  prices: dishes.map(({ key, base }) => ({ item: key, variant: null, seen_minor: base + from, price_minor: base + to })),
});

const send = (body: PricesBody, key: string) =>
  sendCall({
    port: fleet.port,
    token: null,
    prefix: CONSOLE_PREFIX,
    method: "POST",
    path: `/venues/${venue.slug}/menu-plan`,
    headers: { cookie: `__Host-comanda=${manager.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": key },
    body,
  });

type SavedState = { levels: number[]; entries: number; events: number; changes: number; number: number };

/** A transaction whose client was killed may still be ending. */
const readState = async (): Promise<SavedState> => {
  const busy = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
    and backend_type = 'client backend'`;
  while ((await app.database.asOwner(busy)).length > 0) await sleep(20);
  const [state] = await app.database.asOwner<SavedState>(
    `select array(select distinct i.price_minor::integer - 1000 - substring(i.key from 6)::integer from items i
         where i.restaurant_id = $1 and i.key like 'dish-%') as levels,
       (select count(*)::integer from audit_entries where restaurant_id = $1 and action = 'item.price_changed') as entries,
       (select count(*)::integer from events where restaurant_id = $1 and type = 'menu.item_updated') as events,
       (select count(*)::integer from changes where restaurant_id = $1) as changes,
       (select number::integer from change_counters where restaurant_id = $1) as number`,
    [venue.id],
  );
  return state ?? expect.fail("no state");
};

/** What differs from a save that took effect as a whole, or not at all. */
const problemsOf = (before: SavedState, after: SavedState, target: number): string[] => {
  const isSaved = after.levels.length === 1 && after.levels[0] === target;
  const isUntouched = JSON.stringify(after) === JSON.stringify(before);
  if (isUntouched) return [];
  const more = (name: "entries" | "events" | "changes" | "number"): number => after[name] - before[name];
  return [
    ...(isSaved ? [] : [`prices are at ${after.levels.join(" and ")}`]),
    ...(more("entries") === DISHES ? [] : [`${more("entries")} entries`]),
    ...(more("events") === DISHES ? [] : [`${more("events")} events`]),
    ...(more("changes") >= DISHES ? [] : [`${more("changes")} changes`]),
    ...(more("number") === 1 ? [] : [`${more("number")} numbers`]),
  ];
};

type KilledSaves = { kills: number; saved: number; unsaved: number; answered: number; problems: string[] };
type KillPlan = {
  program: Program;
  killsMax: number;
  delayOf: (typicalMs: number) => number;
  /** A server that writes late needs so long to write what came before. */
  settleMs?: number;
};

const timedSave = async (): Promise<number> => {
  const began = performance.now();
  const { status, text } = await send(bodyFor(above, above + 1), randomUUID());
  expect(status, text).toBe(200);
  above += 1;
  return performance.now() - began;
};

const killSaves = async ({ program, killsMax, delayOf, settleMs = 0 }: KillPlan): Promise<KilledSaves & { typicalMs: number }> => {
  const found: KilledSaves = { kills: 0, saved: 0, unsaved: 0, answered: 0, problems: [] };
  let server: ServerProcess = await fleet.start({}, program);
  await timedSave();
  const typicalMs = await timedSave();
  for (; found.kills < killsMax; found.kills++) {
    await sleep(settleMs);
    const before = await readState();
    const [body, key, target] = [bodyFor(above, above + 1), randomUUID(), above + 1];
    const answer = send(body, key).then(
      ({ status }) => status,
      () => null,
    );
    await sleep(delayOf(typicalMs));
    await server.kill();
    const status = await answer;
    const after = await readState();
    found.problems.push(...problemsOf(before, after, target).map((problem) => `kill ${found.kills}: ${problem}`));
    const isSaved = after.number > before.number;
    found[isSaved ? "saved" : "unsaved"] += 1;
    if (status === 200) found.answered += 1;
    if (status === 200 && !isSaved) found.problems.push(`kill ${found.kills}: acknowledged and lost`);
    server = await fleet.start({}, program);
    // The page repeats a call without an answer: it is completed once.
    const again = await send(body, key);
    if (again.status !== 200) found.problems.push(`kill ${found.kills}: repeated, ${again.status}: ${again.text.slice(0, 200)}`);
    if (program === API) found.problems.push(...problemsOf(before, await readState(), target).map((one) => `repeated: ${one}`));
    above = target;
  }
  await server.kill();
  return { ...found, typicalMs };
};

test(`up to ${KILLS_MAX} kills during saves of ${DISHES} prices: all or nothing, and a repeated call completes it once`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const below = random(SEED);
  const { problems, typicalMs, ...counts } = await killSaves({
    program: API,
    killsMax: KILLS_MAX,
    delayOf: (ms) => below(Math.ceil(ms * 1.3)),
  });
  console.info(`TEST_SEED=${SEED} a save of ${DISHES} prices takes ${typicalMs.toFixed(0)} ms; ${JSON.stringify(counts)}`);
  expect(problems).toEqual([]);
  expect(counts.kills).toBe(KILLS_MAX);
  if (!IS_LONG) return;
  expect(typicalMs).toBeLessThan(SAVE_MS_MAX);
  expect(Math.min(counts.saved, counts.unsaved)).toBeGreaterThan(0);
});

const FAULTY_API: Program = { ...API, file: fileURLToPath(new URL("./process-kills/faulty-api.ts", import.meta.url)) };

test.runIf(IS_LONG)("planted fault: events in a transaction of their own, and the same kills detect it", { timeout: 300_000 }, async () => {
  const { problems } = await repeatUntilDetected(
    () =>
      killSaves({
        program: FAULTY_API,
        killsMax: 1,
        delayOf: (ms) => ms + Math.random() * AFTER_ANSWER_MS,
        settleMs: SETTLE_MS,
      }),
    (found) => found.problems.includes("kill 0: 0 events"),
    PLANTED_RUNS_MAX,
  );
  expect(problems).toContain("kill 0: 0 events");
});
