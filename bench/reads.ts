/**
 * `npm run bench:reads`: what each layer of a read gives. The API as it is takes turns, round by round, with the same API that lacks one
 * layer: the read batcher, the single query that binds the tenant without a transaction, or the query class that knows its columns.
 * Processor time of a read, of the API and of PostgreSQL together, is compared beside the rate: other work on the machine changes it less.
 * Needs redis-server, and Linux for the processor time.
 */
import { API, readVariantApi } from "../server/test/support/processes.ts";
import { type ApiProcess, type BenchService, openBenchService } from "./bench-service.ts";
import type { BusyVenue } from "./busy-venues.ts";
import { run as load, requestText } from "./load.ts";
import { type Figure, publish, ratiosOf, say, spreadOf, takeTurns, written } from "./measure.ts";
import { processorMs } from "./processor-time.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 0.5);
const VENUES = 8;
const CLIENTS = 16;
const ATTEMPTS_MAX = 20;

const LAYERS = {
  batcher: { what: "The read batcher", against: "a connection for each read", program: readVariantApi("unbatched") },
  single: { what: "The single query", against: "begin, statement and commit in one write", program: readVariantApi("in-transactions") },
  columns: { what: "Our own query class", against: "pg's class with the tenant bound the same way", program: readVariantApi("described") },
} as const;
type LayerName = keyof typeof LAYERS;

const KINDS: { what: string; path(venue: BusyVenue): string }[] = [
  { what: "one dish", path: ({ dishId }) => `/api/v1/items/${dishId}` },
  { what: "a page of 25 orders", path: () => "/api/v1/orders?per_page=25" },
];

/** On a busy machine a process that opens connections may refuse requests for a moment. Such a round is repeated. */
const untilServed = async (ask: () => Promise<number>): Promise<number> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
    }
};

type Sides = { apis: Record<"whole" | LayerName, ApiProcess> } & Pick<BenchService, "venues" | "owner">;

const measure = async ({ apis, venues, owner }: Sides, kind: (typeof KINDS)[number]): Promise<Figure[]> => {
  say(`\n${kind.what}, ${CLIENTS} clients of ${VENUES} venues: reads a second`);
  const used: Record<"whole" | LayerName, number[]> = { whole: [], batcher: [], single: [], columns: [] };
  const usedBy = async (pid: number): Promise<number> => {
    const { rows } = await owner.query<{ pid: number }>("select pid from pg_stat_activity where backend_type = 'client backend'");
    return [pid, ...rows.map((row) => row.pid)].reduce((sum, one) => sum + processorMs(one), 0);
  };
  let asked = 0;
  const next = (): string => {
    const venue = venues[asked++ % venues.length] as BusyVenue;
    return requestText({ path: kind.path(venue), token: venue.token });
  };
  const takeRound = async (name: "whole" | LayerName): Promise<number> => {
    const { port, pid } = apis[name];
    const before = await usedBy(pid);
    const { count, perSecond } = await load({ port, connections: CLIENTS, ms: SECONDS * 1000, next, status: 200 });
    used[name].push(((await usedBy(pid)) - before) / count);
    return perSecond;
  };
  const rateOf = (name: "whole" | LayerName): Promise<number> => untilServed(() => takeRound(name));
  const seen = await takeTurns(ROUNDS, {
    whole: () => rateOf("whole"),
    batcher: () => rateOf("batcher"),
    single: () => rateOf("single"),
    columns: () => rateOf("columns"),
  });
  // The first round was a warm-up.
  const usedIn = (name: "whole" | LayerName): number[] => used[name].slice(1);
  return (Object.entries(LAYERS) as [LayerName, (typeof LAYERS)[LayerName]][]).flatMap(([name, { what, against }]): Figure[] => [
    {
      what: `${what}: reads a second, ${kind.what}`,
      against,
      ratio: spreadOf(ratiosOf(seen.whole, seen[name])),
      seen: `with it ${written(spreadOf(seen.whole), 0)}/s, without ${written(spreadOf(seen[name]), 0)}/s`,
      bar: null,
    },
    {
      what: `${what}: processor time of a read, ${kind.what}`,
      against,
      ratio: spreadOf(ratiosOf(usedIn("whole"), usedIn(name))),
      seen: `with it ${written(spreadOf(usedIn("whole")), 3)} ms, without ${written(spreadOf(usedIn(name)), 3)} ms`,
      bar: null,
    },
  ]);
};

const main = async (): Promise<void> => {
  const service = await openBenchService(VENUES);
  const apis = {
    whole: await service.start(API),
    batcher: await service.start(LAYERS.batcher.program),
    single: await service.start(LAYERS.single.program),
    columns: await service.start(LAYERS.columns.program),
  };
  const figures: Figure[] = [];
  for (const kind of KINDS) figures.push(...(await measure({ ...service, apis }, kind)));
  await service.close();
  publish("reads", "npm run bench:reads", figures);
};

await main();
