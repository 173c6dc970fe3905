/** Whether the display is current, by how long the stream has been silent and how long ago the service confirmed the tickets. */

/** The bar is amber within 5 s and red within 15 s: one second less, because the page looks once in a second. */
const LATE_MS = 4000;
const LOST_MS = 14_000;

type Ages = {
  /** Since the stream last spoke. */
  silentMs: number;
  /** Since the service confirmed the tickets: a reading, or a beat after it. */
  confirmedMs: number;
  /** Since this device kept them, when the service was not reached after that. */
  copiedMs: number | undefined;
};

export type Freshness = { state: "current" | "late" | "lost"; ageMs: number; isPolled: boolean };

/**
 * A kept kitchen is never current. Without beats it may still be read every few seconds: then new tickets come late, and it would be wrong
 * to say that they do not come.
 */
export const freshnessOf = ({ silentMs, confirmedMs, copiedMs }: Ages): Freshness => {
  if (copiedMs !== undefined) return { state: "lost", ageMs: copiedMs, isPolled: false };
  const ageMs = Math.max(silentMs, confirmedMs);
  const isPolled = confirmedMs < LOST_MS;
  return { state: ageMs >= LOST_MS ? "lost" : ageMs >= LATE_MS ? "late" : "current", ageMs: isPolled ? silentMs : confirmedMs, isPolled };
};
