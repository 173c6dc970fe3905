/** A guest is erased while their data is being written, over two processes and a worker: none of it is left. */
import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Deps, openDeps } from "#deps.ts";
import { ApiError } from "#lib/errors.ts";
import { addEndpoint, CHOOSABLE_EVENTS } from "#platform/events/webhooks/service/endpoints.ts";
import { eraseGuest } from "#venue/guest-records/erasure/service.ts";
import { connectPos } from "#venue/kitchen/pos/service.ts";
import { cloneDatabase } from "../support/database.ts";
import { faultInjectingPool, type SentStatement } from "../support/fault-injection.ts";
import { API, createFleet, type Fleet, WORKER } from "../support/processes.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { forVenue, startApp, type TestApp } from "../support/test-app.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import {
  type ErasureContext,
  type GuestWriteLog,
  liveGuests,
  MARK,
  newGuestWriteLog,
  newTestGuest,
  PHONE_MARK,
  type TestGuest,
  writesOf,
} from "./erasure-race/guest-writes.ts";

const ROUNDS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 200 : 1));
const WRITERS = 6;
/** In each round, by all writers together. */
const WRITES_A_ROUND = 150;
const ERASURES_A_ROUND = 4;
const SETTLED_MS_MAX = 120_000;

/** Returns the guest's data that it received, late enough for the guest to be erased meanwhile. */
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

type ErasureFixture = { place: ErasureContext; close(): Promise<void> };

/** Two processes and a worker, one address and a till that echo. */
const openErasureFixture = async (): Promise<ErasureFixture> => {
  const encryptionKeys = `stress:${randomBytes(32).toString("base64")}`;
  const database = await cloneDatabase();
  const app: TestApp = await startApp({ database, environment: { ENCRYPTION_KEYS: encryptionKeys } });
  app.clock.set(new Date().toISOString());
  const [venue, echo] = [await app.venue("lab"), await startEcho()];
  await forVenue(app.deps, venue.slug, async (ctx) => {
    const address = { url: echo.url, events: [...CHOOSABLE_EVENTS], description: null };
    await addEndpoint(ctx, address, app.deps.config.encryptionKeys);
    await connectPos(ctx, echo.url, app.deps.config.encryptionKeys);
  });
  const { data } = (await app.call(venue.token, "GET", "/items?per_page=100")).body;
  const itemId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const fleet: Fleet = await createFleet(database.appUrl, { ENCRYPTION_KEYS: encryptionKeys, AUTHORITY: echo.authority.cert });
  await Promise.all([API, API, WORKER].map((program) => fleet.start({}, program)));
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

type ErasureTally = { erased: number; orderLog: GuestWriteLog; left: Record<string, number>; longestMs: number };

/** Erases every guest with this number now; a later one with the same number is a new guest. */
const erase = async (place: ErasureContext, eraser: Deps, persona: TestGuest, tally: ErasureTally): Promise<void> => {
  for (const id of await liveGuests(place, persona)) {
    const begin = performance.now();
    const isErased = await forVenue(eraser, place.venue.slug, (ctx) => eraseGuest(ctx, id)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError) return false;
        throw error;
      },
    );
    if (isErased) tally.erased++;
    tally.longestMs = Math.max(tally.longestMs, performance.now() - begin);
  }
};

const runRound = async (place: ErasureContext, eraser: Deps, round: number, tally: ErasureTally): Promise<void> => {
  const [persona, pick] = [newTestGuest(round), random(SEED + round)];
  const orderLog: GuestWriteLog = { ...tally.orderLog, orders: [], bookings: [] };
  const acts = writesOf(place, persona, orderLog, pick);
  let written = 0;
  const writer = async (): Promise<void> => {
    while (written++ < WRITES_A_ROUND) await acts[pick(acts.length)]?.();
  };
  const eraseNowAndThen = async (): Promise<void> => {
    const moments = Array.from({ length: ERASURES_A_ROUND }, () => pick(WRITES_A_ROUND)).sort((a, b) => a - b);
    for (const moment of moments) {
      while (written < moment) await sleep(5);
      await erase(place, eraser, persona, tally);
    }
  };
  await Promise.all([...Array.from({ length: WRITERS }, writer), eraseNowAndThen()]);
  // A guest who came back after the last erasure is a new one, and is erased as well.
  await erase(place, eraser, persona, tally);
};

