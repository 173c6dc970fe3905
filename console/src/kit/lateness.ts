/** How late an order is, in whole minutes. */
export type Lateness = { kind: "late" | "now" | "soon" | "later"; minutes: number };

const MINUTE_MS = 60_000;
const SOON_MINUTES = 5;

export const latenessOf = (promisedAt: string, now: number): Lateness => {
  const minutes = Math.floor((new Date(promisedAt).getTime() - now) / MINUTE_MS);
  // The minute of the promise itself is in time.
  if (minutes < -1) return { kind: "late", minutes: -minutes - 1 };
  if (minutes < 1) return { kind: "now", minutes: 0 };
  return { kind: minutes <= SOON_MINUTES ? "soon" : "later", minutes };
};
