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

/** From now on every new connection of the service to this database says how each of its statements was run. The owner, who fills it, says nothing. */
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
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) *
  (node["Actual Loops"] ?? 1);

/** What is wrong with a plan, in sentences; `tables` are those that hold rows of tenants. */
export const faultsOf = ({ nodes }: LoggedPlan, tables: ReadonlySet<string>, tableOf: ReadonlyMap<string, string>): string[] =>
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
