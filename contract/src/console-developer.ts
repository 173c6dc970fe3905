/** The developer settings of a venue: tokens, sandbox, webhooks, the delivery log, activity. */
import { type Static, Type } from "typebox";
import { Before, type ConsoleOperation, Data, Done, Instant, Rows } from "./console-operation.ts";
import { EVENT_TYPES } from "./events.ts";
import { ALL_SCOPES } from "./scopes.ts";
import { Id, Literals, Nullable, UUID_PATTERN } from "./shared.ts";

const Count = Type.Integer({ minimum: 0 });

export const TokenRow = Type.Object({
  id: Id,
  name: Type.String(),
  kind: Literals(["api", "sandbox", "oauth"]),
  /** The number in front and the last four characters: never the secret. */
  hint: Type.String(),
  scopes: Type.Array(Literals(ALL_SCOPES)),
  state: Literals(["active", "expired", "revoked"]),
  rate_per_minute: Nullable(Count),
  created_by: Type.String(),
  created_at: Instant,
  last_used_at: Nullable(Instant),
  expires_at: Nullable(Instant),
  /** Of the last 24 hours, hour by hour, the oldest first. */
  hours: Type.Array(Type.Object({ requests: Count, errors: Count, limited: Count })),
  /** Left in the running minute; null when nothing was asked in it. */
  remaining: Nullable(Count),
});
export type TokenRow = Static<typeof TokenRow>;

/** Shown once. */
export const NewTokenText = Type.Object({ id: Id, token: Type.String() });

const TokenName = Type.String({ minLength: 1, maxLength: 80 });
const OVERLAPS = ["now", "1h", "24h", "7d"] as const;

const tokenOperations = {
  listTokens: { method: "GET", path: "/venues/{venue}/tokens", who: "manager", success: { status: 200, body: Data(Type.Array(TokenRow)) } },
  createToken: {
    method: "POST",
    path: "/venues/{venue}/tokens",
    who: "manager",
    body: Type.Object({
      name: TokenName,
      scopes: Type.Array(Literals(ALL_SCOPES), { minItems: 1, maxItems: ALL_SCOPES.length }),
      expires_in_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 3650 }))),
    }),
    success: { status: 201, body: Data(NewTokenText) },
  },
  /** A new secret with the same scopes; the old token ends after the overlap. */
  rollToken: {
    method: "POST",
    path: "/venues/{venue}/tokens/{id}/roll",
    who: "manager",
    body: Type.Object({ overlap: Literals(OVERLAPS) }),
    success: { status: 201, body: Data(NewTokenText) },
  },
  revokeToken: { method: "DELETE", path: "/venues/{venue}/tokens/{id}", who: "manager", success: { status: 200, body: Done } },
} as const satisfies Record<string, ConsoleOperation>;

export const Sandbox = Type.Object({
  created_at: Instant,
  reset_at: Nullable(Instant),
  next_reset_at: Nullable(Instant),
  token: Nullable(Type.Object({ hint: Type.String(), created_at: Instant, last_used_at: Nullable(Instant) })),
  contents: Type.Object({ dishes: Count, tables: Count, guests: Count, reservations: Count, orders: Count }),
});
export type Sandbox = Static<typeof Sandbox>;

const sandboxOperations = {
  readSandbox: { method: "GET", path: "/venues/{venue}/sandbox", who: "manager", success: { status: 200, body: Data(Nullable(Sandbox)) } },
  /** Makes the sandbox where there is none; a new token replaces the old one. */
  openSandbox: { method: "POST", path: "/venues/{venue}/sandbox", who: "manager", success: { status: 201, body: Data(NewTokenText) } },
  resetSandbox: { method: "POST", path: "/venues/{venue}/sandbox/reset", who: "manager", success: { status: 200, body: Done } },
} as const satisfies Record<string, ConsoleOperation>;

export const WebhookRow = Type.Object({
  id: Id,
  url: Type.String(),
  description: Nullable(Type.String()),
  events: Type.Array(Literals(EVENT_TYPES)),
  state: Literals(["working", "failing", "paused"]),
  created_by: Type.String(),
  created_at: Instant,
  failing_since: Nullable(Instant),
  last_success_at: Nullable(Instant),
  last_failure_at: Nullable(Instant),
  /** In words. */
  last_failure: Nullable(Type.String()),
  /** Of the last 24 hours. */
  attempts: Count,
  successes: Count,
  p95_ms: Nullable(Count),
  pending: Count,
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
  /** In words: what was found, or what to do. */
  sentence: Type.String(),
  ms: Count,
});
export type CheckStep = Static<typeof CheckStep>;

