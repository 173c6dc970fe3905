/**
 * `npm run stress`: the stress tests in their long form, one after another, and what each of them printed. About two hours;
 * TEST_ONLY=name[,name] runs some of them. The results are kept for `npm run figures`.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { defineBenchmark, nothingToClose } from "./benchmark.ts";
import { commitOf, figureOf, machineOf, say } from "./measure.ts";

type StressRun = { name: string; what: string; files: string[]; environment: Record<string, string> };

const LONG = { TEST_STRESS: "1" };

const RUNS: StressRun[] = [
  {
    name: "kills",
    what: "API, worker and PostgreSQL killed under load",
    files: ["server/test/stress/process-kills.test.ts"],
    environment: { TEST_KILLS: "500" },
  },
  {
    name: "trade-kills",
    what: "Gift cards, tickets, stock, shifts and reviews while processes are killed",
    files: ["server/test/stress/trade-kills.test.ts"],
    environment: { TEST_KILLS: "500" },
  },
  { name: "input", what: "Hostile input to every operation", files: ["server/test/stress/input-fuzz.test.ts"], environment: LONG },
  {
    name: "tenants",
    what: "Every operation with every id of other venues",
    files: ["server/test/guarantees/tenant-isolation.test.ts", "server/test/guarantees/pool-isolation.test.ts"],
    environment: LONG,
  },
  {
    name: "scopes",
    what: "Every operation with every set of scopes",
    files: ["server/test/guarantees/access-table.test.ts", "server/test/guarantees/mcp-tools.test.ts"],
    environment: LONG,
  },
  {
    name: "oauth",
    what: "Exchanges and refreshes racing",
    files: ["server/test/stress/oauth-code-race.test.ts", "server/test/stress/oauth-pair-races.test.ts"],
    environment: LONG,
  },
  {
    name: "last-table",
    what: "Parties racing for the last table",
    files: ["server/test/stress/last-table-race.test.ts"],
    environment: LONG,
  },
  {
    name: "gift-cards",
    what: "One gift card redeemed, refunded, frozen and expired at once",
    files: ["server/test/stress/gift-card-race.test.ts"],
    environment: LONG,
  },
  {
    name: "reviews",
    what: "Many posts of one link to a review at once, beside an erasure",
    files: ["server/test/stress/review-race.test.ts"],
    environment: LONG,
  },
  {
    name: "stock",
    what: "One ingredient taken by orders, given back, delivered, wasted and counted at once",
    files: ["server/test/stress/stock-race.test.ts"],
    environment: LONG,
  },
  {
    name: "shifts",
    what: "One week of shifts published many times at once, and overlapping shifts of one person",
    files: ["server/test/stress/shift-race.test.ts"],
    environment: LONG,
  },
  {
    name: "feed",
    what: "The event feed under late commits, and with 1,000 waiting clients",
    files: ["server/test/stress/event-feed-race.test.ts"],
    environment: LONG,
  },
  {
    name: "quotes",
    what: "Quotes of random carts beside their orders, with the changes that would make a rule pass",
    files: ["server/test/stress/quote-carts.test.ts"],
    environment: LONG,
  },
  {
    name: "experiences",
    what: "Seats of one session held, paid, refunded, released and expired at once, while their number changes",
    files: ["server/test/stress/experience-race.test.ts"],
    environment: LONG,
  },
  {
    name: "merges",
    what: "Two profiles of a guest merged from both sides while orders come in by both numbers",
    files: ["server/test/stress/guest-merge-race.test.ts"],
    environment: LONG,
  },
  {
    name: "orders",
    what: "Orders with one key, and status changes of one order, racing",
    files: [
      "server/test/stress/idempotency-race.test.ts",
      "server/test/stress/duplicate-orders-race.test.ts",
      "server/test/stress/order-status-race.test.ts",
    ],
    environment: LONG,
  },
  {
    name: "lists",
    what: "Lists read to the end, and followed by updated_since, while orders are written and prices change",
    files: [
      "server/test/stress/paging-under-writes.test.ts",
      "server/test/stress/updated-since-race.test.ts",
      "server/test/stress/price-change-race.test.ts",
    ],
    environment: LONG,
  },
  {
    name: "routes",
    what: "The worst request to every route",
    files: ["server/test/stress/route-budgets.test.ts"],
    environment: LONG,
  },
  {
    name: "noisy-neighbour",
    what: "One venue floods a process, another sends one request after another",
    files: ["server/test/stress/noisy-neighbour.test.ts"],
    environment: LONG,
  },
  {
    name: "revocations",
    what: "Writes whose access ends while they are sent or running",
    files: [
      "server/test/stress/half-sent-writes.test.ts",
      "server/test/stress/revoked-console-writes.test.ts",
      "server/test/stress/revocation-waits-for-writes.test.ts",
    ],
    environment: LONG,
  },
  {
    name: "sign-ins",
    what: "Wrong sign-ins from many addresses",
    files: ["server/test/stress/sign-in-lockout.test.ts", "server/test/stress/sign-in-flood.test.ts"],
    environment: LONG,
  },
  { name: "standby", what: "The primary is switched under load", files: ["server/test/guarantees/standby.test.ts"], environment: LONG },
  {
    name: "outbound",
    what: "Webhooks into our own network, and hostile receivers",
    files: ["server/src/platform/events/webhooks"],
    environment: LONG,
  },
  {
    name: "fairness",
    what: "Endpoints that hang, secrets that are rotated",
    files: ["server/test/stress/delivery-fairness.test.ts", "server/test/guarantees/webhook-secret-rotation.test.ts"],
    environment: LONG,
  },
  { name: "restarts", what: "Rolling restarts under load", files: ["server/test/stress/rolling-restart.test.ts"], environment: LONG },
  {
    name: "sockets",
    what: "Slow sockets, broken requests and floods of connections",
    files: ["server/test/stress/http-limits.test.ts", "server/test/stress/socket-floods.test.ts"],
    environment: LONG,
  },
  { name: "overload", what: "Three times the load a process can serve", files: ["server/test/stress/overload.test.ts"], environment: LONG },
  {
    name: "revoked-tokens",
    what: "Tokens revoked under load",
    files: ["server/test/stress/revocation-under-load.test.ts", "server/test/guarantees/bearer-tokens.test.ts"],
    environment: LONG,
  },
  {
    name: "sandbox",
    what: "Sandboxes reset while they are read",
    files: ["server/test/stress/sandbox-reset-race.test.ts", "server/test/guarantees/sandbox-isolation.test.ts"],
    environment: LONG,
  },
  {
    name: "erase",
    what: "A guest erased while everything about them is written",
    files: ["server/test/stress/erasure-race.test.ts", "server/src/venue/guest-records/erasure/erasure.test.ts"],
    environment: LONG,
  },
  { name: "migration", what: "The schema migrated under load", files: ["server/test/stress/live-migration.test.ts"], environment: LONG },
  {
    name: "move",
    what: "A venue moved to another cell while it is used",
    files: ["server/test/stress/venue-move.test.ts"],
    environment: LONG,
  },
  {
    name: "hours",
    what: "Opening hours in every zone, at every change of the clock",
    files: ["server/src/venue/settings/rules/opening-hours.test.ts"],
    environment: LONG,
  },
  {
    name: "reports",
    what: "Reports of random periods beside the orders that they are about",
    files: [
      "server/src/venue/reports/reports.test.ts",
      "server/src/venue/reports/manager-reports/manager-reports.test.ts",
      "server/test/stress/report-sums-race.test.ts",
    ],
    environment: LONG,
  },
];

const RESULTS = "bench/results/stress.json";

export type StressResult = {
  name: string;
  what: string;
  command: string;
  passed: boolean;
  tests: string;
  seconds: number;
  printed: string[];
};

/** Vitest writes the output of `console.info` after a line that names the test. */
const printedIn = (output: string): string[] =>
  [...output.matchAll(/^stdout \| .*\n([\s\S]*?)\n\n/gm)].flatMap(([, text = ""]) => text.split("\n").filter((line) => /\d/.test(line)));

