/** Webhooks, deliveries, changes and requests for the stage. */
import type { ActivityRow, RequestRow } from "@comanda/contract/console-logs.ts";
import type { DeliveryDetail, DeliveryRow, FailureReason, WebhookRow } from "@comanda/contract/console-webhooks.ts";
import { EVENT_SAMPLES } from "@comanda/contract/event-samples.ts";
import { ago, DAY, HOUR, MINUTE } from "./moments.ts";

const UNAVAILABLE: FailureReason = { code: "status", values: { status: 503 } };
const SILENT: FailureReason = { code: "timeout", values: {} };

const hook: WebhookRow = {
  id: 8193,
  url: "https://orders.trattoria.example/hooks/comanda",
  description: "Website and kitchen screen",
  events: ["order.created", "order.status_changed", "order.paid", "menu.item_updated"],
  state: "working",
  created_by: "Nina Ferrari",
  created_at: ago(40 * DAY),
  failing_since: null,
  last_success_at: ago(2 * MINUTE),
  last_failure_at: null,
  last_failure: null,
  attempts: 1284,
  successes: 1284,
  p95_ms: 182,
  pending: 0,
  waiting: 0,
  next_attempt_at: null,
  secrets: 1,
};

export const webhooks: WebhookRow[] = [
  hook,
  {
    ...hook,
    id: 9217,
    url: "https://accounts.example/very/long/path/for/a/receiver/that/somebody/has/to/read/on/a/phone?venue=trattoria-da-nino&region=eu",
    description: "محاسبة الشركة",
    events: ["order.paid", "payment.refunded"],
    state: "failing",
    failing_since: ago(3 * HOUR),
    last_failure_at: ago(4 * MINUTE),
    last_failure: UNAVAILABLE,
    attempts: 88,
    successes: 61,
    p95_ms: 9_840,
    pending: 14,
    waiting: 12,
    next_attempt_at: ago(-4 * MINUTE),
    secrets: 2,
  },
  {
    ...hook,
    id: 9729,
    url: "https://loyalty.example/hooks",
    description: null,
    state: "unsteady",
    last_failure_at: ago(MINUTE),
    last_failure: UNAVAILABLE,
    attempts: 40,
    successes: 38,
    pending: 2,
    waiting: 2,
    next_attempt_at: ago(-MINUTE),
  },
  {
    ...hook,
    id: 10241,
    url: "https://old.example/webhook",
    description: null,
    events: ["reservation.created"],
    state: "paused",
    last_failure_at: ago(9 * DAY),
    last_failure: SILENT,
    attempts: 0,
    successes: 0,
    p95_ms: null,
    pending: 3,
  },
];

const delivery: DeliveryRow = {
  id: 90_113,
  webhook_id: 8193,
  url: hook.url,
  event_id: EVENT_SAMPLES["order.created"].id,
  event_type: "order.created",
  state: "done",
  cycle: 1,
  attempts: 1,
  due_at: null,
  last_status: 200,
  last_failure: null,
  last_duration_ms: 84,
  created_at: ago(2 * MINUTE),
  updated_at: ago(2 * MINUTE),
};

const failing = { webhook_id: 9217, url: webhooks[1]?.url ?? "", event_type: "order.paid" as const };

export const deliveries: DeliveryRow[] = [
  { ...delivery, id: 90_117, state: "ready", attempts: 0, last_status: null, last_duration_ms: null, created_at: ago(2000) },
  delivery,
  {
    ...delivery,
    ...failing,
    id: 90_112,
    state: "waiting",
    attempts: 3,
    due_at: ago(-22 * MINUTE),
    last_status: 503,
    last_failure: UNAVAILABLE,
    last_duration_ms: 1204,
    created_at: ago(15 * MINUTE),
  },
  {
    ...delivery,
    ...failing,
    id: 90_111,
    state: "failed",
    attempts: 6,
    last_status: null,
    last_failure: SILENT,
    last_duration_ms: 10_003,
    created_at: ago(11 * HOUR),
  },
  {
    ...delivery,
    id: 90_110,
    webhook_id: 10_241,
    url: webhooks[3]?.url ?? "",
    event_type: "reservation.created",
    state: "held",
    attempts: 1,
    last_status: 302,
    last_failure: { code: "redirect", values: { status: 302 } },
    created_at: ago(2 * DAY),
  },
  { ...delivery, id: 90_109, event_type: "menu.item_updated", cycle: 2, last_status: 204, created_at: ago(3 * DAY) },
];

const tried = (cycle: number, attempt: number, msAgo: number, status: number | null = 503) => ({
  cycle,
  attempt,
  at: ago(msAgo),
  status,
  duration_ms: status === null ? 10_002 : 240 + attempt,
  failure: status === null ? SILENT : status < 300 ? null : UNAVAILABLE,
  answer:
    status === null
      ? ""
      : status < 300
        ? "ok"
        : "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.</body></html>",
});

