/** A guest is forgotten while everything about them is being written, over two processes and a worker: nothing of them is left. */
import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Deps, openDeps } from "#deps.ts";
import { Refusal } from "#lib/errors.ts";
import { addEndpoint, CHOOSABLE_EVENTS } from "#platform/webhooks/service.ts";
import { eraseGuest } from "#venue/erasure/service.ts";
import { connectPos } from "#venue/pos/service.ts";
import { forVenue, startApp, type TestApp } from "./app.ts";
import { cloneDatabase } from "./database.ts";
import {
  actsOf,
  type Diary,
  inventPersona,
  liveGuests,
  MARK,
  newDiary,
  type Persona,
  PHONE_MARK,
  type Place,
} from "./erase-storm/guest.ts";
import { plantedPool, type Statement } from "./planted-pool.ts";
import { API, createFleet, type Fleet, WORKER } from "./processes.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { random, SEED } from "./seed.ts";
import { untilGuilty } from "./until-guilty.ts";

const ROUNDS = Number(process.env.ROUNDS ?? (process.env.LONG ? 200 : 5));
const WRITERS = 6;
const ROUND_MS = 1200;
const ERASURES_A_ROUND = 4;
const SETTLED_MS_MAX = 30_000;

/** Says back what it was told of the guest, late enough for the guest to be forgotten meanwhile. */
const startEcho = async (): Promise<Receiver> => {
  const receiver = await startReceiver();
  const pick = random(SEED);
  receiver.behave((_request, response) => {
    const [got] = receiver.received.splice(0);
    const heard = got?.body.match(new RegExp(`${MARK}[^"]*`, "gi"))?.join(", ") ?? "nothing";
    setTimeout(() => response.end(`heard ${heard}`), pick(150));
  });
  return receiver;
};

type Theatre = { place: Place; close(): Promise<void> };

/** Two processes and a worker, one address and a till that echo. */
const openTheatre = async (): Promise<Theatre> => {
  const secretKeys = `storm:${randomBytes(32).toString("base64")}`;
  const database = await cloneDatabase();
  const app: TestApp = await startApp({ database, environment: { SECRET_KEYS: secretKeys } });
  app.clock.set(new Date().toISOString());
  const [venue, echo] = [await app.venue("lab"), await startEcho()];
  await forVenue(app.deps, venue.slug, async (ctx) => {
    const address = { url: echo.url, events: [...CHOOSABLE_EVENTS], description: null };
    await addEndpoint(ctx, address, app.deps.config.secretKeys);
    connectPos(ctx, echo.url, app.deps.config.secretKeys);
  });
  const { data } = (await app.call(venue.token, "GET", "/items?per_page=100")).body;
  const itemId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const fleet: Fleet = await createFleet(database.appUrl, { SECRET_KEYS: secretKeys, AUTHORITY: echo.authority.cert });
  for (const program of [API, API, WORKER]) await fleet.start({}, program);
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  return {
    place: { app, venue, port: fleet.port, agent, itemId },
    async close() {
      agent.destroy();
      await fleet.close();
      await echo.close();
      await app.close();
      await database.drop();
    },
  };
};

type Tally = { erased: number; diary: Diary; left: Record<string, number>; longestMs: number };

/** All there is of this guest now; whoever comes under the same number later is a new guest. */
const erase = async (place: Place, eraser: Deps, persona: Persona, tally: Tally): Promise<void> => {
  for (const id of await liveGuests(place, persona)) {
    const begin = performance.now();
    const isErased = await forVenue(eraser, place.venue.slug, (ctx) => eraseGuest(ctx, id)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal) return false;
        throw error;
      },
    );
    if (isErased) tally.erased++;
    tally.longestMs = Math.max(tally.longestMs, performance.now() - begin);
  }
};

const playRound = async (place: Place, eraser: Deps, round: number, tally: Tally): Promise<void> => {
  const [persona, pick] = [inventPersona(round), random(SEED + round)];
  const diary: Diary = { ...tally.diary, orders: [], bookings: [] };
  const acts = actsOf(place, persona, diary, pick);
  const until = performance.now() + ROUND_MS;
  const writer = async (): Promise<void> => {
    while (performance.now() < until) await acts[pick(acts.length)]?.();
  };
  const eraseNowAndThen = async (): Promise<void> => {
    for (let turn = 0; turn < ERASURES_A_ROUND; turn++) {
      await sleep(pick((ROUND_MS / ERASURES_A_ROUND) * 2 - 100));
      await erase(place, eraser, persona, tally);
    }
  };
  await Promise.all([...Array.from({ length: WRITERS }, writer), eraseNowAndThen()]);
  // Who came back after the last of these is another guest, and asks to be forgotten as well.
  await erase(place, eraser, persona, tally);
};

