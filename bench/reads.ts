/**
 * `npm run bench:reads`: what each layer of a read gives. The API as it is takes turns, round by round, with the same API that lacks one
 * layer: the read batcher, the single query that binds the tenant without a transaction, or the query class that knows its columns.
 * Processor time of a read, of the API and of PostgreSQL together, is compared beside the rate: other work on the machine changes it less.
 * Needs redis-server, and Linux for the processor time.
 */
import { readVariantApi } from "../server/test/support/processes.ts";
import type { ApiProcess, BenchService } from "./bench-service.ts";
import { type BenchSize, defineBenchmark, runFull } from "./benchmark.ts";
import type { BusyVenue } from "./busy-venues.ts";
import { run as load, requestText } from "./load.ts";
import { type Figure, figureOf, ratiosOf, say, spreadOf, takeTurns, written } from "./measure.ts";
import { processorMs } from "./processor-time.ts";

const CLIENTS = 16;
const ATTEMPTS_MAX = 20;

const LAYERS = {
  batcher: { what: "The read batcher", program: readVariantApi("unbatched") },
  single: { what: "The single query", program: readVariantApi("in-transactions") },
  columns: { what: "Our own query class", program: readVariantApi("described") },
} as const;
type LayerName = keyof typeof LAYERS;

type ReadKind = { what: string; path(venue: BusyVenue): string };

const KINDS: Record<string, ReadKind> = {
  dish: { what: "one dish", path: ({ dishId }) => `/api/v1/items/${dishId}` },
  page: { what: "a page of 25 orders", path: () => "/api/v1/orders?per_page=25" },
};

/** On a busy machine a process that opens connections may refuse requests for a moment. Such a round is repeated. */
const untilServed = async (ask: () => Promise<number>): Promise<number> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
    }
};

type ReadsStage = { apis: Record<"whole" | LayerName, ApiProcess>; close(): Promise<void> } & Pick<BenchService, "venues" | "owner">;

const measure = async (
  { apis, venues, owner }: ReadsStage,
  { rounds, seconds, requests }: BenchSize,
  kind: ReadKind,
): Promise<Figure[]> => {
  say(`\n${kind.what}, ${CLIENTS} clients of ${venues.length} venues: reads a second`);
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
    const { count, perSecond } = await load({ port, connections: CLIENTS, ms: seconds * 1000, requests, next, status: 200 });
    used[name].push(((await usedBy(pid)) - before) / count);
    return perSecond;
  };
  const rateOf = (name: "whole" | LayerName): Promise<number> => untilServed(() => takeRound(name));
  const seen = await takeTurns(rounds, {
    whole: () => rateOf("whole"),
    batcher: () => rateOf("batcher"),
    single: () => rateOf("single"),
    columns: () => rateOf("columns"),
  });
  // The first round was a warm-up.
  const usedIn = (name: "whole" | LayerName): number[] => used[name].slice(1);
  return (Object.entries(LAYERS) as [LayerName, (typeof LAYERS)[LayerName]][]).flatMap(([name, { what }]): Figure[] => [
    figureOf(
      `reads ${name}`,
      `${what}: reads a second, ${kind.what}`,
      ratiosOf(seen.whole, seen[name]),
      `with it ${written(spreadOf(seen.whole), 0)}/s, without ${written(spreadOf(seen[name]), 0)}/s`,
    ),
    figureOf(
      `reads ${name}`,
      `${what}: processor time of a read, ${kind.what}`,
      ratiosOf(usedIn("whole"), usedIn(name)),
      `with it ${written(spreadOf(usedIn("whole")), 3)} ms, without ${written(spreadOf(usedIn(name)), 3)} ms`,
    ),
  ]);
};

export const BENCHMARK = defineBenchmark<ReadsStage>({
  name: "reads",
  command: "npm run bench:reads",
  size: { rounds: 40, seconds: 0.5 },
  ground: { venues: 8 },
  async open(ground) {
    const service = await ground.service();
    const [whole, batcher, single, columns] = await Promise.all([
      service.api(),
      service.start(LAYERS.batcher.program),
      service.start(LAYERS.single.program),
      service.start(LAYERS.columns.program),
    ]);
    const { venues, owner } = service;
    const close = async (): Promise<void> => void (await Promise.all([batcher.stop(), single.stop(), columns.stop()]));
    return { apis: { whole, batcher, single, columns }, venues, owner, close };
  },
  scenarios: Object.fromEntries(
    Object.entries(KINDS).map(([name, kind]) => [name, (stage: ReadsStage, size: BenchSize) => measure(stage, size, kind)]),
  ),
});

if (import.meta.main) await runFull(BENCHMARK);
