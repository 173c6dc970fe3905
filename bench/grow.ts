/**
 * `npm run bench:grow -- --venues 20000 --orders 10000000 --database postgres://postgres:…@127.0.0.1/grown`: a database as it is
 * after two years of service. The address is an administrator's; the database is made and migrated if it is not there. With
 * `--folder` instead, a PostgreSQL of its own is started there and stopped at the end. Stopped half way, the same command goes on.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { defineBenchmark, nothingToClose } from "./benchmark.ts";
import type { Ground } from "./ground.ts";
import { ensureGrown, openFolder } from "./growth/database.ts";
import { grow } from "./growth/grow.ts";
import { secretOf } from "./growth/template.ts";
import { type Figure, figureOf } from "./measure.ts";

const run = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      venues: { type: "string", default: "100" },
      orders: { type: "string", default: "10000" },
      seed: { type: "string", default: "1" },
      until: { type: "string" },
      database: { type: "string" },
      folder: { type: "string" },
    },
  });
  if ((values.database === undefined) === (values.folder === undefined)) throw new Error("Give either --database or --folder");
  const server = values.folder === undefined ? null : await openFolder(values.folder, "loading");
  try {
    const urls = await ensureGrown(values.database ?? server?.databaseUrl ?? "");
    const seed = Number(values.seed);
    const until = values.until ?? urls.until ?? new Date().toISOString().slice(0, 10);
    const startedAt = performance.now();
    await grow(urls, { venues: Number(values.venues), orders: Number(values.orders), seed, until });
    process.stdout.write(
      `grown in ${((performance.now() - startedAt) / 60_000).toFixed(1)} min; every venue's token is <its id>|${secretOf(seed)}\n`,
    );
  } finally {
    await server?.stop();
  }
};

/** The sum of the orders that were asked for; the template's own orders are among them. */
const countOrders = async (ground: Ground): Promise<Figure[]> => {
  const { database, scale } = await ground.grown();
  const owner = new pg.Client({ connectionString: database.ownerUrl, options: "-c search_path=app" });
  await owner.connect();
  const { rows } = await owner.query<{ orders: string }>("select count(*) as orders from orders");
  await owner.end();
  return [figureOf("grow", "Grow a database", [Number(rows[0]?.orders) / scale.orders], `${scale.venues} venues`)];
};

export const BENCHMARK = defineBenchmark({
  name: "grow",
  command: "npm run bench:grow",
  size: {},
  open: async (ground) => ({ ground, ...nothingToClose }),
  scenarios: { orders: ({ ground }) => countOrders(ground) },
});

if (import.meta.main) await run();
