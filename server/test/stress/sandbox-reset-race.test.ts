/** A sandbox that is reset again and again while it is read and written: every read sees the whole sample. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox, inSandbox } from "../../src/admin/sandbox.ts";
import { resetSandbox } from "../../src/venue/sandbox/service.ts";
import { connectAsAdmin } from "../support/database.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { startApp, type TestAnswer, type TestApp, type TestVenue } from "../support/test-app.ts";

const READS = Number(process.env.TEST_REQUESTS ?? (process.env.TEST_STRESS ? 10_000 : 200));
const RESETS_MIN = process.env.TEST_STRESS ? 20 : 8;
/** A planted race is run again until its fault is found, so that one run of it can be short. */
const PLANTED = { reads: 50, resetsMin: 5 };
const READERS = 6;
const WRITERS = 3;

let app: TestApp;
let live: TestVenue;
let sandbox: { id: number; token: string };
let sample: SandboxSample;

type SampleRow = { id: number | string } & Record<string, unknown>;
type SandboxSample = {
  menus: SampleRow[];
  menu: SampleRow;
  dishes: SampleRow[];
  guests: SampleRow[];
  order: SampleRow;
  booking: SampleRow;
};

beforeAll(async () => {
  app = await startApp();
  live = await app.venue("lab");
  const created = await createSandbox(app.deps, live.slug, 100_000_000);
  sandbox = { id: created?.restaurant_id ?? 0, token: created?.token ?? "" };
  const get = async (path: string) => (await app.call(sandbox.token, "GET", path)).body.data;
  const menus = await get("/menus");
  sample = {
    menus,
    menu: await get(`/menus/${menus[0].id}`),
    dishes: await get("/items?per_page=100"),
    guests: await get("/guests"),
    order: (await get("/orders"))[0],
    booking: (await get("/reservations"))[0],
  };
});
afterAll(() => app.close());

/** Each of these is written to: what may change in a row of the sample is left out of the comparison. */
const CHANGING = ["is_available", "status", "updated_at"];

const steady = (row: unknown): string => JSON.stringify(row, (name, value) => (CHANGING.includes(name) ? undefined : value));

/** Sentences about what is missing; rows beyond the sample are the writers' own. */
const missing = (wanted: SampleRow[], shown: SampleRow[]): string[] => {
  const byId = new Map(shown.map((row) => [row.id, steady(row)]));
  return wanted.filter((row) => byId.get(row.id) !== steady(row)).map(({ id }) => `${id} is ${byId.has(id) ? "another" : "missing"}`);
};

const dishesOf = (menu: SampleRow): SampleRow[] => (menu.categories as { items: SampleRow[] }[]).flatMap(({ items }) => items);

/** What is read, and what is wrong with an answer. */
const sampleReads = (): Record<string, (data: never) => string[]> => ({
  "/menus": (data: SampleRow[]) => (JSON.stringify(data) === JSON.stringify(sample.menus) ? [] : ["the menus differ"]),
  [`/menus/${sample.menu.id}`]: (data: SampleRow) => missing(dishesOf(sample.menu), dishesOf(data)),
  "/items?per_page=100": (data: SampleRow[]) => missing(sample.dishes, data),
  "/guests": (data: SampleRow[]) => missing(sample.guests, data),
  // The writers order nothing at a table and book nothing on this day.
  "/orders?type=dine_in": (data: SampleRow[]) => (data.length === 1 ? missing([sample.order], data) : [`${data.length} orders at tables`]),
  [`/reservations?date=${sample.booking.date}`]: (data: SampleRow[]) =>
    data.length === 1 ? missing([sample.booking], data) : [`${data.length} bookings that day`],
  [`/orders/${sample.order.id}`]: (data: SampleRow) => missing([sample.order], [data]),
  [`/reservations/${sample.booking.id}`]: (data: SampleRow) => missing([sample.booking], [data]),
  "/reports/sales-summary": ({ orders }: { orders: number }) => (orders >= 1 ? [] : ["nothing was sold"]),
});

type ResetRace = { problems: string[]; reads: number; writes: number; resets: number };
type Reset = () => Promise<unknown>;

const call = (through: TestApp, method: string, path: string, body?: object): Promise<TestAnswer> =>
  through.call(sandbox.token, method, path, body ? { body } : {});

const readUntilDone = async (race: ResetRace, isOver: () => boolean): Promise<void> => {
  const all = Object.entries(sampleReads());
  while (!isOver()) {
    const [path, judge] = all[race.reads++ % all.length] as (typeof all)[number];
    const { status, body, text } = await call(app, "GET", path);
    const problems = status === 200 ? judge(body.data as never) : [`${status} ${text}`];
    race.problems.push(...problems.map((problem) => `${path}: ${problem}`));
  }
};

