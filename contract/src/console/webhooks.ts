/** The webhook addresses of a venue, and what was delivered to them. */
import { type Static, Type } from "typebox";
import { EVENT_TYPES } from "../events/envelope.ts";
import { Id, Literals, Nullable, UUID_PATTERN } from "../shared.ts";
import { Before, type ConsoleOperation, Count, Data, Done, Instant, Rows } from "./operation.ts";
import { FAILURES, REASON_CODES } from "./reason-codes.ts";

/** The console has words for each code in each of its languages; the values go into them. */
const reasonOf = <const Codes extends readonly string[]>(codes: Codes) =>
  Type.Object({ code: Literals(codes), values: Type.Object({ status: Type.Optional(Type.Integer()) }) });
const FailureReason = reasonOf(FAILURES);
export type FailureReason = Static<typeof FailureReason>;
const Reason = reasonOf(REASON_CODES);
export type Reason = Static<typeof Reason>;

export const WebhookRow = Type.Object({
  id: Id,
  url: Type.String(),
  description: Nullable(Type.String()),
  events: Type.Array(Literals(EVENT_TYPES)),
  /** `unsteady`: the last attempt succeeded, but others failed within minutes or wait to be retried. */
  state: Literals(["working", "unsteady", "failing", "paused"]),
  created_by: Type.String(),
  created_at: Instant,
  failing_since: Nullable(Instant),
  last_success_at: Nullable(Instant),
  last_failure_at: Nullable(Instant),
  last_failure: Nullable(FailureReason),
  /** The figures of attempts are those of the last 24 hours. */
  attempts: Count,
  successes: Count,
  p95_ms: Nullable(Count),
  pending: Count,
  /** Pending deliveries that failed at least once and wait for the next attempt, and when the first of them is due. */
  waiting: Count,
  next_attempt_at: Nullable(Instant),
  /** How many secrets sign now: more than one while an old one is on its way out. */
  secrets: Count,
});
export type WebhookRow = Static<typeof WebhookRow>;

const Url = Type.String({ minLength: 1, maxLength: 2000 });
const Events = Type.Array(Literals(EVENT_TYPES), { minItems: 1, maxItems: EVENT_TYPES.length });
const Description = Nullable(Type.String({ maxLength: 200 }));
const Secret = Type.Object({ id: Id, secret: Type.String(), previous_until: Nullable(Instant) });

/** One step of looking at an address before it is used; the first that fails is the last. */
export const CheckStep = Type.Object({
  step: Literals(["https", "dns", "public", "tls", "ping"]),
  is_good: Type.Boolean(),
  /** What was found, or what is wrong. */
  reason: Reason,
  /** The time of this step alone. */
  ms: Count,
});
export type CheckStep = Static<typeof CheckStep>;

export const webhookOperations = {
  listWebhooks: {
    method: "GET",
    path: "/venues/{venue}/webhooks",
    who: "manager",
    worksInSandbox: true,
    success: { status: 200, body: Data(Type.Array(WebhookRow)) },
  },
  checkAddress: {
    method: "POST",
    path: "/venues/{venue}/webhooks/check",
    who: "owner",
    isMultiTransaction: true,
    worksInSandbox: true,
    body: Type.Object({ url: Url }),
    // The call opens connections to any address that it is given.
    perMinute: 10,
    success: { status: 200, body: Data(Type.Array(CheckStep)) },
  },
  addWebhook: {
    method: "POST",
    path: "/venues/{venue}/webhooks",
    who: "owner",
    isIdempotent: true,
    showsSecret: true,
    worksInSandbox: true,
    needsRecentPassword: true,
    body: Type.Object({ url: Url, events: Events, description: Type.Optional(Description) }),
    success: { status: 201, body: Data(Secret) },
  },
  /** 409 `state_changed` when address, events or description are no longer as the page showed them. */
  changeWebhook: {
    method: "PATCH",
    path: "/venues/{venue}/webhooks/{id}",
    who: "owner",
    isIdempotent: true,
    worksInSandbox: true,
    needsRecentPassword: true,
    body: Type.Object({
      seen: Type.Optional(Type.Object({ url: Url, events: Events, description: Description })),
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      description: Type.Optional(Description),
      is_paused: Type.Optional(Type.Boolean()),
    }),
    success: { status: 200, body: Done },
  },
  removeWebhook: {
    method: "DELETE",
    path: "/venues/{venue}/webhooks/{id}",
    worksInSandbox: true,
    who: "owner",
    isIdempotent: true,
    success: { status: 200, body: Done },
  },
  rotateSecret: {
    method: "POST",
    path: "/venues/{venue}/webhooks/{id}/secret",
    who: "owner",
    isMultiTransaction: true,
    isIdempotent: true,
    showsSecret: true,
    worksInSandbox: true,
    needsRecentPassword: true,
    success: { status: 201, body: Data(Secret) },
  },
  pingWebhook: {
    method: "POST",
    path: "/venues/{venue}/webhooks/{id}/ping",
    who: "owner",
    isIdempotent: true,
    worksInSandbox: true,
    needsPlan: true,
    success: { status: 201, body: Data(Type.Object({ event_id: Type.String() })) },
  },
} as const satisfies Record<string, ConsoleOperation>;