/** Failed six times, replayed, and on its way again. */
export const detail: DeliveryDetail = {
  ...delivery,
  ...failing,
  id: 90_112,
  state: "waiting",
  cycle: 2,
  attempts: 2,
  due_at: ago(-4 * MINUTE),
  last_status: 503,
  last_failure: UNAVAILABLE,
  body: JSON.stringify(EVENT_SAMPLES["order.paid"]),
  curl: `curl -i 'https://accounts.example/hook' \\\n  -H 'Content-Type: application/json' \\\n  -H 'Service-Event: order.paid' \\\n  -H 'Service-Signature: t=1763146931,v1=${"5f2a".repeat(16)}' \\\n  --data-binary '${JSON.stringify(EVENT_SAMPLES["order.paid"])}'`,
  created_at: ago(11 * HOUR),
  log: [
    tried(1, 1, 11 * HOUR),
    tried(1, 2, 11 * HOUR - MINUTE),
    tried(1, 3, 11 * HOUR - 6 * MINUTE, null),
    tried(1, 4, 10 * HOUR + 24 * MINUTE),
    tried(1, 5, 8 * HOUR + 24 * MINUTE),
    tried(1, 6, 2 * HOUR + 24 * MINUTE, 500),
    tried(2, 1, 2 * MINUTE),
    tried(2, 2, MINUTE),
  ],
};

export const doneDetail: DeliveryDetail = { ...detail, ...delivery, due_at: null, cycle: 1, log: [tried(1, 1, 2 * MINUTE, 200)] };

const change: ActivityRow = {
  id: 40_021,
  at: ago(3 * MINUTE),
  actor_kind: "staff",
  actor_id: 1025,
  actor_name: "Nina Ferrari",
  actor_email: "nina@trattoria.example",
  via: null,
  action: "webhook.changed",
  subject_kind: "webhook",
  subject_id: "8193",
  before: { url: hook.url, events: ["order.created"], description: null },
  after: { events: ["order.created", "order.paid"], description: "Website and kitchen screen" },
  reason: null,
  address: "203.0.113.9",
  request_id: "01a1db39-58b8-75e1-8860-a981f2727a6a",
};

export const activity: ActivityRow[] = [
  change,
  {
    ...change,
    id: 40_020,
    actor_kind: "token",
    actor_name: "Cassa (POS)",
    actor_email: null,
    via: "mcp",
    action: "item.price_changed",
    subject_kind: "item",
    subject_id: "5121",
    before: { price_minor: 900, name: { it: "Pizza Margherita", ar: "بيتزا مارغريتا" } },
    after: { price_minor: 950, name: { it: "Pizza Margherita DOP", ar: "بيتزا مارغريتا" } },
    at: ago(2 * HOUR),
  },
  {
    ...change,
    id: 40_019,
    actor_kind: "system",
    actor_name: "",
    actor_email: null,
    action: "sandbox.reset",
    subject_kind: "restaurant",
    subject_id: "3073",
    before: null,
    after: null,
    address: null,
    request_id: null,
    at: ago(9 * HOUR),
  },
  {
    ...change,
    id: 40_018,
    actor_name: "ليلى العلي",
    actor_email: "layla@trattoria.example",
    action: "payment.refunded",
    subject_kind: "payment",
    subject_id: "01a1cf0a-9660-7e1d-8ac4-896bed6b2f1b",
    before: null,
    after: { amount_minor: 1200 },
    reason: "الطبق وصل باردًا",
    at: ago(26 * HOUR),
  },
  {
    ...change,
    id: 40_017,
    action: "item.created",
    subject_kind: "item",
    subject_id: "7169",
    before: null,
    after: { name: { it: "Tiramisù", en: "Tiramisu" }, price_minor: 650, is_available: true, category_id: 3, show_online: true },
    at: ago(3 * DAY),
  },
  {
    ...change,
    id: 40_016,
    action: "token.revoked",
    subject_kind: "token",
    subject_id: "6145",
    before: { name: "Old website" },
    after: null,
    at: ago(61 * DAY),
  },
];

const asked: RequestRow = {
  id: 700_100,
  at: ago(30_000),
  token_id: 2049,
  token_name: "Website",
  method: "GET",
  route: "/menus",
  status: 200,
  code: null,
  ms: 9,
  address: "198.51.100.23",
  fields: null,
  client: "trattoria-site/2.4 (node 24.1; undici)",
  request_id: "01a1db39-58b8-75e1-8860-a981f2727a6a",
};

export const requests: RequestRow[] = [
  asked,
  { ...asked, id: 700_099, method: "POST", route: "/orders", status: 403, code: "insufficient_scope", at: ago(MINUTE) },
  { ...asked, id: 700_098, method: "POST", route: "/orders", status: 422, code: "validation_failed", ms: 14, at: ago(2 * MINUTE) },
  { ...asked, id: 700_097, status: 429, code: "rate_limited", ms: 1, client: null, at: ago(5 * MINUTE) },
  { ...asked, id: 700_096, route: null, status: 404, code: "not_found", ms: 1, token_name: "محاسبة الشركة", token_id: 4097, at: ago(HOUR) },
  { ...asked, id: 700_094, route: "/menus/{menu}/…", status: 404, code: "not_found", ms: 1, at: ago(HOUR + MINUTE) },
  { ...asked, id: 700_095, method: "POST", route: "/orders", status: 500, code: "server_error", ms: 1530, at: ago(2 * HOUR) },
];
