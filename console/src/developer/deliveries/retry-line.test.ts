import type { FailureReason } from "@comanda/contract/console-webhooks.ts";
import { expect, test } from "vitest";
import { LINE_HEIGHT, placeOf, retryLines, STEP_SECONDS, stretchesOf } from "./retry-line.ts";

const at = (minutes: number): string => new Date(Date.UTC(2026, 10, 14, 12, minutes)).toISOString();
const attempt = (
  cycle: number,
  number: number,
  minutes: number,
  failure: FailureReason | null = { code: "status", values: { status: 500 } },
) => ({
  cycle,
  attempt: number,
  at: at(minutes),
  status: failure === null ? 200 : 500,
  duration_ms: 90,
  failure,
  answer: "",
});
const kinds = (lines: ReturnType<typeof retryLines>) => lines.map(({ stops }) => stops.map(({ kind }) => kind).join(" "));

test("the schedule is the server's", async () => {
  const { nextAttemptDelaySeconds } = await import("../../../../server/src/platform/webhooks/rules.ts");
  expect(STEP_SECONDS.slice(1)).toEqual([1, 2, 3, 4, 5].map((made) => nextAttemptDelaySeconds(made)));
  expect(nextAttemptDelaySeconds(6)).toBeNull();
});

test("two failed, the third has its time, the others theirs if it fails too", () => {
  const [line] = retryLines({ cycle: 1, state: "waiting", due_at: at(6), log: [attempt(1, 1, 0), attempt(1, 2, 1)] }, 600, false);
  expect(line?.stops.map(({ kind }) => kind)).toEqual(["bad", "bad", "next", "later", "later", "later"]);
  expect(line?.stops.map((stop) => stop.at)).toEqual([at(0), at(1), at(6), at(36), at(156), at(516)]);
});

test("what is done or given up has nothing to come; a held one has no time", () => {
  const log = [attempt(1, 1, 0)];
  expect(kinds(retryLines({ cycle: 1, state: "done", due_at: null, log: [attempt(1, 1, 0, null)] }, 600, false))).toEqual([
    "good unused unused unused unused unused",
  ]);
  expect(kinds(retryLines({ cycle: 1, state: "failed", due_at: null, log }, 600, false))).toEqual([
    "bad unused unused unused unused unused",
  ]);
  const [held] = retryLines({ cycle: 1, state: "held", due_at: null, log }, 600, false);
  expect(held?.stops.map(({ kind, at: time }) => [kind, time])).toEqual([
    ["bad", at(0)],
    ["held", null],
    ["later", null],
    ["later", null],
    ["later", null],
    ["later", null],
  ]);
});

test("a replay is a line of its own below the first", () => {
  const lines = retryLines({ cycle: 2, state: "ready", due_at: at(90), log: [attempt(1, 1, 0), attempt(1, 2, 1)] }, 600, false);
  expect(kinds(lines)).toEqual(["bad bad unused unused unused unused", "next later later later later later"]);
  expect(lines.map(({ y }) => y)).toEqual([0, LINE_HEIGHT]);
});

test("six places within the width, mirrored where one reads from the right", () => {
  const places = STEP_SECONDS.map((_, index) => placeOf(index + 1, 340, false));
  expect(places).toEqual([30, 86, 142, 198, 254, 310]);
  expect(STEP_SECONDS.map((_, index) => placeOf(index + 1, 340, true))).toEqual(places.toReversed());
});

test("walked stretches are solid, coming ones dashed, the rest are not drawn", () => {
  const [line] = retryLines({ cycle: 1, state: "waiting", due_at: at(6), log: [attempt(1, 1, 0), attempt(1, 2, 1)] }, 340, false);
  expect(line && stretchesOf(line).map(({ isDashed }) => isDashed)).toEqual([false, true, true, true, true]);
  const [done] = retryLines({ cycle: 1, state: "done", due_at: null, log: [attempt(1, 1, 0, null)] }, 340, false);
  expect(done && stretchesOf(done)).toEqual([]);
});
