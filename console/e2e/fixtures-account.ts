/** Fixtures: the signed-in person, tokens, sandbox and sessions. */

import type { SignedIn } from "@comanda/contract/console/session.ts";
import type { Sandbox, TokenRow } from "@comanda/contract/console/tokens.ts";
import { ago, DAY, HOUR, MINUTE } from "./fixture-times.ts";

export const nina: SignedIn = {
  person: {
    id: 1025,
    email: "nina@trattoria.example",
    name: "Nina Ferrari",
    locale: null,
    has_second_factor: false,
    recovery_codes_left: 0,
  },
  venues: [
    {
      slug: "trattoria-da-nino",
      name: { it: "Trattoria da Nino", en: "Trattoria da Nino", ar: "تراتوريا دا نينو" },
      role: "owner",
      default_language: "it",
      is_second_factor_missing: false,
      features: ["reservations", "reporting"],
      has_sandbox: true,
    },
    {
      slug: "bar-sport",
      name: { it: "Bar Sport" },
      role: "manager",
      default_language: "it",
      is_second_factor_missing: false,
      features: ["reservations", "reporting"],
      has_sandbox: true,
    },
  ],
  invitations: [],
  expires_at: ago(-30 * DAY),
};

/** A venue with a long name, and one that the service's operator invites to. */
export const invitedNina: SignedIn = {
  ...nina,
  invitations: [
    {
      slug: "osteria-del-ponte",
      name: { it: "Osteria del Ponte Vecchio con giardino e terrazza sul fiume", en: "Osteria del Ponte" },
      role: "manager",
      invited_by: "سامي الحداد",
      invited_at: ago(2 * DAY),
      expires_at: ago(-5 * DAY),
    },
    {
      slug: "gelateria",
      name: { it: "Gelateria" },
      role: "staff",
      invited_by: null,
      invited_at: ago(HOUR),
      expires_at: ago(-7 * DAY),
    },
  ],
};

const busyDay: TokenRow["hours"] = [2, 1, 0, 0, 0, 0, 3, 14, 22, 31, 38, 64, 92, 88, 41, 30, 24, 28, 66, 104, 121, 97, 52, 18].map(
  (requests, hour) => ({
    requests,
    errors: hour === 12 ? 9 : hour === 20 ? 14 : hour % 7 === 0 ? 1 : 0,
    limited: hour === 20 ? 6 : 0,
  }),
);
const quietDay: TokenRow["hours"] = Array.from({ length: 24 }, () => ({ requests: 0, errors: 0, limited: 0 }));

const base: TokenRow = {
  id: 2049,
  name: "Website",
  kind: "api",
  hint: "2049|svc_…9fQ2",
  scopes: ["menu:read", "orders:read", "orders:write", "reservations:read", "reservations:write"],
  state: "active",
  rate_per_minute: 60,
  created_by: "Nina Ferrari",
  created_by_email: "nina@trattoria.example",
  created_at: ago(12 * DAY),
  last_used_at: ago(2 * MINUTE),
  expires_at: null,
  hours: busyDay,
  remaining: 47,
};

export const tokens: TokenRow[] = [
  base,
  {
    ...base,
    id: 3073,
    name: "Cassa (POS)",
    hint: "3073|svc_…kX0a",
    scopes: ["menu:read", "menu:write", "orders:read", "orders:write"],
    last_used_at: ago(3 * HOUR),
    hours: busyDay.map(({ requests }) => ({ requests: Math.round(requests / 5), errors: 0, limited: 0 })),
    remaining: null,
    expires_at: ago(-20 * DAY),
  },
  {
    ...base,
    id: 4097,
    name: "محاسبة الشركة",
    hint: "4097|svc_…Zz81",
    scopes: ["orders:read", "reports:read"],
    created_by: "ليلى العلي",
    created_by_email: null,
    created_at: ago(200 * DAY),
    last_used_at: ago(47 * DAY),
    hours: quietDay,
    remaining: null,
  },
  { ...base, id: 5121, name: "Sandbox", kind: "sandbox", hint: "5121|svc_…77tt", last_used_at: ago(DAY), hours: quietDay, remaining: null },
  {
    ...base,
    id: 6145,
    name: "Old website",
    hint: "6145|svc_…b4Ld",
    state: "revoked",
    last_used_at: ago(61 * DAY),
    hours: quietDay,
    remaining: null,
  },
];

export const sandbox: Sandbox = {
  created_at: ago(9 * DAY),
  reset_at: ago(9 * HOUR),
  next_reset_at: ago(-(14 * HOUR + 7 * MINUTE)),
  token: { hint: "5121|svc_…77tt", created_at: ago(9 * DAY), last_used_at: ago(40 * MINUTE) },
  contents: { dishes: 34, tables: 12, guests: 8, reservations: 1, orders: 1 },
};

export const sessions = [
  {
    id: 1024,
    created_at: ago(3 * DAY),
    last_seen_at: ago(MINUTE),
    address: "203.0.113.9",
    browser: "Firefox",
    system: "macOS",
    is_current: true,
  },
  {
    id: 2048,
    created_at: ago(20 * DAY),
    last_seen_at: ago(2 * DAY),
    address: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
    browser: "Samsung Internet",
    system: "Android",
    is_current: false,
  },
  { id: 3072, created_at: ago(30 * DAY), last_seen_at: ago(9 * DAY), address: null, browser: null, system: null, is_current: false },
];

export const recoveryCodes = [
  "7kq2-m0xc-r8nt",
  "b6ye-1wzs-9kdp",
  "a5hg-qf3v-x2j4",
  "m9pd-4tcw-0e6z",
  "3rgv-nh8s-y1kb",
  "d7f0-wq5x-t2mj",
  "8czp-6avr-e4gn",
  "hs1k-b9yd-5xq3",
  "0jtm-v2wf-c7r8",
  "y4ne-z6gp-1hsa",
];

export const newToken = { id: 7169, token: "7169|svc_J4qv0m2XcR8nTb6yUe1LwZs9KdPa5HgQf3Vx" };

const factorSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
export const factor = {
  secret: factorSecret,
  uri: `otpauth://totp/Comanda%3Anina%40trattoria.example?secret=${factorSecret}&issuer=Comanda&algorithm=SHA1&digits=6&period=30`,
};
