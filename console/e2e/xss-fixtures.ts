/** Fixtures with a payload in every text that outsiders can write: one row of each list for each payload. */
import type { CatalogueApp, InstalledApp, OwnApp } from "@comanda/contract/console/apps.ts";
import type { ActivityEntry, RequestRow } from "@comanda/contract/console/logs.ts";
import { type ConsoleOperationId, consoleOperations } from "@comanda/contract/console/operations.ts";
import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import type { DeliveryDetail, DeliverySummary, WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { newToken, nina, sandbox, sessions, tokens } from "./fixtures-account.ts";
import { catalogue, installed, ownApps } from "./fixtures-apps.ts";
import { activity, deliveries, detail, requests, webhooks } from "./fixtures-developer.ts";
import type { MockAnswers } from "./mock-server.ts";
import type { PageState } from "./page-state.ts";
import { PAYLOADS } from "./xss-payloads.ts";

/** Fields with fixed values, such as enums. */
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
  "features",
  "step",
  "locale",
  "method",
  "zone",
  "default_language",
  "days",
  "from",
  "to",
  "date",
  "currency",
  "area",
  "action",
  "subject_kind",
];
/** The server accepts only pictures as logos (platform/programs/apps/rules.ts). */
const FIXED = new Set([...WORDS, "slug", "logo"]);
const isMoment = (name: string): boolean => /_at$|_until$|^at$|_since$/.test(name);

const injectPayload = <T>(value: T, payload: string, name = ""): T => {
  if (typeof value === "string") return (FIXED.has(name) || isMoment(name) ? value : payload) as T;
  if (Array.isArray(value)) return (FIXED.has(name) ? value : value.map((one: unknown) => injectPayload(one, payload, name))) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, injectPayload(one as unknown, payload, key)])) as T;
};

const rows = <T extends { id: number }>(of: readonly T[]): T[] =>
  PAYLOADS.map((payload, index) => ({ ...injectPayload(of[index % of.length] as T, payload), id: 1000 + index }));

/** All payloads in one text. */
const ALL = PAYLOADS.join(" ");

const person = injectPayload(nina.person, ALL);
const venues = [
  ...nina.venues,
  ...PAYLOADS.map((payload, index) => ({
    slug: `venue-${index}`,
    name: { en: payload },
    role: "owner" as const,
    is_second_factor_missing: false,
    features: ["reservations" as const, "reporting" as const],
    default_language: "en",
    has_sandbox: false,
  })),
];
const changes: ActivityEntry[] = rows(activity).map((row, index) => {
  const payload = PAYLOADS[index] ?? "";
  return { ...row, reason: payload, before: { [payload]: payload, same: 1 }, after: { [payload]: `${payload}!`, list: [payload] } };
});
const attempts = PAYLOADS.map((payload, index) => ({
  ...injectPayload(detail.log[0] as DeliveryDetail["log"][number], payload),
  attempt: index + 1,
}));

/** One app for each payload. */
const cards = rows(PAYLOADS.map((_, id) => ({ id, ...(catalogue[id % catalogue.length] as CatalogueApp), is_installed: false })));

export const xssAnswers: MockAnswers = {
  readSession: { data: { ...nina, person, venues } },
  listSessions: { data: rows(sessions).map((row, index) => ({ ...row, is_current: index === 0 })) },
  readLink: {
    data: {
      kind: "invitation",
      email: ALL,
      name: ALL,
      venue: { en: ALL },
      slug: "trattoria-da-nino",
      has_password: false,
      is_member: false,
    },
  },
  listTokens: { data: rows<TokenRow>(tokens) },
  createToken: { data: injectPayload(newToken, ALL) },
  readSandbox: { data: injectPayload(sandbox, ALL) },
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
  listDeliveries: { data: rows<DeliverySummary>(deliveries), next: null },
  readDelivery: { data: { ...injectPayload(detail, ALL), log: attempts, body: JSON.stringify({ all: PAYLOADS }), curl: ALL } },
  listActivity: { data: changes, next: null, currency: "EUR" },
  listRequests: { data: rows<RequestRow>(requests), next: null },
  beginSecondFactor: { data: { secret: ALL.slice(0, 400), uri: ALL.slice(0, 400) } },
  listInstalledApps: { data: rows<InstalledApp>(installed) },
  listCatalogue: { data: cards.map(({ id: _, ...card }, index) => ({ ...card, client_id: `${index} ${card.client_id}` })) },
  listOwnApps: { data: rows<OwnApp>(ownApps) },
};

type TextShape = {
  type?: string;
  const?: unknown;
  enum?: unknown;
  pattern?: string;
  format?: string;
  anyOf?: TextShape[];
  items?: TextShape;
  properties?: Record<string, TextShape>;
  patternProperties?: Record<string, TextShape>;
  additionalProperties?: TextShape | boolean;
};

const isFreeText = ({ type, const: fixed, enum: words, pattern, format }: TextShape): boolean =>
  type === "string" && fixed === undefined && words === undefined && pattern === undefined && format === undefined;

const alternatives = (shape: TextShape): TextShape[] => [shape, ...(shape.anyOf ?? []).flatMap(alternatives)];

const memberShape = (shapes: readonly TextShape[], name: string): TextShape[] =>
  shapes.flatMap(({ properties = {}, patternProperties = {}, additionalProperties }) => [
    ...(properties[name] ? [properties[name]] : []),
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ]);

/** Every text that the contract leaves open becomes the payload; words of a list, dates and numbers stay. */
const injectByShape = (value: unknown, given: readonly TextShape[], name = ""): unknown => {
  const flat = given.flatMap(alternatives);
  if (typeof value === "string")
    return flat.some(isFreeText) && !flat.some((shape) => shape.const === value) && !FIXED.has(name) ? ALL : value;
  if (Array.isArray(value)) {
    const items = flat.flatMap((shape) => (shape.items ? [shape.items] : []));
    return value.map((one: unknown) => injectByShape(one, items, name));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, injectByShape(one, memberShape(flat, member), member)]));
};

/** The answers of a page state with all payloads where the contract has free text. */
export const withXssTexts = ({ answers }: PageState): MockAnswers =>
  Object.fromEntries(
    Object.entries(answers).map(([id, answer]) => {
      const { body } = consoleOperations[id as ConsoleOperationId]?.success ?? {};
      return [id, "data" in answer && body ? (injectByShape(answer, [body as TextShape]) as typeof answer) : answer];
    }),
  );

/** The answers of a page state with all payloads in every text. Error answers stay unchanged. */
export const withXssPayloads = ({ answers }: PageState): MockAnswers => {
  const injected = Object.entries(answers).map(([id, answer]) => [id, "data" in answer ? injectPayload<unknown>(answer, ALL) : answer]);
  // A QR code cannot hold all payloads.
  return { ...Object.fromEntries(injected), ...(answers.beginSecondFactor && { beginSecondFactor: xssAnswers.beginSecondFactor }) };
};
