/** Programs that move the clock of one sandbox at the same time, beside others that write there: none is refused, and each move counts. */
import { SANDBOX_DISH_ID } from "@comanda/contract/sandbox/sandbox-ids.ts";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "../../src/admin/sandbox.ts";
import type { Config } from "../../src/config.ts";
import { faultInjectingPool, type InjectedFault } from "../support/fault-injection.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const PROGRAMS = 8;
const MOVES = process.env.TEST_STRESS ? 12 : 5;
const MOVES_OF_FAULTY = 4;
const STEP_S = 60;

let app: TestApp;
let token: string;

/** A shared machine can stand still for longer than a write waits for the sandbox. */
const patientPool =
  (plant: InjectedFault) =>
  (config: Config): pg.Pool => {
    const pool = faultInjectingPool(plant)(config);
    pool.on("connect", (client) => void client.query("set lock_timeout = 60000; set statement_timeout = 60000"));
    return pool;
  };

beforeAll(async () => {
  app = await startApp({ pool: patientPool(() => null) });
  const live = await app.venue("trattoria");
  token = (await createSandbox(app.deps, live.slug, 1_000_000))?.token ?? expect.fail("no sandbox");
});
afterAll(() => app.close());

const aheadSeconds = async (): Promise<number> => (await app.call(token, "POST", "/sandbox/clock", { body: {} })).body.data.ahead_seconds;
const cart = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: SANDBOX_DISH_ID, quantity: 1 }] };

type ClockRace = { moves: number[]; orders: number[]; movedSeconds: number };

/** One call after the other, as a program makes them. */
const inTurn = async (server: TestApp, calls: number, path: string, body: object): Promise<number[]> => {
  const statuses: number[] = [];
  for (let count = 0; count < calls; count++) statuses.push((await server.call(token, "POST", path, { body })).status);
  return statuses;
};

const race = async (server: TestApp, moves: number): Promise<ClockRace> => {
  const before = await aheadSeconds();
  const programs = Array.from({ length: PROGRAMS });
  const [moved, ordered] = await Promise.all([
    Promise.all(programs.map(() => inTurn(server, moves, "/sandbox/clock", { forward_seconds: STEP_S }))),
    Promise.all([1, 2].map(() => inTurn(server, moves, "/orders", cart))),
  ]);
  return { moves: moved.flat(), orders: ordered.flat(), movedSeconds: (await aheadSeconds()) - before };
};

/** In a process with this fault. */
const raceWith = async (plant: InjectedFault): Promise<ClockRace> => {
  const faulty = await startApp({ database: app.database, pool: patientPool(plant) });
  try {
    return await race(faulty, MOVES_OF_FAULTY);
  } finally {
    await faulty.close();
  }
};

test(`${PROGRAMS} programs move it ${MOVES} times each: every move is answered and counts, and no order beside them is refused`, async () => {
  expect(await race(app, MOVES)).toEqual({
    moves: Array.from({ length: PROGRAMS * MOVES }, () => 200),
    orders: Array.from({ length: 2 * MOVES }, () => 201),
    movedSeconds: PROGRAMS * MOVES * STEP_S,
  });
});

test("planted: a write that is checked by the clock as well is refused", async () => {
  const { moves } = await raceWith(({ text, values = [] }) =>
    text.includes("as access_digest")
      ? { text: text.replace("app_id)::text as access_digest", "app_id, clock_offset_ms)::text as access_digest"), values }
      : null,
  );
  const refused = moves.filter((status) => status === 503).length;
  console.info(`checked by the clock as well: ${refused} of ${moves.length} moves were refused`);
  expect(refused).toBeGreaterThan(0);
});

test("planted: a clock that is not read again under the lock loses moves", async () => {
  const ms = (await aheadSeconds()) * 1000;
  const { moves, movedSeconds } = await raceWith(({ text }) =>
    text.startsWith('select "clock_offset_ms" from "restaurants"') ? { text: `select ${ms}::bigint as clock_offset_ms` } : null,
  );
  expect(moves).toContain(200);
  expect(movedSeconds).toBeLessThan(moves.length * STEP_S);
});
