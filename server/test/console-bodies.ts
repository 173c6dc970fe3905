/** For whoever tries every call of the console: bodies that would be accepted, and whether anything was changed. */
import type { TestApp } from "./app.ts";

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

/** So that nothing but the door refuses a call. */
export const CONSOLE_BODIES: Record<string, unknown> = {
  createToken: { name: "website", scopes: ["menu:read"] },
  rollToken: { overlap: "now" },
  addWebhook: { url: "https://example.com/hook", events: ["order.created"] },
  changeWebhook: { description: "changed" },
  checkAddress: { url: "http://example.com/" },
  replayDeliveries: { ids: [1] },
  retryDeliveries: { ids: [1] },
  signIn: { email: "a@example.com", password: "x" },
  askForReset: { email: "a@example.com" },
  readLink: { secret: "x" },
  useLink: { secret: "x", password: "long enough it is" },
  changePerson: { name: "Eve" },
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

/** Every row that a call could change. */
export const fingerprint = async (app: TestApp): Promise<string> => {
  const tables = [
    "tokens",
    "webhook_endpoints",
    "webhook_secrets",
    "deliveries",
    "sandboxes",
    "audit_entries",
    "people",
    "person_links",
    "sessions",
    "apps",
    "app_secrets",
    "consents",
    "installations",
    "grants",
  ];
  const sums = tables.map((table) => `select '${table}', coalesce(md5(string_agg(t::text, '|' order by t::text)), '') from ${table} t`);
  return JSON.stringify(await app.database.asOwner(sums.join(" union all ")));
};
