import type { FailureReason } from "@comanda/contract/console/webhooks.ts";
import { expect, test } from "vitest";
import { attemptX, CYCLE_HEIGHT, connectorsOf, retryCycles, STEP_SECONDS } from "./retry-timeline.ts";

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
const kinds = (cycles: ReturnType<typeof retryCycles>) => cycles.map(({ points }) => points.map(({ kind }) => kind).join(" "));

test("the schedule equals the server's", async () => {
  const { nextAttemptDelaySeconds } = await import("../../../../server/src/platform/events/webhook-deliveries/rules/retry-schedule.ts");
  expect(STEP_SECONDS.slice(1)).toEqual([1, 2, 3, 4, 5].map((made) => nextAttemptDelaySeconds(made)));
  expect(nextAttemptDelaySeconds(6)).toBeNull();
});

test("after two failures the third attempt has a due time and the rest have expected times", () => {
  const [cycle] = retryCycles({ cycle: 1, state: "waiting", due_at: at(6), log: [attempt(1, 1, 0), attempt(1, 2, 1)] }, 600, false);
  expect(cycle?.points.map(({ kind }) => kind)).toEqual(["bad", "bad", "next", "later", "later", "later"]);
  expect(cycle?.points.map((point) => point.at)).toEqual([at(0), at(1), at(6), at(36), at(156), at(516)]);
});

test("a finished delivery has no future attempts; a held one has no times", () => {
  const log = [attempt(1, 1, 0)];
  expect(kinds(retryCycles({ cycle: 1, state: "done", due_at: null, log: [attempt(1, 1, 0, null)] }, 600, false))).toEqual([
    "good unused unused unused unused unused",
  ]);
  expect(kinds(retryCycles({ cycle: 1, state: "failed", due_at: null, log }, 600, false))).toEqual([
    "bad unused unused unused unused unused",
  ]);
  const [held] = retryCycles({ cycle: 1, state: "held", due_at: null, log }, 600, false);
  expect(held?.points.map(({ kind, at: time }) => [kind, time])).toEqual([
    ["bad", at(0)],
    ["held", null],
    ["later", null],
    ["later", null],
    ["later", null],
    ["later", null],
  ]);
});

test("a replay is a second row", () => {
  const cycles = retryCycles({ cycle: 2, state: "ready", due_at: at(90), log: [attempt(1, 1, 0), attempt(1, 2, 1)] }, 600, false);
  expect(kinds(cycles)).toEqual(["bad bad unused unused unused unused", "next later later later later later"]);
  expect(cycles.map(({ y }) => y)).toEqual([0, CYCLE_HEIGHT]);
});

test("six points fit the width and are mirrored for right-to-left text", () => {
  const places = STEP_SECONDS.map((_, index) => attemptX(index + 1, 340, false));
  expect(places).toEqual([30, 86, 142, 198, 254, 310]);
  expect(STEP_SECONDS.map((_, index) => attemptX(index + 1, 340, true))).toEqual(places.toReversed());
});

test("connectors are solid to made attempts, dashed to possible ones, absent to unused ones", () => {
  const [cycle] = retryCycles({ cycle: 1, state: "waiting", due_at: at(6), log: [attempt(1, 1, 0), attempt(1, 2, 1)] }, 340, false);
  expect(cycle && connectorsOf(cycle).map(({ isDashed }) => isDashed)).toEqual([false, true, true, true, true]);
  const [done] = retryCycles({ cycle: 1, state: "done", due_at: null, log: [attempt(1, 1, 0, null)] }, 340, false);
  expect(done && connectorsOf(done)).toEqual([]);
});
