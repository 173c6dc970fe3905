/** Wakes one waiting call. A signal that comes while the call does not wait is kept for its next wait. */

/** Something changed; the time is over; or the call has ended. */
export type Wake = "changed" | "time" | "ended";

export type WakeSignal = {
  wait(ms: number): Promise<Wake>;
  /** Aborted when the call has ended. */
  readonly ended: AbortSignal;
  wake(): void;
  /** Ends the signal for good: each later wait ends at once. */
  end(): void;
};

export const createWakeSignal = (): WakeSignal => {
  const ended = new AbortController();
  let kept: Exclude<Wake, "time"> | null = null;
  let wakeUp: (() => void) | null = null;
  return {
    async wait(ms) {
      if (kept === null)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      wakeUp = null;
      const wake = kept ?? "time";
      if (kept === "changed") kept = null;
      return wake;
    },
    ended: ended.signal,
    wake() {
      kept ??= "changed";
      wakeUp?.();
    },
    end() {
      kept = "ended";
      ended.abort();
      wakeUp?.();
    },
  };
};
