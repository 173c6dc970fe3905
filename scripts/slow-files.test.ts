import { expect, test } from "vitest";
import { judgeFiles, shareOfOthers } from "./slow-files.ts";

const files = Array.from({ length: 12 }, (_, place) => ({ path: `${place}.test.ts`, seconds: place * 3 }));

test("the ten slowest files are named, the slowest first, and the reason of one that may be slow", () => {
  const { lines, isTooSlow } = judgeFiles(files, 0, { "11.test.ts": "it restores a dump" });
  expect(lines.slice(1, 4)).toEqual(["   33.0  11.test.ts: it restores a dump", "   30.0  10.test.ts", "   27.0  9.test.ts"]);
  expect([lines.length, isTooSlow]).toEqual([11, false]);
});

test("planted: a file above the limit without a reason fails, but not while other processes use the machine", () => {
  expect(judgeFiles(files, 0, {})).toMatchObject({ isTooSlow: true });
  const busy = judgeFiles(files, 0.4, {});
  expect(busy.isTooSlow).toBe(false);
  expect(busy.lines.join("\n")).toMatch(/used 40 % of the processor time[\s\S]*above 30 s: 11\.test\.ts/);
});

test("what others used is what the machine used without the process and its ended children", () => {
  const machine = (user: number, idle: number) => `cpu  ${user} 0 100 ${idle} 5 0 0 0 0 0\ncpu0 1 2 3\n`;
  const process = `7 (a (b) c) S 1 7 7 0 -1 0 0 0 0 0 100 20 600 30 20 0 1 0 5`;
  expect(shareOfOthers(machine(1000, 5000), machine(2000, 9000), process)).toBeCloseTo(0.25);
  expect(shareOfOthers(machine(1000, 5000), machine(1500, 9000), process)).toBe(0);
});
