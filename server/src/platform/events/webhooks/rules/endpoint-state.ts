/** The state of an endpoint that the console shows. */
type ShownEndpoint = { is_paused: boolean; failing_since: Date | null; last_failure_at: Date | null; waiting: number };

const RECENT_FAILURE_MS = 10 * 60 * 1000;

/** One success between failures does not make an endpoint `working`. */
export const shownState = (endpoint: ShownEndpoint, now: Date): "working" | "unsteady" | "failing" | "paused" => {
  if (endpoint.is_paused) return "paused";
  if (endpoint.failing_since !== null) return "failing";
  const failedMs = endpoint.last_failure_at === null ? Number.POSITIVE_INFINITY : now.getTime() - endpoint.last_failure_at.getTime();
  return endpoint.waiting > 0 || failedMs < RECENT_FAILURE_MS ? "unsteady" : "working";
};
