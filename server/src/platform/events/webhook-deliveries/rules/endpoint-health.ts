/** How attempts change an endpoint's health, and when the owners are notified. */

export type EndpointHealth = {
  failures_in_row: number;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure: string | null;
  notified_at: Date | null;
};

/** `results` are in the order of their arrival; null is a success. */
export const healthAfter = (before: EndpointHealth, results: readonly (string | null)[], now: Date): EndpointHealth => {
  let health = before;
  for (const failure of results)
    health =
      failure === null
        ? { ...health, failures_in_row: 0, failing_since: null, last_success_at: now }
        : {
            ...health,
            failures_in_row: health.failures_in_row + 1,
            failing_since: health.failing_since ?? now,
            last_failure_at: now,
            last_failure: failure,
          };
  return health;
};

const NOTIFY_FROM_FAILURES = 10;
const NOTIFY_AFTER_MS = 60 * 60 * 1000;
const NOTIFY_AGAIN_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * The first failure sends no mail: retries cover a deployment or a short outage. The owners are notified after an hour without a success,
 * or when a delivery fails for good; then once a day while it lasts, and at once when the endpoint recovers and fails for another hour
 * (open point D181). An endpoint that accepts some events and refuses others recovers with each that it accepts: its owners are notified
 * once a day and not for each failed delivery.
 */
export const shouldNotifyOwners = (
  { failures_in_row, failing_since, notified_at }: EndpointHealth,
  hasGivenUp: boolean,
  now: Date,
): boolean => {
  const failingMs = failing_since === null ? 0 : now.getTime() - failing_since.getTime();
  const isDown = failingMs >= NOTIFY_AFTER_MS && (hasGivenUp || failures_in_row >= NOTIFY_FROM_FAILURES);
  const isNotifiedLately = notified_at !== null && now.getTime() - notified_at.getTime() < NOTIFY_AGAIN_AFTER_MS;
  const failsAgain = notified_at !== null && failing_since !== null && failing_since > notified_at;
  return isNotifiedLately ? isDown && failsAgain : isDown || hasGivenUp;
};

/** Without the query, which may contain a password of the receiver. For mails. */
export const shownAddress = (url: string): string => url.replace(/[?#].*$/s, "");
