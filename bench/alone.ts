/**
 * `npm run bench:alone`: one venue has a process to itself. With turns between venues it gets as much of it as without them. Both processes
 * take turns round by round in one run.
 */
import { API, UNSCHEDULED_API } from "../server/test/support/processes.ts";
import { type ApiProcess, openBenchService } from "./bench-service.ts";
import type { BusyVenue } from "./busy-venues.ts";
import { run as load, requestText } from "./load.ts";
import { type Figure, publish, quantile, ratiosOf, say, spreadOf, takeTurns } from "./measure.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1);
const CLIENTS = [16, 200];
const PHONES = 8000;

type BenchRequestKind = { what: string; status: number; next(venue: BusyVenue): string };

let orders = 0;
const KINDS: BenchRequestKind[] = [
  { what: "Read one dish", status: 200, next: ({ token, dishId }) => requestText({ path: `/api/v1/items/${dishId}`, token }) },
  { what: "Read a page of 25 orders", status: 200, next: ({ token }) => requestText({ path: "/api/v1/orders?per_page=25", token }) },
  {
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
];

const measure = async (
  apis: { turns: ApiProcess; none: ApiProcess },
  venue: BusyVenue,
  kind: BenchRequestKind,
  connections: number,
): Promise<Figure> => {
  const what = `${kind.what}, ${connections} clients of one venue`;
  say(`\n${what}`);
  const rateOf = async ({ port }: ApiProcess): Promise<number> =>
    (await load({ port, connections, ms: SECONDS * 1000, next: () => kind.next(venue), status: kind.status })).perSecond;
  const seen = await takeTurns(ROUNDS, { turns: () => rateOf(apis.turns), none: () => rateOf(apis.none) });
  return {
    what,
    against: "the same process without turns between venues",
    ratio: spreadOf(ratiosOf(seen.turns, seen.none)),
    seen: `with turns ${quantile(seen.turns, 0.5).toFixed(0)}/s, without ${quantile(seen.none, 0.5).toFixed(0)}/s`,
    bar: { atLeast: 0.95 },
  };
};

const main = async (): Promise<boolean> => {
  const service = await openBenchService(1);
  const venue = service.venues[0] as BusyVenue;
  const apis = { turns: await service.start(API), none: await service.start(UNSCHEDULED_API) };
  const figures: Figure[] = [];
  for (const kind of KINDS) for (const connections of CLIENTS) figures.push(await measure(apis, venue, kind, connections));
  await service.close();
  return publish("alone", "npm run bench:alone", figures);
};

process.exitCode = (await main()) ? 0 : 1;
