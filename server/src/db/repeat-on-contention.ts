/** Runs a transaction again after it lost to a concurrent one. A transaction that fails has written nothing, so it can be repeated. */
import { isContention } from "./pool.ts";

const ATTEMPTS_MAX = 3;

/** `beforeRepeat` may read again what the failed attempt relied on. */
export const repeatOnContention = async <T>(
  work: () => Promise<T>,
  beforeRepeat: (error: unknown) => Promise<unknown> = async () => undefined,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error) || attempt === ATTEMPTS_MAX) throw error;
      await beforeRepeat(error);
    }
  }
};
