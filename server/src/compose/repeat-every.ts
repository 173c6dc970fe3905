/** Work of the worker that is done again and again, one round at a time. Stopping waits for the current round. */
import type { Deps } from "../deps.ts";

type RepeatedWork = { everyMs: number; failure: string; run: (isStopping: () => boolean) => Promise<void> };

export const repeatEvery = ({ log }: Pick<Deps, "log">, { everyMs, failure, run }: RepeatedWork): (() => Promise<void>) => {
  let isStopping = false;
  let round: Promise<void> | null = null;
  const begin = (): void => {
    round ??= run(() => isStopping)
      .catch((error: unknown) => log.warn({ err: error }, failure))
      .finally(() => {
        round = null;
      });
  };
  const timer = setInterval(begin, everyMs);
  return async () => {
    clearInterval(timer);
    isStopping = true;
    await round;
  };
};
