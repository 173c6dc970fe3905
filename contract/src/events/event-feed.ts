/** The event feed (decision 0063): what happened in the restaurant, in the order of the commits. An addition to version 1. */
import { Type } from "typebox";
import type { Operation } from "../operation.ts";
import { type EmittedEvent, EVENT_TYPES, type EventBody, eventSchema, isSent } from "./envelope.ts";

/** Webhooks have the same thirty days (open point D181). */
export const EVENTS_KEPT_DAYS = 30;
/** The limit is below the time after which proxies and the service itself close a silent connection. */
export const WAIT_SECONDS_MAX = 20;
export const FEED_PAGE_MAX = 100;

/** The feed begins with the next event. */
export const LATEST = "latest";

/** Types that at least one token reads: those with a scope, and in a sandbox all. */
export const FEED_TYPES = EVENT_TYPES.filter(isSent) as EmittedEvent[];

/** The parameter of every call that can wait. */
export const Wait = Type.Integer({
  minimum: 0,
  maximum: WAIT_SECONDS_MAX,
  default: 0,
  description: "Seconds to wait when there is nothing yet.",
});

const FeedEvent = Type.Unsafe<{ [T in EmittedEvent]: EventBody<T> }[EmittedEvent]>({ anyOf: FEED_TYPES.map((type) => eventSchema(type)) });

export const eventOperations = {
  listEvents: {
    method: "GET",
    path: "/events",
    scope: null,
    isAddition: true,
    waits: "events",
    tag: "Events",
    summary: "List events",
    description:
      "Events after a position, in the order of their commits, with the bytes that webhooks send: none is missed, none comes twice. A token sees the types whose data its scopes read, in a sandbox all. With `Accept: text/event-stream` the answer is a stream; `Last-Event-ID` counts as `after`. Any token may call it.",
    query: Type.Object({
      after: Type.Optional(
        Type.String({
          maxLength: 120,
          description:
            "The last `meta.cursor`, or `latest`: begin with the next event. Without it the list begins with the oldest that is kept.",
        }),
      ),
      types: Type.Optional(Type.String({ maxLength: 600, description: "Only these types, separated by commas." })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: FEED_PAGE_MAX, default: FEED_PAGE_MAX, description: "Events in an answer." }),
      ),
      wait: Type.Optional(Wait),
    }),
    success: {
      status: 200,
      body: Type.Object({
        data: Type.Array(FeedEvent),
        meta: Type.Object({
          count: Type.Integer({ minimum: 0 }),
          cursor: Type.String({ minLength: 1, description: "Send it as `after` of the next call, also when there was no event." }),
          has_more: Type.Boolean({ description: "More may be there already: ask again at once." }),
          cursors: Type.Array(Type.String({ minLength: 1 }), { description: "The position behind each event of `data`." }),
        }),
        links: Type.Object({}, { maxProperties: 0 }),
      }),
    },
    extraStatuses: [403, 410, 422],
  },
} as const satisfies Record<string, Operation>;
