/**
 * `npm run bench:alone`: one venue has a process to itself. With turns between venues it gets as much of it as without them. Both processes
 * take turns round by round in one run.
 */
import { UNSCHEDULED_API } from "../server/test/support/processes.ts";
import type { ApiProcess } from "./bench-service.ts";
import { type BenchSize, defineBenchmark, runFull } from "./benchmark.ts";
import type { BusyVenue } from "./busy-venues.ts";
import { run as load, requestText } from "./load.ts";
import { type Figure, figureOf, quantile, ratiosOf, say, takeTurns } from "./measure.ts";

const CLIENTS = [16, 200];
/** The short form has fewer clients: more would wait longer on a busy machine than a request may. */
const FEW_CLIENTS = [4, 8];
const PHONES = 8000;

type BenchRequestKind = { what: string; status: number; next(venue: BusyVenue): string };

let orders = 0;
const KINDS: Record<string, BenchRequestKind> = {
  dish: { what: "Read one dish", status: 200, next: ({ token, dishId }) => requestText({ path: `/api/v1/items/${dishId}`, token }) },
  page: { what: "Read a page of 25 orders", status: 200, next: ({ token }) => requestText({ path: "/api/v1/orders?per_page=25", token }) },
  order: {
    what: "Place an order",
    status: 201,
    next: ({ token, order }) => {
      orders++;
      const headers = { "Idempotency-Key": `alone-${process.pid}-${orders}` };
      // Orders of one guest would wait for each other.
      const body = order.replace("0101", String(1000 + (orders % PHONES)));
      return requestText({ method: "POST", path: "/api/v1/orders", token, body, headers });
    },
  },
};

type AloneStage = { apis: { turns: ApiProcess; none: ApiProcess }; venue: BusyVenue; close(): Promise<void> };

const measure = async ({ apis, venue }: AloneStage, size: BenchSize, kind: BenchRequestKind, connections: number): Promise<Figure> => {
  const what = `${kind.what}, ${connections} clients of one venue`;
  say(`\n${what}`);
  const rateOf = async ({ port }: ApiProcess): Promise<number> =>
    (await load({ port, connections, ms: size.seconds * 1000, requests: size.requests, next: () => kind.next(venue), status: kind.status }))
      .perSecond;
  const seen = await takeTurns(size.rounds, { turns: () => rateOf(apis.turns), none: () => rateOf(apis.none) });
  const rates = `with turns ${quantile(seen.turns, 0.5).toFixed(0)}/s, without ${quantile(seen.none, 0.5).toFixed(0)}/s`;
  return figureOf("alone", what, ratiosOf(seen.turns, seen.none), rates);
};

const scenarioOf =
  (kind: BenchRequestKind) =>
  async (stage: AloneStage, size: BenchSize): Promise<Figure[]> => {
    const figures: Figure[] = [];
    for (const connections of size.share < 1 ? FEW_CLIENTS : CLIENTS) figures.push(await measure(stage, size, kind, connections));
    return figures;
  };

export const BENCHMARK = defineBenchmark<AloneStage>({
  name: "alone",
  command: "npm run bench:alone",
  size: { rounds: 20, seconds: 1 },
  async open(ground) {
    const service = await ground.service();
    const [turns, none] = await Promise.all([service.api(), service.start(UNSCHEDULED_API)]);
    return { apis: { turns, none }, venue: service.venues[0] as BusyVenue, close: async () => void (await none.stop()) };
  },
  scenarios: Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, scenarioOf(kind)])),
});

if (import.meta.main) await runFull(BENCHMARK);