const webhookOperations = {
  listWebhooks: {
    method: "GET",
    path: "/venues/{venue}/webhooks",
    who: "manager",
    success: { status: 200, body: Data(Type.Array(WebhookRow)) },
  },
  checkAddress: {
    method: "POST",
    path: "/venues/{venue}/webhooks/check",
    who: "owner",
    body: Type.Object({ url: Url }),
    success: { status: 200, body: Data(Type.Array(CheckStep)) },
  },
  addWebhook: {
    method: "POST",
    path: "/venues/{venue}/webhooks",
    who: "owner",
    body: Type.Object({ url: Url, events: Events, description: Type.Optional(Description) }),
    success: { status: 201, body: Data(Secret) },
  },
  changeWebhook: {
    method: "PATCH",
    path: "/venues/{venue}/webhooks/{id}",
    who: "owner",
    body: Type.Object({
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      description: Type.Optional(Description),
      is_paused: Type.Optional(Type.Boolean()),
    }),
    success: { status: 200, body: Done },
  },
  removeWebhook: { method: "DELETE", path: "/venues/{venue}/webhooks/{id}", who: "owner", success: { status: 200, body: Done } },
  rotateSecret: {
    method: "POST",
    path: "/venues/{venue}/webhooks/{id}/secret",
    who: "owner",
    success: { status: 201, body: Data(Secret) },
  },
  pingWebhook: {
    method: "POST",
    path: "/venues/{venue}/webhooks/{id}/ping",
    who: "owner",
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
  /** 1, and one more for each replay. */
  cycle: Count,
  attempts: Count,
  due_at: Nullable(Instant),
  last_status: Nullable(Type.Integer()),
  last_failure: Nullable(Type.String()),
  last_duration_ms: Nullable(Count),
  created_at: Instant,
  updated_at: Instant,
};
export const DeliveryRow = Type.Object(delivery);
export type DeliveryRow = Static<typeof DeliveryRow>;

export const DeliveryDetail = Type.Object({
  ...delivery,
  body: Type.String(),
  /** A command that sends the same bytes, signed anew, to the same address. Good for five minutes. */
  curl: Type.String(),
  log: Type.Array(
    Type.Object({
      cycle: Count,
      attempt: Count,
      at: Instant,
      status: Nullable(Type.Integer()),
      duration_ms: Count,
      failure: Nullable(Type.String()),
      answer: Type.String(),
    }),
  ),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

const deliveryOperations = {
  listDeliveries: {
    method: "GET",
    path: "/venues/{venue}/deliveries",
    who: "manager",
    query: Type.Object({
      webhook: Type.Optional(Type.Integer({ minimum: 1 })),
      state: Type.Optional(Literals(DELIVERY_STATES)),
      type: Type.Optional(Literals(EVENT_TYPES)),
      event: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
      ...Before,
    }),
    success: { status: 200, body: Rows(DeliveryRow) },
  },
  readDelivery: {
    method: "GET",
    path: "/venues/{venue}/deliveries/{id}",
    who: "manager",
    success: { status: 200, body: Data(DeliveryDetail) },
  },
  /** Those named, or all that failed at an address since a moment; with `dry_run` they are only counted. */
  replayDeliveries: {
    method: "POST",
    path: "/venues/{venue}/deliveries/replay",
    who: "owner",
    body: Type.Object({
      ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100 })),
      failed_at: Type.Optional(Type.Object({ webhook: Id, since: Instant })),
      dry_run: Type.Optional(Type.Boolean()),
    }),
    success: { status: 200, body: Data(Type.Object({ count: Count })) },
  },
} as const satisfies Record<string, ConsoleOperation>;

export const ActivityRow = Type.Object({
  id: Id,
  at: Instant,
  actor_kind: Literals(["token", "app", "staff", "operator", "system"]),
  actor_name: Type.String(),
  action: Type.String(),
  subject_kind: Type.String(),
  subject_id: Type.String(),
  before: Nullable(Type.Record(Type.String(), Type.Unknown())),
  after: Nullable(Type.Record(Type.String(), Type.Unknown())),
  reason: Nullable(Type.String()),
  address: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
});
export type ActivityRow = Static<typeof ActivityRow>;

export const RequestRow = Type.Object({
  id: Id,
  at: Instant,
  token_id: Id,
  token_name: Type.String(),
  method: Type.String(),
  /** The path as the contract writes it, ids left out. */
  route: Type.String(),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  ms: Count,
  address: Type.String(),
  client: Nullable(Type.String()),
  request_id: Type.String(),
});
export type RequestRow = Static<typeof RequestRow>;

const activityOperations = {
  listActivity: {
    method: "GET",
    path: "/venues/{venue}/activity",
    who: "manager",
    query: Type.Object({
      area: Type.Optional(Type.String({ maxLength: 40 })),
      actor: Type.Optional(Literals(["token", "app", "staff", "operator", "system"])),
      subject: Type.Optional(Type.String({ maxLength: 80 })),
      ...Before,
    }),
    success: { status: 200, body: Rows(ActivityRow) },
  },
  listRequests: {
    method: "GET",
    path: "/venues/{venue}/requests",
    who: "manager",
    query: Type.Object({
      token: Type.Optional(Type.Integer({ minimum: 1 })),
      status: Type.Optional(Literals(["2xx", "4xx", "5xx", "429"])),
      ...Before,
    }),
    success: { status: 200, body: Rows(RequestRow) },
  },
} as const satisfies Record<string, ConsoleOperation>;

export const developerOperations = {
  ...tokenOperations,
  ...sandboxOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...activityOperations,
} as const satisfies Record<string, ConsoleOperation>;
