/** Apps of the marketplace: what a developer registers, what an owner is asked, what a venue has installed. */
import { type Static, Type } from "typebox";
import { ALL_SCOPES } from "../scopes.ts";
import { Id, Literals, Nullable, Translations } from "../shared.ts";
import { type ConsoleOperation, Count, Data, Done, GracePeriod, HourlyRequests, Instant, SomeScopes } from "./operation.ts";

const Scopes = Type.Array(Literals(ALL_SCOPES));

/** What anybody may know of an app. */
export const AppCard = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  developer: Type.String(),
  summary: Type.String(),
  site: Type.String(),
  /** A picture as a data address, or none. */
  logo: Nullable(Type.String()),
  /** Looked at by the operator of this service. */
  is_listed: Type.Boolean(),
});
export type AppCard = Static<typeof AppCard>;

const secretRow = Type.Object({ hint: Type.String(), created_at: Instant, expires_at: Nullable(Instant) });

export const OwnApp = Type.Object({
  id: Id,
  ...AppCard.properties,
  install_url: Nullable(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  scopes: Scopes,
  secrets: Type.Array(secretRow),
  installations: Count,
  created_at: Instant,
});
export type OwnApp = Static<typeof OwnApp>;

/** The logo, and the texts in their longest form. */
const APP_FORM_BYTES_MAX = 128 * 1024;

const line = (lengthMax: number) => Type.String({ minLength: 1, maxLength: lengthMax });
const fields = {
  name: line(60),
  developer: line(80),
  summary: line(200),
  site: line(500),
  install_url: Nullable(line(500)),
  /** `data:image/png;base64,…`, or jpeg or webp: drawn, never run. */
  logo: Nullable(Type.String({ maxLength: 90_000 })),
  redirect_uris: Type.Array(line(500), { minItems: 1, maxItems: 10 }),
  scopes: SomeScopes,
};
export const AppForm = Type.Object(fields);
export type AppForm = Static<typeof AppForm>;

/** Shown once. */
const NewSecret = Type.Object({ id: Id, client_id: Type.String(), client_secret: Type.String() });

const registryOperations = {
  listOwnApps: { method: "GET", path: "/apps", who: "person", success: { status: 200, body: Data(Type.Array(OwnApp)) } },
  registerApp: {
    method: "POST",
    path: "/apps",
    who: "person",
    isIdempotent: true,
    showsSecret: true,
    needsRecentPassword: true,
    body: AppForm,
    bodyBytesMax: APP_FORM_BYTES_MAX,
    success: { status: 201, body: Data(NewSecret) },
  },
  changeApp: {
    method: "PUT",
    path: "/apps/{id}",
    who: "person",
    isIdempotent: true,
    needsRecentPassword: true,
    body: AppForm,
    bodyBytesMax: APP_FORM_BYTES_MAX,
    success: { status: 200, body: Done },
  },
  /** A new client secret; those before it end after the overlap. */
  rollAppSecret: {
    method: "POST",
    path: "/apps/{id}/secret",
    who: "person",
    isIdempotent: true,
    showsSecret: true,
    needsRecentPassword: true,
    body: Type.Object({ overlap: GracePeriod }),
    success: { status: 201, body: Data(NewSecret) },
  },
  /** A withdrawal is final: it ends every installation. */
  withdrawApp: { method: "DELETE", path: "/apps/{id}", who: "person", isIdempotent: true, success: { status: 200, body: Done } },
} as const satisfies Record<string, ConsoleOperation>;

const Request = Type.String({ minLength: 1, maxLength: 100 });
const Redirect = Data(Type.Object({ redirect_to: Type.String() }));

export const Consent = Type.Object({
  app: AppCard,
  scopes: Scopes,
  /** The host that the owner will be sent back to. */
  redirect_host: Type.String(),
  expires_at: Instant,
  /** The venues where the person could allow the app, and what it may do there already. */
  venues: Type.Array(
    Type.Object({
      slug: Type.String(),
      name: Translations,
      is_owner: Type.Boolean(),
      granted: Nullable(Scopes),
      plan_lacks: Scopes,
      /** Its sandbox, where the app may be tried first. It has every feature. */
      sandbox: Nullable(Type.Object({ slug: Type.String(), granted: Nullable(Scopes) })),
    }),
  ),
});
export type Consent = Static<typeof Consent>;

const consentOperations = {
  /** A POST, so that no log keeps the request's name. */
  readConsent: {
    method: "POST",
    path: "/consents/read",
    who: "person",
    body: Type.Object({ request: Request }),
    success: { status: 200, body: Data(Consent) },
  },
  denyConsent: {
    method: "POST",
    path: "/consents/deny",
    who: "person",
    isIdempotent: true,
    body: Type.Object({ request: Request }),
    success: { status: 200, body: Redirect },
  },
  /** Fewer scopes than asked for may be ticked, never others. None is a no. */
  allowConsent: {
    method: "POST",
    path: "/venues/{venue}/consents",
    who: "owner",
    isIdempotent: true,
    showsSecret: true,
    worksInSandbox: true,
    needsRecentPassword: true,
    // What the owner no longer ticks ends.
    revokes: "venue",
    body: Type.Object({ request: Request, scopes: Type.Array(Literals(ALL_SCOPES), { maxItems: ALL_SCOPES.length }) }),
    success: { status: 200, body: Redirect },
  },
} as const satisfies Record<string, ConsoleOperation>;

export const InstalledApp = Type.Object({
  id: Id,
  app: AppCard,
  scopes: Scopes,
  granted_by: Type.String(),
  /** Null when it is from before this was written down. */
  granted_by_email: Nullable(Type.String()),
  granted_at: Instant,
  last_used_at: Nullable(Instant),
  hours: HourlyRequests,
  token_ids: Type.Array(Id),
});
export type InstalledApp = Static<typeof InstalledApp>;

export const CatalogueApp = Type.Object({
  ...AppCard.properties,
  scopes: Scopes,
  install_url: Type.String(),
  is_installed: Type.Boolean(),
});
export type CatalogueApp = Static<typeof CatalogueApp>;

const venueOperations = {
  listInstalledApps: {
    method: "GET",
    path: "/venues/{venue}/apps",
    who: "manager",
    worksInSandbox: true,
    success: { status: 200, body: Data(Type.Array(InstalledApp)) },
  },
  listCatalogue: {
    method: "GET",
    path: "/venues/{venue}/catalogue",
    who: "manager",
    worksInSandbox: true,
    success: { status: 200, body: Data(Type.Array(CatalogueApp)) },
  },
  /** Its tokens are refused from the next request on. */
  uninstallApp: {
    method: "DELETE",
    path: "/venues/{venue}/apps/{id}",
    who: "owner",
    isIdempotent: true,
    worksInSandbox: true,
    revokes: "venue",
    success: { status: 200, body: Done },
  },
} as const satisfies Record<string, ConsoleOperation>;

export const appOperations = { ...registryOperations, ...consentOperations, ...venueOperations } as const satisfies Record<
  string,
  ConsoleOperation
>;
