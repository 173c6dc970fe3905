/** Follows the event feed without an end: every event once, in the order in which the service stored them. */
import type { Answer, CallOptions } from "./transport.ts";
import type { Operations } from "./types.generated.ts";

type FeedQuery = Operations["listEvents"]["query"];
type FeedPage = Answer<Operations["listEvents"]["data"], Operations["listEvents"]["meta"]>;

/** Every event that the feed can carry; tell them apart by `type`. */
export type FeedEvent = Operations["listEvents"]["data"][number];

/** Store `cursor` when the event is handled: `after` goes on behind it. */
export type FollowedEvent = { event: FeedEvent; cursor: string };

export type FollowOptions = Pick<FeedQuery, "after"> & {
  /** Only these types. */
  types?: readonly FeedEvent["type"][];
  signal?: AbortSignal;
  /** Called when everything up to this position was read, with or without an event. */
  onCursor?: (cursor: string) => void;
};

/** Below the time of one attempt. */
const WAIT_SECONDS = 20;

export type ListEvents = (query: FeedQuery, options?: CallOptions) => Promise<FeedPage>;

export const createFollow = (list: ListEvents) =>
  async function* follow({ after, types, signal, onCursor }: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    for (let position = after; ; ) {
      const query = {
        // The first call only fixes the position: if its answer were lost after a wait, the next one would begin later.
        wait: position === "latest" ? 0 : WAIT_SECONDS,
        ...(position === undefined ? {} : { after: position }),
        ...(types === undefined ? {} : { types }),
      };
      const { data, meta } = await list(query, signal ? { signal } : {});
      for (const [index, event] of data.entries()) yield { event, cursor: meta.cursors[index] ?? meta.cursor };
      position = meta.cursor;
      onCursor?.(position);
    }
  };
