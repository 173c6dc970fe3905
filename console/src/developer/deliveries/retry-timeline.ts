/** The layout of a delivery's attempts: one row for each cycle, six points in a row. */
import type { DeliveryDetail } from "@comanda/contract/console/webhooks.ts";

/** Seconds after the previous failure, for each attempt. */
export const STEP_SECONDS = [0, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600] as const;

/** `next` has a due time, `later` an expected time if all before it fail, `held` waits until the endpoint is resumed. */
export type AttemptPointKind = "good" | "bad" | "next" | "later" | "held" | "unused";
export type AttemptPoint = { attempt: number; kind: AttemptPointKind; at: string | null; status: number | null; x: number };
export type RetryCycle = { cycle: number; y: number; points: AttemptPoint[] };

type RetriedDelivery = Pick<DeliveryDetail, "cycle" | "state" | "due_at" | "log">;

export const CYCLE_HEIGHT = 86;
const EDGE = 30;

/** The first point is at the reading start: left, or right in Arabic. */
export const attemptX = (attempt: number, width: number, isRtl: boolean): number => {
  const fromStart = EDGE + ((attempt - 1) * (width - 2 * EDGE)) / (STEP_SECONDS.length - 1);
  return isRtl ? width - fromStart : fromStart;
};

const after = (at: string, seconds: number): string => new Date(new Date(at).getTime() + seconds * 1000).toISOString();

/** An attempt of the current cycle that is not made yet. */
const futurePoint = (delivery: RetriedDelivery, made: number, attempt: number): Pick<AttemptPoint, "kind" | "at"> => {
  if (delivery.state === "done" || delivery.state === "failed") return { kind: "unused", at: null };
  if (delivery.state === "held") return { kind: attempt === made + 1 ? "held" : "later", at: null };
  if (attempt === made + 1) return { kind: "next", at: delivery.due_at };
  const seconds = STEP_SECONDS.slice(made + 1, attempt).reduce((sum, step) => sum + step, 0);
  return { kind: "later", at: delivery.due_at === null ? null : after(delivery.due_at, seconds) };
};

const pointOf = (delivery: RetriedDelivery, cycle: number, attempt: number): Omit<AttemptPoint, "x"> => {
  const attempts = delivery.log.filter((one) => one.cycle === cycle);
  const made = attempts.find((one) => one.attempt === attempt);
  if (made) return { attempt, kind: made.failure === null ? "good" : "bad", at: made.at, status: made.status };
  const isRunning = cycle === delivery.cycle;
  return { attempt, status: null, ...(isRunning ? futurePoint(delivery, attempts.length, attempt) : { kind: "unused", at: null }) };
};

export const retryCycles = (delivery: RetriedDelivery, width: number, isRtl: boolean): RetryCycle[] =>
  Array.from({ length: delivery.cycle }, (_, index) => ({
    cycle: index + 1,
    y: index * CYCLE_HEIGHT,
    points: STEP_SECONDS.map((_step, step) => ({
      ...pointOf(delivery, index + 1, step + 1),
      x: attemptX(step + 1, width, isRtl),
    })),
  }));

export type PointConnector = { from: number; to: number; isDashed: boolean };

/** Lines between points: solid to made attempts, dashed to possible ones, none to unused ones. */
export const connectorsOf = ({ points }: RetryCycle): PointConnector[] =>
  points.slice(1).flatMap((point, index) => {
    const from = points[index]?.x ?? 0;
    if (point.kind === "unused") return [];
    return [{ from, to: point.x, isDashed: point.kind !== "good" && point.kind !== "bad" }];
  });
