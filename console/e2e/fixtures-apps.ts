/** Fixtures: apps, consents and installations. */
import type { AppCard, CatalogueApp, Consent, InstalledApp, OwnApp } from "@comanda/contract/console/apps.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { ago, DAY, HOUR, MINUTE } from "./fixture-times.ts";
import { tokens } from "./fixtures-account.ts";

/** A 32 × 32 picture. */
const LOGO =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAANUlEQVR42mP4+vgtSajFIIYkxDBqwagFoxaMWjBqwZCwgFQNpDpo1IJRC0YtGLVg1IIhYQEAxTeqalkv+sIAAAAASUVORK5CYII=";

export const tableTalk: AppCard = {
  client_id: "svc_app_9fK2mQx7Lr0VbT3nWz5YcHdJ",
  name: "Table Talk",
  developer: "Talk Ltd",
  summary: "Answers the telephone while you cook, and books tables.",
  site: "https://tabletalk.example",
  logo: LOGO,
  is_listed: true,
};

const ledger: AppCard = {
  client_id: "svc_app_2bN8sPq4Xv6ZaR1mKt9EjGwC",
  name: "دفتر الحسابات",
  developer: "شركة النور للبرمجيات",
  summary: "ينقل مبيعات كل يوم إلى دفاترك.",
  site: "https://ledger.example",
  logo: null,
  is_listed: false,
};

export const consent: Consent = {
  app: tableTalk,
  scopes: ["menu:read", "orders:read", "reservations:read", "orders:write", "reservations:write", "guests:read"],
  redirect_host: "app.tabletalk.example",
  expires_at: ago(-25 * MINUTE),
  venues: [
    {
      slug: "trattoria-da-nino",
      name: { it: "Trattoria da Nino", en: "Trattoria da Nino", ar: "تراتوريا دا نينو" },
      is_owner: true,
      granted: null,
      plan_lacks: ["reservations:read", "reservations:write"],
      sandbox: null,
    },
    { slug: "bar-sport", name: { it: "Bar Sport" }, is_owner: false, granted: null, plan_lacks: [], sandbox: null },
  ],
};

const [first, second] = consent.venues as [Consent["venues"][number], Consent["venues"][number]];

export const consentWider: Consent = {
  ...consent,
  app: { ...ledger, logo: null },
  scopes: ["menu:read", "orders:read", "reports:read"],
  venues: [{ ...first, granted: ["menu:read", "orders:read"], plan_lacks: [] }],
};
export const consentKnown: Consent = { ...consentWider, venues: [{ ...first, granted: ALL_SCOPES, plan_lacks: [] }] };
export const consentManager: Consent = { ...consent, venues: [second] };
export const consentNowhere: Consent = { ...consent, venues: [] };
export const consentSeveral: Consent = {
  ...consent,
  venues: [first, { ...second, is_owner: true, granted: ["menu:read"] }, { ...second, slug: "third", name: { en: "Osteria del Ponte" } }],
};

export const consentSandbox: Consent = {
  ...consent,
  venues: [{ ...first, sandbox: { slug: `${first.slug}.sandbox`, granted: null } }],
};

const quiet: InstalledApp["hours"] = Array.from({ length: 24 }, () => ({ requests: 0, errors: 0, limited: 0 }));

export const installed: InstalledApp[] = [
  {
    id: 11_265,
    app: tableTalk,
    scopes: consent.scopes,
    granted_by: "Nina Ferrari",
    granted_by_email: "nina@trattoria.example",
    granted_at: ago(21 * DAY),
    last_used_at: ago(3 * MINUTE),
    hours: tokens[0]?.hours ?? quiet,
    token_ids: [13_313, 12_289],
  },
  {
    id: 12_289,
    app: ledger,
    scopes: ["orders:read", "reports:read"],
    granted_by: "ليلى العلي",
    granted_by_email: "layla@trattoria.example",
    granted_at: ago(2 * HOUR),
    last_used_at: null,
    hours: quiet,
    token_ids: [],
  },
];

export const catalogue: CatalogueApp[] = [
  { ...tableTalk, scopes: consent.scopes, install_url: "https://app.tabletalk.example/install", is_installed: true },
  { ...ledger, is_listed: true, scopes: ["orders:read", "reports:read"], install_url: "https://ledger.example/start", is_installed: false },
  {
    ...tableTalk,
    client_id: "svc_app_7cV5xYb2Nm8KqP4tRz6WsLdF",
    name: "Forno",
    developer: "Pane & Figli S.r.l. di Giuseppe Bianchi e Associati",
    summary: "Prints orders where the oven is, dish by dish, in the order in which they have to go in, and tells the waiters.",
    logo: null,
    scopes: ["menu:read", "orders:read", "orders:write"],
    install_url: "https://forno.a-very-long-name-of-a-host-that-an-app-has.example/install",
    is_installed: false,
  },
];

export const ownApps: OwnApp[] = [
  {
    id: 14_337,
    ...tableTalk,
    install_url: "https://app.tabletalk.example/install",
    redirect_uris: ["https://app.tabletalk.example/comanda/back", "http://localhost:3000/comanda/back"],
    scopes: consent.scopes,
    secrets: [
      { hint: "svc_cs_…x9Kd", created_at: ago(2 * HOUR), expires_at: null },
      { hint: "svc_cs_…Q2fm", created_at: ago(90 * DAY), expires_at: ago(-22 * HOUR) },
    ],
    installations: 12,
    created_at: ago(90 * DAY),
  },
  {
    id: 15_361,
    ...ledger,
    install_url: null,
    redirect_uris: ["https://ledger.example/back"],
    scopes: ["orders:read", "reports:read"],
    secrets: [{ hint: "svc_cs_…7tyU", created_at: ago(DAY), expires_at: null }],
    installations: 0,
    created_at: ago(DAY),
  },
];

export const newSecret = { id: 16_385, client_id: "svc_app_5hT7wJn3Fk9XcM2vBq8ZrSgP", client_secret: `svc_cs_${"aB3dE6gH9j".repeat(4)}` };
