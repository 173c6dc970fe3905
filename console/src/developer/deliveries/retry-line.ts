/** The six attempts of a delivery as stops on a line, one line for each time it was sent or replayed. */
import type { DeliveryDetail } from "@comanda/contract/console-webhooks.ts";

/** Seconds from the failure before it; the first attempt is made at once. */
export const STEP_SECONDS = [0, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600] as const;

/** `next` has its time, `later` an expected one if all before it fail, `held` waits for the address to be resumed. */
export type StopKind = "good" | "bad" | "next" | "later" | "held" | "unused";
export type Stop = { attempt: number; kind: StopKind; at: string | null; status: number | null; x: number };
export type Line = { cycle: number; y: number; stops: Stop[] };

type Sent = Pick<DeliveryDetail, "cycle" | "state" | "due_at" | "log">;

export const LINE_HEIGHT = 86;
const EDGE = 30;

/** The first stop stands where reading begins. */
export const placeOf = (attempt: number, width: number, isRtl: boolean): number => {
  const fromStart = EDGE + ((attempt - 1) * (width - 2 * EDGE)) / (STEP_SECONDS.length - 1);
  return isRtl ? width - fromStart : fromStart;
};

const after = (at: string, seconds: number): string => new Date(new Date(at).getTime() + seconds * 1000).toISOString();

/** What is still to come of the running cycle. */
const comingStop = (delivery: Sent, made: number, attempt: number): Pick<Stop, "kind" | "at"> => {
  if (delivery.state === "done" || delivery.state === "failed") return { kind: "unused", at: null };
  if (delivery.state === "held") return { kind: attempt === made + 1 ? "held" : "later", at: null };
  if (attempt === made + 1) return { kind: "next", at: delivery.due_at };
  const seconds = STEP_SECONDS.slice(made + 1, attempt).reduce((sum, step) => sum + step, 0);
  return { kind: "later", at: delivery.due_at === null ? null : after(delivery.due_at, seconds) };
};

const stopOf = (delivery: Sent, cycle: number, attempt: number): Omit<Stop, "x"> => {
  const attempts = delivery.log.filter((one) => one.cycle === cycle);
  const made = attempts.find((one) => one.attempt === attempt);
  if (made) return { attempt, kind: made.failure === null ? "good" : "bad", at: made.at, status: made.status };
  const isRunning = cycle === delivery.cycle;
  return { attempt, status: null, ...(isRunning ? comingStop(delivery, attempts.length, attempt) : { kind: "unused", at: null }) };
};

export const retryLines = (delivery: Sent, width: number, isRtl: boolean): Line[] =>
  Array.from({ length: delivery.cycle }, (_, index) => ({
    cycle: index + 1,
    y: index * LINE_HEIGHT,
    stops: STEP_SECONDS.map((_step, step) => ({
      ...stopOf(delivery, index + 1, step + 1),
      x: placeOf(step + 1, width, isRtl),
    })),
  }));

export type Stretch = { from: number; to: number; isDashed: boolean };

/** The line between two stops: solid where it was walked, dashed where it may be, none where it will not. */
export const stretchesOf = ({ stops }: Line): Stretch[] =>
  stops.slice(1).flatMap((stop, index) => {
    const from = stops[index]?.x ?? 0;
    if (stop.kind === "unused") return [];
    return [{ from, to: stop.x, isDashed: stop.kind !== "good" && stop.kind !== "bad" }];
  });
