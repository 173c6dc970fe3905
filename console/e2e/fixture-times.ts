/** Times relative to now for fixtures. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A negative value is in the future. */
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
