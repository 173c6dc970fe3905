/** For tests that try every console call: bodies that would be accepted, and whether anything was changed. */
import type { TestApp, TestVenue } from "./test-app.ts";

const APP = {
  name: "Eve's",
  developer: "Eve",
  summary: "Listens.",
  site: "https://eve.example",
  install_url: null,
  logo: null,
  redirect_uris: ["https://eve.example/back"],
  scopes: ["menu:read"],
};

/** Valid bodies, so that only the access check can refuse a call. */
export const CONSOLE_BODIES: Record<string, unknown> = {
  createToken: { name: "website", scopes: ["menu:read"] },
  rollToken: { overlap: "now" },
  addWebhook: { url: "https://example.com/hook", events: ["order.created"] },
  changeWebhook: { description: "changed" },
  checkAddress: { url: "http://example.com/" },
  replayDeliveries: { ids: [1] },
  retryDeliveries: { ids: [1] },
  moveBoardOrder: { seen_status: "placed", status: "accepted" },
  strikeOrderLine: { seen_status: "placed", reason: "ordered twice" },
  takePayment: { method: "cash", amount_minor: 100, seen_paid_minor: 0 },
  refundOrderPayment: { amount_minor: 50, reason: "too cold", seen_refunded_minor: 0 },
  setOrderType: { type: "pickup", seen: { paused_until: null, busy_until: null, extra_minutes: null }, to: "pause_30" },
  setDishToday: { seen: { kind: "available", until: null, remaining: null }, to: "today" },
  setOptionToday: { seen: { kind: "available", until: null }, to: "today" },
  quoteStaffOrder: { type: "pickup", lines: [{ item_id: 1, quantity: 1 }] },
  placeStaffOrder: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: 1, quantity: 1 }] },
  signIn: { email: "a@example.com", password: "x" },
  askForReset: { email: "a@example.com" },
  readLink: { secret: "x" },
  useLink: { secret: "x", password: "long enough it is" },
  changeUser: { name: "Eve" },
  changePassword: { current: "x", password: "long enough it is" },
  beginSecondFactor: { password: "x" },
  confirmSecondFactor: { code: "123456" },
  registerApp: APP,
  changeApp: APP,
  rollAppSecret: { overlap: "now" },
  readConsent: { request: "x" },
  denyConsent: { request: "x" },
  allowConsent: { request: "x", scopes: ["menu:read"] },
  renewRecoveryCodes: { password: "x", code: "123456" },
  endSecondFactor: { password: "x", code: "123456" },
};

/** What a read cannot do without. `placeLabOrder` uses this number. */
export const CONSOLE_QUERIES: Record<string, string> = { findOrderGuest: `?phone=${encodeURIComponent("+1 555 0100")}` };

const UNKNOWN_ORDER = "01930000-0000-7000-8000-000000000000";

/** The path of a call. Without an order it names one that does not exist. */
export const fillConsolePath = (
  path: string,
  { venue, id = 1, order = UNKNOWN_ORDER }: { venue: string; id?: number; order?: string },
): string => path.replace("{venue}", venue).replace("{id}", String(id)).replace("{order}", order);

/** An order in a venue that was made from the sample "lab". */
export const placeLabOrder = async (app: TestApp, { token }: TestVenue, changes: Record<string, unknown> = {}): Promise<string> => {
  const { data } = (await app.call(token, "GET", "/items?per_page=100")).body;
  const dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const guest = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100" };
  const placed = await app.call(token, "POST", "/orders", { body: { ...guest, lines: [{ item_id: dish, quantity: 1 }], ...changes } });
  if (placed.status !== 201) throw new Error(placed.text);
  return placed.body.data.id;
};

/** Every row that a call could change. */
export const fingerprint = async (app: TestApp): Promise<string> => {
  const tables = [
    "tokens",
    "webhook_endpoints",
    "webhook_secrets",
    "deliveries",
    "sandboxes",
    "audit_entries",
    "users",
    "one_time_links",
    "sessions",
    "apps",
    "app_secrets",
    "consents",
    "installations",
    "grants",
    "orders",
    "order_pauses",
    "items",
    "item_counts",
    "modifier_options",
    "tickets",
    "payments",
    "refunds",
  ];
  const sums = tables.map((table) => `select '${table}', coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from ${table} t`);
  return JSON.stringify(await app.database.asOwner(sums.join(" union all ")));
};