/** What was on its way to receivers has arrived and is written down. */
const settled = async ({ app }: ErasureContext): Promise<void> => {
  for (const deadline = performance.now() + SETTLED_MS_MAX; performance.now() < deadline; await sleep(100)) {
    const [row] = await app.database.asOwner<{ open: number }>(
      `select ((select count(*) from deliveries where state = 'ready')
         + (select count(*) from jobs.job where name = 'send-message' and state in ('created', 'active') and start_after <= now()))::integer as open`,
    );
    if (row?.open === 0) return;
  }
  throw new Error("Deliveries do not come to rest");
};

/** Rows that still contain data of a guest, by table: of ours and of the job engine's. */
const rowsLeft = async ({ app }: ErasureContext): Promise<Record<string, number>> => {
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

const raceErasure = async (place: ErasureContext, eraser: Deps, rounds: number): Promise<ErasureTally> => {
  const tally: ErasureTally = { erased: 0, orderLog: newGuestWriteLog(), left: {}, longestMs: 0 };
  for (let round = 0; round < rounds; round++) await runRound(place, eraser, persons++, tally);
  await settled(place);
  tally.left = await rowsLeft(place);
  return tally;
};

const report = (name: string, { erased, orderLog, left, longestMs }: ErasureTally): void =>
  console.info(
    `${name}: TEST_SEED=${SEED} ${erased} guests erased under load, the longest took ${longestMs.toFixed(0)} ms, ` +
      `rows left ${JSON.stringify(left)}\n  ${JSON.stringify(Object.fromEntries(orderLog.answers))}`,
  );

let fixture: ErasureFixture;
beforeAll(async () => {
  fixture = await openErasureFixture();
});
afterAll(() => fixture.close());

test(`R2.8-03 ${ROUNDS} rounds of orders, bookings, moves, notes and messages: no row tells of an erased guest`, {
  timeout: ROUNDS * 20_000 + 60_000,
}, async () => {
  const tally = await raceErasure(fixture.place, fixture.place.app.deps, ROUNDS);
  report("erasure race", tally);
  expect(tally.left).toEqual({});
  expect(tally.orderLog.odd).toEqual([]);
  expect(tally.erased).toBeGreaterThanOrEqual(ROUNDS);
  // A run in which nothing was written would leave nothing either.
  for (const act of ["orders 201", "reservations 201", "orders/status 200", "reservations/cancel 200", "changed", "noted"])
    expect([act, tally.orderLog.answers.get(act) ?? 0]).not.toEqual([act, 0]);
});

/** What a fault leaves stays in the database, so each fault is looked for in its own table, and these tests come last. */
test.each([
  {
    fault: "an erasure that leaves the stored answers",
    plant: ({ text }: SentStatement) => (text.includes("delete from idempotency_keys") ? { text: "select" } : null),
    table: "idempotency_keys",
  },
  {
    fault: "an erasure that does not wait for what is being written",
    plant: ({ text, values }: SentStatement) =>
      /from guests .* for update$/s.test(text) && values ? { text: text.replace(/ for update$/, ""), values } : null,
    table: "orders",
  },
])("planted fault: $fault, and the same race finds what is left", { timeout: 300_000 }, async ({ fault, plant, table }) => {
  const { config, clock, log } = fixture.place.app.deps;
  const eraser = await openDeps(config, { clock, log, pool: faultInjectingPool(plant)(config) });
  const isFound = ({ left }: ErasureTally): boolean => (left[table] ?? 0) > 0;
  const tally = await repeatUntilDetected(() => raceErasure(fixture.place, eraser, 1), isFound);
  await eraser.close();
  report(fault, tally);
  expect(isFound(tally)).toBe(true);
});
