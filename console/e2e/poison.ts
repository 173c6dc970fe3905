/** The cast with a payload in every text that somebody outside could have written: one row of each list for each payload. */
import type { CatalogueApp, InstalledApp, OwnApp } from "@comanda/contract/console-apps.ts";
import type { ActivityRow, RequestRow } from "@comanda/contract/console-logs.ts";
import type { TokenRow } from "@comanda/contract/console-tokens.ts";
import type { DeliveryDetail, DeliveryRow, WebhookRow } from "@comanda/contract/console-webhooks.ts";
import { newToken, nina, sandbox, sessions, tokens } from "./cast.ts";
import { catalogue, installed, ownApps } from "./cast-apps.ts";
import { activity, deliveries, detail, requests, webhooks } from "./cast-developer.ts";
import { PAYLOADS } from "./payloads.ts";
import type { Scene } from "./scene.ts";
import type { Play } from "./stage.ts";

/** Texts of the contract's own: a fixed set of words, moments, or our own numbers. */
const WORDS = [
  "kind",
  "state",
  "scopes",
  "granted",
  "plan_lacks",
  "events",
  "event_type",
  "actor_kind",
  "via",
  "role",
  "step",
  "locale",
  "method",
];
/** Of a logo the server lets in nothing but pictures (platform/apps/rules.ts). */
const FIXED = new Set([...WORDS, "slug", "logo"]);
const isMoment = (name: string): boolean => /_at$|_until$|^at$|_since$/.test(name);

const poison = <T>(value: T, payload: string, name = ""): T => {
  if (typeof value === "string") return (FIXED.has(name) || isMoment(name) ? value : payload) as T;
  if (Array.isArray(value)) return (FIXED.has(name) ? value : value.map((one: unknown) => poison(one, payload, name))) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poison(one as unknown, payload, key)])) as T;
};

const rows = <T extends { id: number }>(of: readonly T[]): T[] =>
  PAYLOADS.map((payload, index) => ({ ...poison(of[index % of.length] as T, payload), id: 1000 + index }));

/** For what a page shows once. */
const ALL = PAYLOADS.join(" ");

const person = poison(nina.person, ALL);
const venues = [
  ...nina.venues,
  ...PAYLOADS.map((payload, index) => ({ slug: `venue-${index}`, name: { en: payload }, role: "owner" as const })),
];
const changes: ActivityRow[] = rows(activity).map((row, index) => {
  const payload = PAYLOADS[index] ?? "";
  return { ...row, reason: payload, before: { [payload]: payload, same: 1 }, after: { [payload]: `${payload}!`, list: [payload] } };
});
const attempts = PAYLOADS.map((payload, index) => ({
  ...poison(detail.log[0] as DeliveryDetail["log"][number], payload),
  attempt: index + 1,
}));

/** One app for each payload, in its name, its addresses and its developer's name. */
const cards = rows(PAYLOADS.map((_, id) => ({ id, ...(catalogue[id % catalogue.length] as CatalogueApp), is_installed: false })));

export const poisoned: Play = {
  readSession: { data: { ...nina, person, venues } },
  listSessions: { data: rows(sessions).map((row, index) => ({ ...row, is_current: index === 0 })) },
  readLink: { data: { kind: "invitation", email: ALL, name: ALL, venue: { en: ALL }, has_password: false } },
  listTokens: { data: rows<TokenRow>(tokens) },
  createToken: { data: poison(newToken, ALL) },
  readSandbox: { data: poison(sandbox, ALL) },
  listWebhooks: { data: rows<WebhookRow>(webhooks) },
  checkAddress: {
    data: PAYLOADS.map((payload) => ({
      step: "tls" as const,
      is_good: false,
      reason: { code: "status" as const, values: { status: payload } as never },
      ms: 1,
    })),
  },
  addWebhook: { data: { id: 1, secret: ALL, previous_until: null } },
  listDeliveries: { data: rows<DeliveryRow>(deliveries), next: null },
  readDelivery: { data: { ...poison(detail, ALL), log: attempts, body: JSON.stringify({ all: PAYLOADS }), curl: ALL } },
  listActivity: { data: changes, next: null, currency: "EUR" },
  listRequests: { data: rows<RequestRow>(requests), next: null },
  beginSecondFactor: { data: { secret: ALL.slice(0, 400), uri: ALL.slice(0, 400) } },
  listInstalledApps: { data: rows<InstalledApp>(installed) },
  listCatalogue: { data: cards.map(({ id: _, ...card }, index) => ({ ...card, client_id: `${index} ${card.client_id}` })) },
  listOwnApps: { data: rows<OwnApp>(ownApps) },
};

/** A scene's own answers with every payload in every text: its dialogs are reached by the same steps. A refusal stays as it is. */
export const poisonScene = ({ play }: Scene): Play => {
  const answers = Object.entries(play).map(([id, answer]) => [id, "data" in answer ? poison<unknown>(answer, ALL) : answer]);
  // More than this and there is no QR code that could hold it.
  return { ...Object.fromEntries(answers), ...(play.beginSecondFactor && { beginSecondFactor: poisoned.beginSecondFactor }) };
};
