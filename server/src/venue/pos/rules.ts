/** When a push that failed is tried again (open point D177): six attempts, each delay counted from the last failure. */

const DELAYS_SECONDS = [60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600];

/** After this many attempts, all of them failed; null means that it is given up. */
export const nextAttemptDelaySeconds = (attempts: number): number | null => DELAYS_SECONDS[attempts - 1] ?? null;