const runTests = (run: StressRun): Promise<StressResult> =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn("npx", ["vitest", "run", ...run.files], { env: { ...process.env, NO_COLOR: "1", ...run.environment } });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        process.stdout.write(".");
      });
    child.once("exit", (code) => {
      const setting = Object.entries(run.environment)
        .map(([name, value]) => `${name}=${value}`)
        .join(" ");
      resolve({
        name: run.name,
        what: run.what,
        command: `${setting} npx vitest run ${run.files.join(" ")}`,
        passed: code === 0,
        tests: /Tests\s+(.*)/.exec(output)?.[1] ?? "none",
        seconds: Math.round((performance.now() - startedAt) / 1000),
        printed: printedIn(output),
      });
    });
  });

const runLongForms = async (): Promise<void> => {
  const wanted = process.env.TEST_ONLY?.split(",");
  const earlier = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, "utf8")) as { runs: StressResult[] }).runs : [];
  const results = new Map(earlier.map((result) => [result.name, result]));
  for (const run of RUNS.filter(({ name }) => wanted?.includes(name) ?? true)) {
    say(`${run.name}: ${run.what}`);
    const result = await runTests(run);
    results.set(run.name, result);
    say(`\n  ${result.passed ? "passed" : "FAILED"}: ${result.tests}, ${result.seconds} s`);
    for (const line of result.printed) say(`    ${line}`);
    mkdirSync("bench/results", { recursive: true });
    const report = { commit: commitOf(), machine: machineOf(), at: new Date().toISOString(), runs: [...results.values()] };
    writeFileSync(RESULTS, `${JSON.stringify(report, null, 2)}\n`);
  }
  process.exitCode = [...results.values()].every(({ passed }) => passed) ? 0 : 1;
};

/** CI runs the short forms of these tests itself; what is checked here is that each run names files that are there. */
export const BENCHMARK = defineBenchmark({
  name: "stress",
  command: "npm run stress",
  size: {},
  open: async () => nothingToClose,
  scenarios: {
    files: async () => {
      const files = RUNS.flatMap((run) => run.files);
      return [
        figureOf(
          "stress",
          "Files of the long runs",
          [files.filter((file) => existsSync(file)).length / files.length],
          `${files.length} files`,
        ),
      ];
    },
  },
});

if (import.meta.main) await runLongForms();
