/**
 * `npm run bench:alone`: one venue has a process to itself. With turns between venues it gets as much of it as without them. Both processes
 * take turns round by round in one run.
 */
import pg from "pg";
import { buildApp } from "../server/src/app.ts";
import { readConfig } from "../server/src/config.ts";
import { openDeps, openLog } from "../server/src/deps.ts";
import { openThrowaway } from "../server/src/dev/throwaway.ts";
import { API, createFleet, createRedis, type Fleet, type Program, UNFAIR_API } from "../server/test/processes.ts";
import { SECRET_KEYS } from "./house.ts";
import { run as load, requestText } from "./load.ts";
import { type Figure, publish, quantile, ratiosOf, say, spreadOf, takeTurns } from "./measure.ts";
import { buildStreet, type Venue } from "./street.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 20);
const SECONDS = Number(process.env.SECONDS ?? 1);
const CLIENTS = [16, 200];
const PHONES = 8000;

type Kind = { what: string; status: number; next(venue: Venue): string };

let orders = 0;
const KINDS: Kind[] = [
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

const measure = async (fleets: { turns: Fleet; none: Fleet }, venue: Venue, kind: Kind, connections: number): Promise<Figure> => {
  const what = `${kind.what}, ${connections} clients of one venue`;
  say(`\n${what}`);
  const rateOf = async ({ port }: Fleet): Promise<number> =>
    (await load({ port, connections, ms: SECONDS * 1000, next: () => kind.next(venue), status: kind.status })).perSecond;
  const seen = await takeTurns(ROUNDS, { turns: () => rateOf(fleets.turns), none: () => rateOf(fleets.none) });
  return {
    what,
    against: "the same process without turns between venues",
    ratio: spreadOf(ratiosOf(seen.turns, seen.none)),
    seen: `with turns ${quantile(seen.turns, 0.5).toFixed(0)}/s, without ${quantile(seen.none, 0.5).toFixed(0)}/s`,
    bar: { atLeast: 0.95 },
  };
};

const main = async (): Promise<boolean> => {
  const database = await openThrowaway("bench", { durable: true });
  const redis = await createRedis();
  await redis.start();
  const deps = await openDeps(readConfig({ DATABASE_URL: database.appUrl, SECRET_KEYS, LOG_LEVEL: "error" }), { log: openLog("error") });
  const app = await buildApp(deps);
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1, options: "-c search_path=app" });
  const [venue] = await buildStreet(deps, app, owner, 1);
  if (!venue) throw new Error("The street is empty");
  await owner.end();
  const start = async (program: Program): Promise<Fleet> => {
    const fleet = await createFleet(database.appUrl, { REDIS_URL: redis.url, SECRET_KEYS, NODE_ENV: "production" });
    await fleet.start({}, program);
    return fleet;
  };
  const fleets = { turns: await start(API), none: await start(UNFAIR_API) };
  const figures: Figure[] = [];
  for (const kind of KINDS) for (const connections of CLIENTS) figures.push(await measure(fleets, venue, kind, connections));
  for (const fleet of Object.values(fleets)) await fleet.close();
  await app.stop();
  await deps.close();
  await redis.stop();
  await database.close();
  return publish("alone", "npm run bench:alone", figures);
};

process.exitCode = (await main()) ? 0 : 1;
