/**
 * Judges durations. A host that gives the processor to other guests makes every duration longer, and then a duration above its limit says
 * nothing about the product: the test is reported as skipped, with the share that was taken. On a machine of its own it fails.
 */
import { readFileSync } from "node:fs";
import type { TestContext } from "vitest";

/** The largest share taken by the host with which a duration is still judged. */
const STOLEN_MAX = 0.1;

/** `all` is the processor time that was asked for: idle time would make the share smaller than what the test felt. */
type ProcessorTicks = { all: number; stolen: number };

/** The fields of /proc/stat that count idle time and waiting for the disk. */
const IDLE_FIELDS = [3, 4];

/** Zero where the system does not report it. */
const readTicks = (): ProcessorTicks => {
  if (process.platform !== "linux") return { all: 0, stolen: 0 };
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const asked = ticks.filter((_ticks, field) => !IDLE_FIELDS.includes(field));
  return { all: asked.reduce((sum, value) => sum + value, 0), stolen: ticks[7] ?? 0 };
};

export type TimingVerdict = { judge(check: () => void): void };

/** Call it where the measuring begins; `judge` runs the assertions about durations. */
export const beginTiming = (context: Pick<TestContext, "skip">, read = readTicks): TimingVerdict => {
  const before = read();
  return {
    judge(check) {
      try {
        check();
      } catch (error) {
        const after = read();
        const share = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
        if (share > STOLEN_MAX) context.skip(`the host took ${Math.round(share * 100)} % of the processor: ${(error as Error).message}`);
        throw error;
      }
    },
  };
};
