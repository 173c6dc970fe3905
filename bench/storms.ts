/**
 * `npm run storms`: the storms in their long form, one after the other, and what each of them printed. About two hours; STORM=name[,name]
 * runs some of them. The results are kept for `npm run figures`.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { commitOf, machineOf, say } from "./measure.ts";

type Storm = { name: string; what: string; files: string[]; environment: Record<string, string> };

const LONG = { LONG: "1" };

const STORMS: Storm[] = [
  {
    name: "kills",
    what: "API, worker and PostgreSQL killed under load",
    files: ["server/test/kill-storm.test.ts"],
    environment: { KILLS: "500" },
  },
  { name: "input", what: "Hostile input to every operation", files: ["server/test/input-storm.test.ts"], environment: LONG },
  {
    name: "tenants",
    what: "Every operation with every id of other venues",
    files: ["server/test/tenant-matrix.test.ts", "server/test/pool-isolation.test.ts"],
    environment: LONG,
  },
  { name: "gates", what: "Every operation with every set of scopes", files: ["server/test/gate-table.test.ts"], environment: LONG },
  {
    name: "oauth",
    what: "Exchanges and refreshes racing",
    files: ["server/test/oauth-storm.test.ts", "server/test/oauth-races.test.ts"],
    environment: LONG,
  },
  { name: "last-table", what: "Parties racing for the last table", files: ["server/test/last-table-storm.test.ts"], environment: LONG },
  {
    name: "orders",
    what: "Orders with one key, and moves of one order, racing",
    files: ["server/test/idempotency-storm.test.ts", "server/test/order-storm.test.ts", "server/test/order-moves-storm.test.ts"],
    environment: LONG,
  },
  {
    name: "doors",
    what: "The worst request to every route of every door",
    files: ["server/test/door-budgets.test.ts"],
    environment: LONG,
  },
  {
    name: "neighbour",
    what: "One venue floods a process, another asks one thing after the other",
    files: ["server/test/noisy-neighbour.test.ts"],
    environment: LONG,
  },
  {
    name: "revocations",
    what: "Writes whose access ends while they are sent or running",
    files: ["server/test/half-sent-writes.test.ts", "server/test/revoked-console-writes.test.ts", "server/test/running-writes.test.ts"],
    environment: LONG,
  },
  {
    name: "sign-ins",
    what: "Wrong sign-ins from everywhere",
    files: ["server/test/lock-out.test.ts", "server/test/sign-in-flood.test.ts"],
    environment: LONG,
  },
  { name: "standby", what: "The primary is switched under load", files: ["server/test/standby.test.ts"], environment: LONG },
  {
    name: "walls",
    what: "Messages into our own network, and hostile receivers",
    files: ["server/src/platform/webhooks"],
    environment: LONG,
  },
  {
    name: "fairness",
    what: "Addresses that hang, secrets that turn",
    files: ["server/test/fairness.test.ts", "server/test/rotation.test.ts"],
    environment: LONG,
  },
  { name: "restarts", what: "Rolling restarts under load", files: ["server/test/rolling-restart.test.ts"], environment: LONG },
  { name: "sockets", what: "Slow sockets and broken requests", files: ["server/test/http-limits.test.ts"], environment: LONG },
  { name: "overload", what: "Three times as much as a process can do", files: ["server/test/overload-storm.test.ts"], environment: LONG },
  { name: "revocations", what: "Tokens revoked under load", files: ["server/test/revocations.test.ts"], environment: LONG },
  {
    name: "sandbox",
    what: "Sandboxes reset while they are read",
    files: ["server/test/sandbox-storm.test.ts", "server/test/sandbox-wall.test.ts"],
    environment: LONG,
  },
  {
    name: "erase",
    what: "A guest erased while everything about them is written",
    files: ["server/test/erase-storm.test.ts", "server/src/venue/erasure/erasure.test.ts"],
    environment: LONG,
  },
  { name: "migration", what: "The schema migrated under load", files: ["server/test/migration-storm.test.ts"], environment: LONG },
  { name: "move", what: "A venue moved to another cell while it is used", files: ["server/test/venue-move.test.ts"], environment: LONG },
];

const RESULTS = "bench/results/storms.json";

export type StormResult = {
  name: string;
  what: string;
  command: string;
  passed: boolean;
  tests: string;
  seconds: number;
  printed: string[];
};

/** What a test tells by `console.info` comes after a line that names the test. */
const printedIn = (output: string): string[] =>
  [...output.matchAll(/^stdout \| .*\n([\s\S]*?)\n\n/gm)].flatMap(([, text = ""]) => text.split("\n").filter((line) => /\d/.test(line)));

const weather = (storm: Storm): Promise<StormResult> =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn("npx", ["vitest", "run", ...storm.files], { env: { ...process.env, NO_COLOR: "1", ...storm.environment } });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        process.stdout.write(".");
      });
    child.once("exit", (code) => {
      const setting = Object.entries(storm.environment)
        .map(([name, value]) => `${name}=${value}`)
        .join(" ");
      resolve({
        name: storm.name,
        what: storm.what,
        command: `${setting} npx vitest run ${storm.files.join(" ")}`,
        passed: code === 0,
        tests: /Tests\s+(.*)/.exec(output)?.[1] ?? "none",
        seconds: Math.round((performance.now() - startedAt) / 1000),
        printed: printedIn(output),
      });
    });
  });

const wanted = process.env.STORM?.split(",");
const earlier = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, "utf8")) as { storms: StormResult[] }).storms : [];
const results = new Map(earlier.map((result) => [result.name, result]));
for (const storm of STORMS.filter(({ name }) => wanted?.includes(name) ?? true)) {
  say(`${storm.name}: ${storm.what}`);
  const result = await weather(storm);
  results.set(storm.name, result);
  say(`\n  ${result.passed ? "held" : "DID NOT HOLD"}: ${result.tests}, ${result.seconds} s`);
  for (const line of result.printed) say(`    ${line}`);
  mkdirSync("bench/results", { recursive: true });
  const report = { commit: commitOf(), machine: machineOf(), at: new Date().toISOString(), storms: [...results.values()] };
  writeFileSync(RESULTS, `${JSON.stringify(report, null, 2)}\n`);
}
process.exitCode = [...results.values()].every(({ passed }) => passed) ? 0 : 1;
