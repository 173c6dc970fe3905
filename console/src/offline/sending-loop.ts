/** Sends what waits, in one round at a time, and again after a pause while something could not be sent. */
import { pauseAfter } from "./queued-moves.ts";

/**
 * How a round of sending ended: nothing is left, access has to be given again first, it is tried again after a pause, or what is left can
 * still be taken back for a while.
 */
export type RoundEnd = "empty" | "held" | { pauseMs: number } | { dueInMs: number };

const waitOf = (end: Exclude<RoundEnd, string>): number => ("pauseMs" in end ? end.pauseMs : end.dueInMs);

type LoopDeps = { withLock<T>(run: () => Promise<T>): Promise<T> };

export const createSendingLoop = ({ withLock }: LoopDeps, sendAll: (isStopped: () => boolean) => Promise<RoundEnd>) => {
  let [isRunning, isWantedAgain, isStopped] = [false, false, true];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drain = async (): Promise<void> => {
    isWantedAgain = isRunning;
    if (isRunning || isStopped) return;
    isRunning = true;
    clearTimeout(timer);
    const end = await withLock(async () => (isStopped ? "empty" : sendAll(() => isStopped))).catch(
      (error: unknown): RoundEnd => ({ pauseMs: pauseAfter(1, error, 0) }),
    );
    isRunning = false;
    if (isStopped) return;
    // Something may have come, or was released, after the round had looked. A page that is hidden now runs no timer.
    if (isWantedAgain && end !== "held") await drain();
    else if (typeof end === "object") timer = setTimeout(() => void drain(), waitOf(end));
  };
  return {
    /** The connection may be back. */
    wake: drain,
    start(): void {
      isStopped = false;
      void drain();
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
