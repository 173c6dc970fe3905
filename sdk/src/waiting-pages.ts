/** Reads a list that waits for what is not there yet, page after page, without an end. */
import { sleep } from "./retries.ts";
import type { CallOptions, Retry } from "./transport.ts";

export type WaitingQuery = { after?: string; wait: number };
/** A page as `events.list` and `sandbox.listRequests` answer it. */
export type WaitingPage = { meta: { cursor: string; has_more: boolean } };

export type FollowPagesOptions = {
  /** The stored position. Without it the list begins with the oldest that is kept; `latest` begins with what comes next. */
  after?: string;
  /** Ends it, also while it waits. */
  signal?: AbortSignal;
  /**
   * Two calls begin at least so far apart; 3000 unless said otherwise, so twenty a minute on a busy venue. What comes within that time comes
   * together, at most so much later. When more is there already, the next call is sent at once.
   */
  gatherMs?: number;
  /** Told before each wait after a failure that can pass. If it throws, following ends with what it throws. */
  onRetry?: (retry: Retry) => void;
};

const WAIT_SECONDS = 20;
/** The answer may take so long after the wait: the client's own time for an attempt may be shorter than the wait. */
const ANSWER_SECONDS = 10;
const GATHER_MS = 3000;

/** Ends with the signal, or with a failure that another attempt does not change, such as 401, 403, 404 and 410. */
export async function* followPages<Page extends WaitingPage>(
  read: (query: WaitingQuery, options: CallOptions) => Promise<Page>,
  { after, signal, gatherMs = GATHER_MS, onRetry }: FollowPagesOptions = {},
): AsyncGenerator<Page, void, undefined> {
  const options: CallOptions = {
    timeoutMs: (WAIT_SECONDS + ANSWER_SECONDS) * 1000,
    retries: Number.POSITIVE_INFINITY,
    maxWaitMs: Number.POSITIVE_INFINITY,
    ...(signal ? { signal } : {}),
    ...(onRetry ? { onRetry } : {}),
  };
  for (let position = after; ; ) {
    // The first call only fixes the position: if its answer were lost after a wait, the next one would begin later.
    const isFirstPosition = position === "latest";
    const startedAt = performance.now();
    const page = await read({ wait: isFirstPosition ? 0 : WAIT_SECONDS, ...(position === undefined ? {} : { after: position }) }, options);
    yield page;
    position = page.meta.cursor;
    if (!isFirstPosition && !page.meta.has_more) await sleep(gatherMs - (performance.now() - startedAt), signal);
  }
}
