/**
 * The slowest test files of CI. A file above the limit fails CI unless `ALLOWED` says why it takes longer. Where other processes used the
 * machine meanwhile, durations say little about a file, so it is named and does not fail.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter } from "vitest/node";

export const FILE_SECONDS_MAX = 30;

/** Path and reason. */
const ALLOWED: Readonly<Record<string, string>> = {};

/** The part of the machine's processor time that other processes may use while durations are judged. */
const OTHERS_MAX = 0.1;
const SHOWN = 10;

export type FileTime = { path: string; seconds: number };

/** Beside the report of a run: Vitest's own leaves out hooks and imports. */
export const timesPath = (report: string): string => `${report}.times`;

export const fileTimesReporter = (report: string): Reporter => ({
  onTestRunEnd: (modules) => {
    const times = modules.map((module): FileTime => {
      const { collectDuration, duration } = module.diagnostic();
      return { path: relative(process.cwd(), module.moduleId), seconds: (collectDuration + duration) / 1000 };
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
