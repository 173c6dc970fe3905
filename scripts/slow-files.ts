/**
 * The slowest test files of CI. A file above the limit fails CI unless `ALLOWED` says why it takes longer. Where other processes used the
 * machine meanwhile, durations say little about a file, so it is named and does not fail.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Reporter } from "vitest/node";

const ROOT = join(import.meta.dirname, "..");

export const FILE_SECONDS_MAX = 30;

/** Path and reason. A machine takes half as long again at some hours, so files above 18 s are here too. */
const ALLOWED: Readonly<Record<string, string>> = {
  "bench/smoke.test.ts": "every scenario of every benchmark measures for about a second",
  "cli/test/cli-commands.test.ts": "the installed command runs as a process for each use",
  "cli/test/event-reading.test.ts": "the installed command follows a feed through cut connections",
  "console/e2e/account-and-tokens.test.ts": "many pages, one after the other, with one account",
  "console/e2e/apps-pages.test.ts": "many pages, one after the other, with one app",
  "console/e2e/board-lost-answers.test.ts": "answers are lost, and waited for",
  "console/e2e/every-event.test.ts": "each event is caused in the console",
  "console/e2e/guide-pages.test.ts": "pages of the guides in every look",
  "console/e2e/jobs-bookings.test.ts": "ten jobs, one after the other, in one venue",
  "console/e2e/jobs-charges.test.ts": "jobs, one after the other, in one venue",
  "console/e2e/jobs-developer.test.ts": "jobs on every developer page",
  "console/e2e/jobs-experiences.test.ts": "jobs, one after the other, in one venue",
  "console/e2e/jobs-guests.test.ts": "jobs, one after the other, in one venue",
  "console/e2e/jobs-hours.test.ts": "jobs, one after the other, in one venue",
  "console/e2e/jobs-kitchen.test.ts": "eleven jobs, one after the other, in one venue",
  "console/e2e/jobs-menu-tools.test.ts": "eight jobs, one after the other, in one venue",
  "console/e2e/jobs-orders.test.ts": "sixteen jobs, one after the other, in one venue",
  "console/e2e/jobs-reports.test.ts": "charts, tables and files in three currencies",
  "console/e2e/jobs-reviews.test.ts": "guests' pages in every look",
  "console/e2e/jobs-stock.test.ts": "jobs, one after the other, in one venue",
  "console/e2e/jobs-tables.test.ts": "five jobs, one after the other, in one venue",
  "console/e2e/jobs-team.test.ts": "several people with browsers of their own",
  "console/e2e/kitchen-display-page.test.ts": "a silent connection is noticed after seconds",
  "console/e2e/kitchen-offline.test.ts": "a silent connection is noticed after seconds",
  "console/e2e/live-updates.test.ts": "pages ask again after seconds without a connection",
  "console/e2e/offline-people.test.ts": "kept copies end after seconds",
  "console/e2e/offline-queue.test.ts": "processes are killed while changes are sent",
  "console/e2e/orders-board.test.ts": "a silent connection is noticed after seconds",
  "console/e2e/page-states-1.test.ts": "half of the states of all pages",
  "console/e2e/page-states-2.test.ts": "half of the states of all pages",
  "console/e2e/page-states-faults.test.ts": "faults are planted in pages of two languages",
  "console/e2e/screens-pages.test.ts": "a code expires after seconds",
  "console/e2e/webhooks-pages.test.ts": "deliveries are sent again after seconds",
  "console/e2e/write-lost-answers.test.ts": "ten answers are lost four times each, with the pauses between",
  "console/e2e/xss.test.ts": "every field and filter of every page gets a payload",
  "deploy/deploy.test.ts": "the image's recipe is carried out",
  "docs/test/guides.test.ts": "every block of every guide runs, in three languages",
  "examples/examples.test.ts": "each example runs as a process, with and without a fault",
  "sdk/test/runtimes.test.ts": "the SDK on seven runtimes",
  "server/src/admin/dev-database.test.ts": "commands run as processes on a PostgreSQL of their own",
  "server/src/dev/main.test.ts": "`npm run dev` starts and stops a PostgreSQL of its own",
  "server/src/lib/lib.test.ts": "properties of time zones and texts",
  "server/src/venue/kitchen/pos/pos.test.ts": "a till hangs, and a worker is killed",
  "server/test/cost/console-query-plans.test.ts": "a long history is filled, and every combination of filters is planned",
  "server/test/cost/query-plans.test.ts": "a large database is filled",
  "server/test/cost/round-trips.test.ts": "every operation with one row of each, and with 25",
  "server/test/guarantees/change-stream-http.test.ts": "streams are silent for seconds",
  "server/test/guarantees/console-access-table.test.ts": "every console call for every role and standing",
  "server/test/guarantees/console-lost-answers.test.ts": "every console call that takes a key is prepared and sent twice",
  "server/test/guarantees/encryption-key-rotation.test.ts": "commands run as processes on copies of one database",
  "server/test/guarantees/event-feed.test.ts": "waiting reads end after seconds",
  "server/test/guarantees/growth-dataset.test.ts": "a large database is filled",
  "server/test/guarantees/pairing-limits.test.ts": "a hundred networks ask for 2,200 codes",
  "server/test/guarantees/request-tail.test.ts": "waiting reads end after seconds",
  "server/test/guarantees/restored-copy.test.ts": "a dump is restored",
  "server/test/guarantees/retention.test.ts": "rows of every table are filled and purged",
  "server/test/guarantees/secrets-shown-once.test.ts": "every operation is asked for what it may not repeat",
  "server/test/guarantees/tenant-isolation.test.ts": "every operation with every id of others",
  "server/test/stress/delivery-fairness.test.ts": "windows with and without slow receivers take turns",
  "server/test/stress/erasure-race.test.ts": "erasures wait for writes of two processes",
  "server/test/stress/input-fuzz.test.ts": "hundreds of hostile inputs",
  "server/test/stress/large-menu-neighbour.test.ts": "windows with and without a large menu being read take turns",
  "server/test/stress/noisy-neighbour.test.ts": "windows with and without a flood take turns",
  "server/test/stress/overload.test.ts": "two processes are flooded",
  "server/test/stress/process-kills.test.ts": "a durable PostgreSQL is killed and recovers",
  "server/test/stress/route-budgets.test.ts": "the worst requests of every route",
  "server/test/stress/socket-floods.test.ts": "two thousand sockets, twice, and readers that are judged after seconds",
  "server/test/stress/trade-kills.test.ts": "processes are killed during writes of each kind",
  "server/test/stress/updated-since-race.test.ts": "listings race with writes in both directions",
  "server/test/stress/venue-move.test.ts": "a venue moves under load, and is stopped in two phases",
};

