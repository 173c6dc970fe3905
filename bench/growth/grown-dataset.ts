/** One grown database with a PostgreSQL and an API process of its own, and requests to it as any of its venues. */
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import pg from "pg";
import { createFleet } from "../../server/test/support/processes.ts";
import { random } from "../../server/test/support/seeded-random.ts";
import { ensureGrown, type GrownServer } from "./database.ts";
import { drawn } from "./orders.ts";
import { isHeavy, type Scale, STEP } from "./scale.ts";
import { encryptionKeysOf, secretOf } from "./template.ts";
import { type Blocks, readBlocks } from "./venues.ts";

export type GrowthCall = { venue: number; method: "GET" | "POST"; path: string; body?: object; key?: string };
export type TimedReply = { ms: number; body: never };
export type RequestCost = { execMs: number; cpuMs: number };

export type GrownDataset = {
  name: string;
  scale: Scale;
  owner: pg.Client;
  /** Ids of one venue's dishes. */
  dishes(venue: number): number[];
  /** A typical venue, or a heavy one, drawn at random. */
  draw(kind: "typical" | "heavy"): number;
  /** Orders among the newest ones of the database, found without reading them. */
  someOrders(count: number, newest: number): Promise<{ venue: number; id: string }[]>;
  send(call: GrowthCall): Promise<TimedReply>;
  /** What PostgreSQL has spent so far: on statements, and on the processor. */
  cost(): Promise<RequestCost>;
  close(): Promise<void>;
};

const TICK_MS = 10;

/** Returns the processor time of the server and all its children. */
const cpuOf = (pid: number): number => {
  let ticks = 0;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      if (Number(entry) === pid || Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended while we were looking.
    }
  }
  return ticks * TICK_MS;
};

const sender = (port: number, tokenOf: (venue: number) => string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const send = ({ venue, method, path, body, key }: GrowthCall): Promise<TimedReply> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? "" : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${tokenOf(venue)}`,
        ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        ...(key && { "idempotency-key": key }),
      };
      const startedAt = performance.now();
      const call = request({ agent, host: "127.0.0.1", port, method, path: `/api/v1${path}`, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.once("error", reject);
        answer.once("end", () => {
          const ms = performance.now() - startedAt;
          const payload = Buffer.concat(chunks).toString();
          if ((answer.statusCode ?? 500) >= 300) reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${payload}`));
          else resolve({ ms, body: JSON.parse(payload) as never });
        });
      });
      call.once("error", reject);
      call.end(text);
    });
  return { send, stop: () => agent.destroy() };
};

const openOwner = async (databaseUrl: string, ownerUrl: string): Promise<pg.Client> => {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(
    "create extension if not exists pg_stat_statements; create extension if not exists pg_prewarm; grant pg_read_all_stats to comanda_test_owner",
  );
  await admin.end();
  const owner = new pg.Client({ connectionString: ownerUrl, options: "-c search_path=app,public -c timezone=UTC" });
  await owner.connect();
  return owner;
};

/** Dishes that can be ordered as they are. */
const plainDishes = async (owner: pg.Client): Promise<number[]> => {
  const { rows } = await owner.query<{ id: string }>(
    `select i.id from items i where i.restaurant_id = ${STEP} and i.price_minor is not null and i.is_available and i.show_online
       and not exists (select from item_modifier_groups g where g.restaurant_id = i.restaurant_id and g.item_id = i.id) order by i.id`,
  );
  return rows.map(({ id }) => Number(id));
};

const readScale = async (owner: pg.Client): Promise<Scale> => {
  const { rows } = await owner.query<{ venues: string; orders: string; seed: string; until: string }>("select * from grown.scale");
  const [scale] = rows;
  if (!scale) throw new Error("This database is not grown; use `npm run bench:grow`");
  return { venues: Number(scale.venues), orders: Number(scale.orders), seed: Number(scale.seed), until: scale.until };
};

export const openDataset = async (name: string, server: GrownServer, seed: number): Promise<GrownDataset> => {
  const urls = await ensureGrown(server.databaseUrl);
  const owner = await openOwner(server.databaseUrl, urls.ownerUrl);
  const scale = await readScale(owner);
  const blocks: Blocks = await readBlocks(owner);
  const plain = await plainDishes(owner);
  const fleet = await createFleet(urls.appUrl, { ENCRYPTION_KEYS: encryptionKeysOf(scale.seed), REUSE_PORT: "false" });
  await fleet.start();
  const firstToken = blocks.get("tokens")?.first ?? STEP;
  const secret = secretOf(scale.seed);
  const wire = sender(fleet.port, (venue) => `${firstToken + venue * STEP}|${secret}`);
  const chance = random(seed);
  return {
    name,
    scale,
    owner,
    dishes: (venue) => plain.map((id) => id + venue * (blocks.get("items")?.rows ?? 0) * STEP),
    draw(kind) {
      if (kind === "heavy") return chance(scale.venues / 100) * 100;
      const venue = chance(scale.venues);
      return isHeavy(venue) ? venue + 1 : venue;
    },
    async someOrders(count, newest) {
      const ordinals = Array.from({ length: count }, () => scale.orders - 1 - chance(Math.min(newest, scale.orders)));
      const { rows } = await owner.query<{ v: string; oid: string }>(
        `with ${drawn(scale, `unnest('{${ordinals.join(",")}}'::bigint[])`)} select v, oid from n`,
      );
      return rows.map(({ v, oid }) => ({ venue: Number(v), id: oid }));
    },
    send: wire.send,
    async cost() {
      const { rows } = await owner.query<{ ms: number }>(
        "select coalesce(sum(total_exec_time + total_plan_time), 0) as ms from pg_stat_statements where userid = 'comanda_test_app'::regrole",
      );
      return { execMs: rows[0]?.ms ?? 0, cpuMs: cpuOf(server.pid) };
    },
    async close() {
      wire.stop();
      await fleet.close();
      await owner.end();
      await server.stop();
    },
  };
};
