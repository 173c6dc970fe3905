/** Moments of the cast, told from now. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A negative time is still to come. */
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
