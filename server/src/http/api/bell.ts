/** Wakes one waiting call. A ring while it does not wait is kept for its next wait. */

/** Something changed; the time is over; or the waiting is over for good. */
export type Wake = "changed" | "time" | "over";

export type Bell = {
  wait(ms: number): Promise<Wake>;
  /** Aborted when the waiting is over for good. */
  readonly over: AbortSignal;
  ring(wake: Exclude<Wake, "time">): void;
};

export const createBell = (): Bell => {
  const over = new AbortController();
  let rung: Exclude<Wake, "time"> | null = null;
  let wakeUp: (() => void) | null = null;
  return {
    async wait(ms) {
      if (rung === null)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      wakeUp = null;
      const wake = rung ?? "time";
      if (rung === "changed") rung = null;
      return wake;
    },
    over: over.signal,
    ring(wake) {
      if (rung !== "over") rung = wake;
      if (wake === "over") over.abort();
      wakeUp?.();
    },
  };
};