export const DELIVERY_STATES = ["ready", "waiting", "held", "done", "failed"] as const;

const delivery = {
  id: Id,
  webhook_id: Id,
  url: Type.String(),
  event_id: Type.String({ pattern: UUID_PATTERN }),
  event_type: Literals(EVENT_TYPES),
  state: Literals(DELIVERY_STATES),
  /** 1, and one more for each replay and for each retry that was asked for. */
  cycle: Count,
  attempts: Count,
  due_at: Nullable(Instant),
  last_status: Nullable(Type.Integer()),
  last_failure: Nullable(FailureReason),
  last_duration_ms: Nullable(Count),
  created_at: Instant,
  updated_at: Instant,
};
export const DeliverySummary = Type.Object(delivery);
export type DeliverySummary = Static<typeof DeliverySummary>;

export const DeliveryDetail = Type.Object({
  ...delivery,
  body: Type.String(),
  /** A command that sends the same bytes, signed again, to the same address. Good for five minutes. */
  curl: Type.String(),
  log: Type.Array(
    Type.Object({
      cycle: Count,
      attempt: Count,
      at: Instant,
      status: Nullable(Type.Integer()),
      duration_ms: Count,
      failure: Nullable(FailureReason),
      answer: Type.String(),
    }),
  ),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** How many are sent again, and how many of those named were left alone, and why. */
export const ReplayCounts = Type.Object({ count: Count, on_the_way: Count, removed: Count });
export type ReplayCounts = Static<typeof ReplayCounts>;

/** How many are due at once; how many of those named were not waiting; how many still wait at the address because one call takes no more. */
export const RetryCounts = Type.Object({ count: Count, not_waiting: Count, still_waiting: Count });
export type RetryCounts = Static<typeof RetryCounts>;

const WantedReplays = Type.Object({
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100 })),
  failed_at: Type.Optional(Type.Object({ webhook: Id, since: Instant })),
});
export type WantedReplays = Static<typeof WantedReplays>;

/** One call makes no more than this due: it is one statement, and a statement has five seconds. */
export const RETRY_DELIVERIES_MAX = 1000;

export const deliveryOperations = {
  listDeliveries: {
    method: "GET",
    path: "/venues/{venue}/deliveries",
    who: "manager",
    worksInSandbox: true,
    query: Type.Object({
      webhook: Type.Optional(Type.Integer({ minimum: 1 })),
      state: Type.Optional(Literals(DELIVERY_STATES)),
      type: Type.Optional(Literals(EVENT_TYPES)),
      event: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
      ...Before,
    }),
    success: { status: 200, body: Rows(DeliverySummary) },
  },
  readDelivery: {
    method: "GET",
    path: "/venues/{venue}/deliveries/{id}",
    who: "manager",
    worksInSandbox: true,
    success: { status: 200, body: Data(DeliveryDetail) },
  },
  /** What `replayDeliveries` would send again now. */
  countReplays: {
    method: "POST",
    path: "/venues/{venue}/deliveries/replay-count",
    who: "owner",
    worksInSandbox: true,
    body: WantedReplays,
    perMinute: 30,
    success: { status: 200, body: Data(ReplayCounts) },
  },
  /** Replays the named deliveries, or all that failed at an address since a moment. */
  replayDeliveries: {
    method: "POST",
    path: "/venues/{venue}/deliveries/replay",
    who: "owner",
    isIdempotent: true,
    worksInSandbox: true,
    body: WantedReplays,
    // Each call may send all that failed at one address.
    perMinute: 30,
    success: { status: 200, body: Data(ReplayCounts) },
  },
  /** Sends the named deliveries, or the oldest that wait at an address, now instead of at their next attempt. */
  retryDeliveries: {
    method: "POST",
    path: "/venues/{venue}/deliveries/retry",
    who: "owner",
    isIdempotent: true,
    worksInSandbox: true,
    needsPlan: true,
    body: Type.Object({
      ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100 })),
      webhook: Type.Optional(Id),
    }),
    // Each call may send a thousand messages to one server.
    perMinute: 30,
    success: { status: 200, body: Data(RetryCounts) },
  },
} as const satisfies Record<string, ConsoleOperation>;
