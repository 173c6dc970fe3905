/** Times relative to now for fixtures. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A negative value is in the future. */
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

/**
 * A zone in which it is between 19:00 and 20:00: bookings around now are on the same day of service at any time of the day. The name of a zone
 * ahead of UTC has a minus.
 */
export const eveningZone = (): string => {
  const hours = ((19 - new Date().getUTCHours() + 35) % 24) - 11;
  return `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
};