/** What was on its way to receivers has arrived and is written down. */
const settled = async ({ app }: Place): Promise<void> => {
  for (const deadline = performance.now() + SETTLED_MS_MAX; performance.now() < deadline; await sleep(100)) {
    const [row] = await app.database.asOwner<{ open: number }>(
      `select ((select count(*) from deliveries where state = 'ready') + (select count(*) from pos_pushes where state = 'queued')
         + (select count(*) from jobs.job where name = 'send-message' and state in ('created', 'active') and start_after <= now()))::integer as open`,
    );
    if (row?.open === 0) return;
  }
  throw new Error("Deliveries do not come to rest");
};

/** Rows that still tell of a guest, by table: of ours and of the job engine's. */
const rowsLeft = async ({ app }: Place): Promise<Record<string, number>> => {
  const tables = await app.database.asOwner<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)' and not c.relispartition`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const left: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await app.database.asOwner<{ count: number }>(
      `select count(*)::integer as count from ${name} t where t::text ilike $1 or regexp_replace(t::text, '[^0-9]', '', 'g') like $2`,
      [`%${MARK}%`, `%${PHONE_MARK}%`],
    );
    if (row && row.count > 0) left[name] = row.count;
  }
  return left;
};

let persons = 0;

const storm = async (place: Place, eraser: Deps, rounds: number): Promise<Tally> => {
  const tally: Tally = { erased: 0, diary: newDiary(), left: {}, longestMs: 0 };
  for (let round = 0; round < rounds; round++) await playRound(place, eraser, persons++, tally);
  await settled(place);
  tally.left = await rowsLeft(place);
  return tally;
};

const tell = (name: string, { erased, diary, left, longestMs }: Tally): void =>
  console.info(
    `${name}: SEED=${SEED} ${erased} guests erased under load, the longest took ${longestMs.toFixed(0)} ms, ` +
      `rows left ${JSON.stringify(left)}\n  ${JSON.stringify(Object.fromEntries(diary.answers))}`,
  );

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

test(`T9.4 R2.8-03 ${ROUNDS} rounds of orders, bookings, moves, notes and messages: no row tells of an erased guest`, {
  timeout: ROUNDS * 20_000 + 60_000,
}, async () => {
  const tally = await storm(theatre.place, theatre.place.app.deps, ROUNDS);
  tell("erase storm", tally);
  expect(tally.left).toEqual({});
  expect(tally.diary.odd).toEqual([]);
  expect(tally.erased).toBeGreaterThanOrEqual(ROUNDS);
  // A storm in which nothing was written would leave nothing either.
  for (const act of ["orders 201", "reservations 201", "orders/status 200", "reservations/cancel 200", "changed", "noted"])
    expect([act, tally.diary.answers.get(act) ?? 0]).not.toEqual([act, 0]);
});

/** Whatever is left stays in the house, so each is to be found in a table of its own, and these come last. */
test.each([
  {
    fault: "an erasure that leaves the stored answers",
    plant: ({ text }: Statement) => (text.includes("delete from idempotency_keys") ? { text: "select" } : null),
    table: "idempotency_keys",
  },
  {
    fault: "an erasure that does not wait for what is being written",
    plant: ({ text, values }: Statement) =>
      /from guests .* for update$/s.test(text) && values ? { text: text.replace(/ for update$/, ""), values } : null,
    table: "orders",
  },
])("T9.4 planted fault: $fault, and the same storm finds what is left", { timeout: 300_000 }, async ({ fault, plant, table }) => {
  const { config, clock, log } = theatre.place.app.deps;
  const eraser = await openDeps(config, { clock, log, pool: plantedPool(plant)(config) });
  const isFound = ({ left }: Tally): boolean => (left[table] ?? 0) > 0;
  const tally = await untilGuilty(() => storm(theatre.place, eraser, 1), isFound);
  await eraser.close();
  tell(fault, tally);
  expect(isFound(tally)).toBe(true);
});
