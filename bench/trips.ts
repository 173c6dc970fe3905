/** `npm run bench:trips`: how often each operation waits for PostgreSQL and Redis, counted on the wire, beside what is expected. */
import { type OperationId, operationEntries, operations } from "@comanda/contract/operations.ts";
import { EXPECTED_TRIPS, type TripsRow } from "../server/test/cost/expected-round-trips.ts";
import { openTestDatabase } from "../server/test/support/database.ts";
import {
  type CountedApp,
  type CountedVenue,
  countedTripsOf,
  openCountedVenue,
  READS_FIRST,
  rowOf,
  startCounted,
} from "../server/test/support/round-trip-counter.ts";
import { defineBenchmark, nothingToClose, runFull } from "./benchmark.ts";
import type { Ground } from "./ground.ts";
import { type Figure, figureOf, publishTable } from "./measure.ts";

const ROW_COUNTS = [1, 25];
const COLUMNS = ["operation", "call", ...ROW_COUNTS.map((rows) => `PostgreSQL, ${rows} ${rows === 1 ? "row" : "rows"}`), "Redis"];
const NOTE =
  "A trip is one wait, however much was sent before it. The token was seen before; a POST takes the same with an `Idempotency-Key` and without. " +
  "One row of each, or 25 with 25 lines to an order and 20 addresses that are told of everything.";

type TripTally = Map<TripsRow, { postgres: Set<number>; redis: Set<number> }>;

const tallyOf = async (counted: CountedApp, venue: CountedVenue, ids: readonly OperationId[]): Promise<TripTally> => {
  const tally: TripTally = new Map();
  for (const id of ids)
    for (const { way, postgres, redis } of await countedTripsOf(counted, venue, id)) {
      const row = tally.get(rowOf(id, way)) ?? { postgres: new Set(), redis: new Set() };
      row.postgres.add(postgres);
      row.redis.add(redis);
      tally.set(rowOf(id, way), row);
    }
  return tally;
};

const written = (numbers: Iterable<number>): string => [...new Set(numbers)].toSorted((one, other) => one - other).join(" or ");

const rowsOf = (id: OperationId, tallies: readonly TripTally[]): { cells: string[]; isExpected: boolean }[] => {
  const names = [...(tallies[0]?.keys() ?? [])].filter((name) => name.split(",")[0] === id);
  return names.map((name) => {
    const seen = tallies.map((tally) => tally.get(name) ?? { postgres: [], redis: [] });
    const postgres = seen.map((row) => written(row.postgres));
    const redis = written(seen.flatMap((row) => [...row.redis]));
    const expected = EXPECTED_TRIPS[name];
    const isExpected = redis === String(expected?.redis) && postgres.every((trips) => trips === String(expected?.postgres));
    return { cells: [name, `\`${operations[id].method} ${operations[id].path}\``, ...postgres, redis], isExpected };
  });
};

/** The short form asks the first operations, with one row. */
const countTrips = async (ground: Ground, share: number): Promise<Figure[]> => {
  const throwaway = await ground.database();
  const database = openTestDatabase(throwaway, throwaway.close);
  const counted = await startCounted(database, await ground.redisUrl());
  const ids = READS_FIRST.slice(0, Math.ceil(READS_FIRST.length * share));
  const tallies: TripTally[] = [];
  for (const rows of share < 1 ? ROW_COUNTS.slice(0, 1) : ROW_COUNTS)
    tallies.push(await tallyOf(counted, await openCountedVenue(counted, rows), ids));
  await counted.close();
  await database.drop();
  const rows = operationEntries.flatMap(([id]) => rowsOf(id, tallies));
  const title = "Round trips of each operation";
  if (share === 1)
    publishTable("trips-table", "npm run bench:trips", { title, note: NOTE, columns: COLUMNS, rows: rows.map(({ cells }) => cells) });
  const others = rows.filter(({ isExpected }) => !isExpected).map(({ cells }) => cells.join(" "));
  if (others.length > 0) throw new Error(`Other round trips than expected: ${others.join("; ")}`);
  return [figureOf("trips", title, [rows.length > 0 ? 1 : 0], `${rows.length} calls take the round trips that are expected`)];
};

export const BENCHMARK = defineBenchmark({
  name: "trips",
  command: "npm run bench:trips",
  size: {},
  ground: { isDurable: false },
  open: async (ground) => ({ ground, ...nothingToClose }),
  scenarios: { operations: ({ ground }, { share }) => countTrips(ground, share) },
});

if (import.meta.main) await runFull(BENCHMARK);
