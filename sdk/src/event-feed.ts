/** Follows the event feed without an end: every event once, in the order in which the service stored them. */

import type { Answer, CallOptions } from "./transport.ts";
import type { Operations } from "./types.generated.ts";
import { type FollowPagesOptions, followPages } from "./waiting-pages.ts";

type FeedQuery = Operations["listEvents"]["query"];
type FeedPage = Answer<Operations["listEvents"]["data"], Operations["listEvents"]["meta"]>;

/** Every event that the feed can carry; tell them apart by `type`. */
export type FeedEvent = Operations["listEvents"]["data"][number];

/** Store `cursor` when the event is handled: `after` goes on behind it. */
export type FollowedEvent = { event: FeedEvent; cursor: string };

export type FollowOptions = FollowPagesOptions & {
  /** Only these types are delivered. */
  types?: readonly FeedEvent["type"][];
  /** Called when everything up to this position was read, with or without an event. */
  onCursor?: (cursor: string) => void;
};

export type ListEvents = (query: FeedQuery, options?: CallOptions) => Promise<FeedPage>;

export const createFollow = (list: ListEvents) =>
  async function* follow({ types, onCursor, ...options }: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    const read = (query: FeedQuery, call: CallOptions) => list({ ...query, ...(types === undefined ? {} : { types }) }, call);
    for await (const { data, meta } of followPages(read, options)) {
      for (const [index, event] of data.entries()) yield { event, cursor: meta.cursors[index] ?? meta.cursor };
      onCursor?.(meta.cursor);
    }
  };