/** The part of the machine's processor time that other processes may use while durations are judged. */
const OTHERS_MAX = 0.1;
const SHOWN = 10;

export type FileTime = { path: string; seconds: number };

/** The times are stored beside the report of a run: Vitest's own leaves out hooks and imports. */
export const timesPath = (report: string): string => `${report}.times`;

/** Errors outside of tests, such as a worker that ended. Vitest's own report leaves them out too. */
export const errorsPath = (report: string): string => `${report}.errors`;

export const fileTimesReporter = (report: string): Reporter => ({
  onTestRunEnd: (modules, errors) => {
    if (errors.length > 0) writeFileSync(errorsPath(report), JSON.stringify(errors.map(({ message }) => message)));
    const times = modules.map((module): FileTime => {
      const { collectDuration, duration } = module.diagnostic();
      return { path: relative(ROOT, module.moduleId), seconds: (collectDuration + duration) / 1000 };
    });
    writeFileSync(timesPath(report), JSON.stringify(times));
  },
});

const IDLE_FIELDS = [3, 4];

/** Ticks that all processes of the machine used, from the text of `/proc/stat`. */
const busyTicks = (stat: string): number =>
  (stat.split("\n")[0] ?? "")
    .split(/\s+/)
    .slice(1, 9)
    .filter((_, field) => !IDLE_FIELDS.includes(field))
    .reduce((sum, ticks) => sum + Number(ticks), 0);

/** Ticks of a process and of its ended children, from the text of `/proc/PID/stat`. Its second field may hold spaces and parentheses. */
const ownTicks = (stat: string): number =>
  stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0);

/** The part of the machine that processes used which CI did not start. `before` and `now` are texts of `/proc/stat`. */
export const shareOfOthers = (before: string, now: string, process: string): number => {
  const all = busyTicks(now) - busyTicks(before);
  return Math.max(0, all - ownTicks(process)) / Math.max(1, all);
};

export type FilesVerdict = { lines: string[]; isTooSlow: boolean };

export const judgeFiles = (files: readonly FileTime[], others: number, allowed = ALLOWED): FilesVerdict => {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds);
  const tooSlow = slowest.filter(({ path, seconds }) => seconds > FILE_SECONDS_MAX && !(path in allowed));
  const isJudged = others <= OTHERS_MAX;
  return {
    lines: [
      `The ${SHOWN} slowest files, in seconds:`,
      ...slowest
        .slice(0, SHOWN)
        .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${path}${path in allowed ? `: ${allowed[path]}` : ""}`),
      ...(isJudged ? [] : [`Other processes used ${Math.round(others * 100)} % of the processor time, so durations are not judged.`]),
      ...tooSlow.map(({ path }) => `above ${FILE_SECONDS_MAX} s: ${path}. Make it faster, or give the reason in scripts/slow-files.ts.`),
    ],
    isTooSlow: isJudged && tooSlow.length > 0,
  };
};

/** `start` is the text of `/proc/stat` when CI began; the parent of this process runs all steps. Without it, durations are judged. */
export const readShareOfOthers = (start: string): number => {
  try {
    return shareOfOthers(
      readFileSync(start, "utf8"),
      readFileSync("/proc/stat", "utf8"),
      readFileSync(`/proc/${process.ppid}/stat`, "utf8"),
    );
  } catch {
    return 0;
  }
};