/** Rows come, rows of the sample change. A refusal of the trade is fine; a failure is not. */
const writeUntilDone = async (through: TestApp, race: ResetRace, isOver: () => boolean): Promise<void> => {
  const chance = random(SEED + race.writes);
  const plain = sample.dishes.filter(({ price_minor, modifier_groups }) => price_minor && (modifier_groups as unknown[]).length === 0);
  const anyDish = () => sample.dishes[chance(sample.dishes.length)] as SampleRow;
  const phone = () => `+44 7700 ${100_000 + chance(900_000)}`;
  const lines = () => [{ item_id: plain.at(-1)?.id, quantity: 1 + chance(5) }];
  const acts: (() => Promise<TestAnswer>)[] = [
    () => call(through, "POST", "/orders", { type: "pickup", customer_name: "Dev", customer_phone: phone(), lines: lines() }),
    () => call(through, "PUT", `/items/${anyDish().id}/availability`, { is_available: chance(2) === 0 }),
    () => call(through, "POST", "/items", { category_id: anyDish().category_id, name: "Tried", price_minor: 100 }),
    () => call(through, "POST", `/orders/${sample.order.id}/status`, { status: "accepted" }),
    () => call(through, "POST", `/reservations/${sample.booking.id}/cancel`),
    () =>
      call(through, "POST", "/reservations", {
        name: "Dev",
        phone: phone(),
        party_size: 2,
        date: `2027-01-${10 + chance(20)}`,
        time: "12:00",
      }),
  ];
  while (!isOver()) {
    const { status, text } = await (acts[chance(acts.length)] as () => Promise<TestAnswer>)();
    race.writes++;
    if (![200, 201, 409, 422].includes(status)) race.problems.push(`a write: ${status} ${text}`);
  }
};

/** Orders that were written before the last reset and are still there. Only a reset writes this guest, so its transaction is the reset's. */
const survivors = () =>
  app.database.asOwner<{ id: string }>(
    `select id from orders where restaurant_id = $1
       and xmin::text::bigint < (select xmin::text::bigint from guests where restaurant_id = $1 and id = $2)`,
    [sandbox.id, sample.guests.at(-1)?.id],
  );

const resetUntilDone = async (race: ResetRace, reset: Reset, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    await reset().catch((error: Error) => race.problems.push(`a reset failed: ${error.message}`));
    race.resets++;
    for (const { id } of await survivors()) race.problems.push(`the order ${id} outlived a reset`);
  }
};

const honestReset: Reset = () => inSandbox(app.deps, live.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });

type RaceLength = { reads: number; resetsMin: number };

const runRace = async ({ reads, resetsMin }: RaceLength, reset: Reset, writeThrough: TestApp = app): Promise<ResetRace> => {
  const race: ResetRace = { problems: [], reads: 0, writes: 0, resets: 0 };
  const isOver = () => race.reads >= reads && race.resets >= resetsMin;
  await Promise.all([
    ...Array.from({ length: READERS }, () => readUntilDone(race, isOver)),
    ...Array.from({ length: WRITERS }, () => writeUntilDone(writeThrough, race, isOver)),
    resetUntilDone(race, reset, isOver),
  ]);
  return race;
};

const report = (what: string, { reads, writes, resets, problems }: ResetRace) =>
  console.info(`${what}: TEST_SEED=${SEED}, ${reads} reads, ${writes} writes, ${resets} resets, ${problems.length} problems`);

test(`R1-13 D138 no read sees a half-reset sandbox, and no write outlives its reset: ${READS} reads`, {
  timeout: 300_000,
}, async () => {
  const race = await runRace({ reads: READS, resetsMin: RESETS_MIN }, honestReset);
  report("T9.3", race);
  expect(race.problems).toEqual([]);
  expect(race.resets).toBeGreaterThanOrEqual(RESETS_MIN);
  expect(race.writes).toBeGreaterThan(RESETS_MIN);
});

test("planted fault: a reset in two transactions is seen half way", { timeout: 300_000 }, async () => {
  // Without foreign keys: a new table that refers to items would turn this fault into a failed reset.
  const admin = await connectAsAdmin(app.database);
  await admin.query("set session_replication_role = replica");
  const halfway: Reset = async () => {
    await admin.query("delete from items where restaurant_id = $1", [sandbox.id]);
    await honestReset();
  };
  const race = await repeatUntilDetected(
    () => runRace(PLANTED, halfway),
    ({ problems }) => problems.some((problem) => problem.startsWith("/items") && problem.endsWith("missing")),
  );
  report("in two transactions", race);
  expect(race.problems.some((problem) => problem.startsWith("/items") && problem.endsWith("missing"))).toBe(true);
  await admin.end();
  await honestReset();
});

test("planted fault: writers that do not wait for a reset break it or outlive it", { timeout: 300_000 }, async () => {
  const pool = faultInjectingPool(({ text, values = [] }) =>
    text.includes("pg_advisory_xact_lock_shared") ? { text: "select $1::text", values } : null,
  );
  const pushy = await startApp({ database: app.database, pool });
  const isDetected = ({ problems }: ResetRace) => problems.some((problem) => /^a reset failed|outlived a reset$/.test(problem));
  const race = await repeatUntilDetected(() => runRace(PLANTED, honestReset, pushy), isDetected);
  report("without the lock", race);
  expect(isDetected(race)).toBe(true);
  await pushy.close();
});
