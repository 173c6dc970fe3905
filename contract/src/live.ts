/** The console's open line to a venue: the one address that is no call, and what can be said on it. */
export const LIVE_PATH = "/venues/{venue}/live";

/** What has changed, never how: whoever listens asks anew. */
export const LIVE_AREAS = ["deliveries", "activity", "requests"] as const;
export type LiveArea = (typeof LIVE_AREAS)[number];
