/** How PostgreSQL did what it was asked: the plan of every statement, those inside functions and behind references included. */
import type pg from "pg";
import type { Config } from "../../src/config.ts";
import { openPool } from "../../src/db/pool.ts";
import { openLog } from "../../src/deps.ts";
import { asAdmin } from "./admin-connection.ts";
import type { TestDatabase } from "./database.ts";
import { testPostgres } from "./test-postgres.ts";

type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
};

export type LoggedPlan = { text: string; nodes: PlanNode[] };

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/**
 * Makes every new connection of the service to this database log how each of its statements was run. The owner, who fills it, logs nothing.
 */
export const logPlans = async (database: TestDatabase): Promise<void> => {
  const { username, pathname } = new URL(database.appUrl);
  const admin = await asAdmin((await testPostgres()).adminUrl, "postgres");
  for (const setting of [
    "session_preload_libraries = 'auto_explain'",
    "auto_explain.log_min_duration = 0",
    "auto_explain.log_nested_statements = on",
    "auto_explain.log_analyze = on",
    "auto_explain.log_timing = off",
    "auto_explain.log_format = json",
    "client_min_messages = log",
  ])
    await admin.query(`alter role ${username} in database ${pathname.slice(1)} set ${setting}`);
  await admin.end();
};

export const planCollectingPool =
  (onPlan: (plan: LoggedPlan) => void) =>
  (config: Config): pg.Pool => {
    const pool = openPool({ url: config.databaseUrl, connectionsMax: 2, log: openLog("fatal") });
    pool.on("connect", (client) =>
      client.on("notice", ({ message = "" }) => {
        if (!message.includes("plan:")) return;
        const { "Query Text": text, Plan: plan } = JSON.parse(message.slice(message.indexOf("{"))) as {
          "Query Text": string;
          Plan: PlanNode;
        };
        onPlan({ text, nodes: nodesOf(plan) });
      }),
    );
    return pool;
  };

/** Before the tenant is known: the number in a token, and the restaurant itself. */
const FOUND_BY_ID = ["tokens_by_id", "restaurants_pkey", "restaurants_slug_key"];

/** More than a report of two years needs in a venue of two branches, far less than a heavy venue has. */
const ROWS_MAX = 1600;

export const rowsRead = (node: PlanNode): number =>
  // Newer releases of PostgreSQL give parts of rows: the rows of all loops, divided by the loops.
  Math.round(
    ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) *
      (node["Actual Loops"] ?? 1),
  );

/** What is wrong with a plan, in sentences; `tables` are those that hold rows of tenants. */
const faultsOf = ({ nodes }: LoggedPlan, tables: ReadonlySet<string>, tableOf: ReadonlyMap<string, string>): string[] =>
  nodes.flatMap((node) => {
    const index = node["Index Name"];
    const table = node["Relation Name"] ?? (index === undefined ? undefined : tableOf.get(index));
    if (table === undefined || !tables.has(table) || (node["Actual Loops"] ?? 1) === 0) return [];
    if (node["Node Type"] === "Seq Scan") return [`reads all of ${table}`];
    const faults = rowsRead(node) > ROWS_MAX ? [`reads ${rowsRead(node)} rows of ${table}`] : [];
    if (index === undefined || FOUND_BY_ID.includes(index)) return faults;
    if (!/^\(+(\w+\.)?restaurant_id = /.test(node["Index Cond"] ?? ""))
      faults.push(`looks into ${index} by ${node["Index Cond"] ?? "nothing"}`);
    return faults;
  });

/** How a session plans prepared statements: for the values of each run, for any values, or what PostgreSQL decides with the sixth run. */
type PlanMode = "force_custom_plan" | "force_generic_plan" | "auto";
const RUNS_TO_DECIDE = 7;

export type PlanCheck = {
  /** The pool that `startApp` takes. */
  pool(config: Config): pg.Pool;
  /** What was run for the last question. */
  plans(): readonly LoggedPlan[];
  /** Once the database is filled. A plan may not read all of a tenant's table with at least `rowsMin` rows, nor of `others`. */
  start(rowsMin: number, others?: readonly string[]): Promise<void>;
  /** The faults of all plans that PostgreSQL could use for it. */
  faultsAsking(ask: () => Promise<unknown>): Promise<string[]>;
};

/** Every new connection of the service to this database says its plans, from `logPlans` on. */
export const createPlanCheck = (database: TestDatabase): PlanCheck => {
  const clients = new Set<pg.PoolClient>();
  let plans: LoggedPlan[] = [];
  let [tables, tableOf] = [new Set<string>(), new Map<string, string>()];
  let mode: PlanMode = "auto";
  /** The pool ends a connection that was idle for ten seconds, and says so a moment later. */
  const setMode = (client: pg.PoolClient): Promise<unknown> =>
    client.query(`set plan_cache_mode = ${mode}`).catch((error: Error) => {
      if (!error.message.startsWith("Client was closed")) throw error;
      clients.delete(client);
    });
  const faultsWith = async (wanted: PlanMode, runs: number, ask: () => Promise<unknown>): Promise<string[]> => {
    mode = wanted;
    for (const client of clients) await setMode(client);
    const before = plans.length;
    for (let run = 0; run < runs; run++) await ask();
    const found = plans
      .slice(before)
      .flatMap((plan) => faultsOf(plan, tables, tableOf).map((fault) => `${fault}: ${plan.text.replaceAll(/\s+/g, " ").slice(0, 160)}`));
    return [...new Set(found)];
  };
  return {
    pool(config) {
      const pool = planCollectingPool((plan) => plans.push(plan))(config);
      pool.on("connect", (client) => {
        clients.add(client);
        void setMode(client);
      });
      pool.on("remove", (client) => clients.delete(client));
      return pool;
    },
    plans: () => plans,
    async start(rowsMin, others = []) {
      const names = await database.asOwner<{ name: string }>(
        `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'restaurant_id'
         where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and c.reltuples >= $1`,
        [rowsMin],
      );
      tables = new Set([...names.map(({ name }) => name), ...others]);
      const indexes = await database.asOwner<{ name: string; of: string }>(
        "select indexrelid::regclass::text as name, indrelid::regclass::text as of from pg_index where indrelid in (select oid from pg_class where relnamespace = 'app'::regnamespace)",
      );
      tableOf = new Map(indexes.map(({ name, of }) => [name, of]));
    },
    async faultsAsking(ask) {
      plans = [];
      const faults = await faultsWith("force_custom_plan", 1, ask);
      if (faults.length > 0) return faults;
      // A bad plan for any values matters only when PostgreSQL prefers it.
      const isAnyGood = (await faultsWith("force_generic_plan", 1, ask)).length === 0;
      return isAnyGood ? [] : faultsWith("auto", RUNS_TO_DECIDE, ask);
    },
  };
};
