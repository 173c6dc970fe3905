/** Wakes one waiting call. A ring while it does not wait is kept for its next wait. */

/** Something changed; the time is over; or the waiting is over for good. */
export type Wake = "changed" | "time" | "over";

export type Bell = { wait(ms: number): Promise<Wake>; isOver(): boolean; ring(wake: Exclude<Wake, "time">): void };

export const createBell = (): Bell => {
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
    isOver: () => rung === "over",
    ring(wake) {
      if (rung !== "over") rung = wake;
      wakeUp?.();
    },
  };
};
