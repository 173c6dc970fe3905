/** Scopes and expiry periods that are offered for a new token. */
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";

export const PRESETS = {
  website: ["menu:read", "orders:read", "orders:write", "reservations:read", "reservations:write"],
  pos: ["menu:read", "menu:write", "orders:read", "orders:write"],
  accounting: ["orders:read", "reports:read"],
  reading: ALL_SCOPES.filter((scope) => scope.endsWith(":read")),
} as const satisfies Record<string, readonly Scope[]>;
export type Preset = keyof typeof PRESETS | "own";
export const PRESET_NAMES: Preset[] = ["website", "pos", "accounting", "reading", "own"];

export const EXPIRIES = ["none", "7", "30", "90", "365"] as const;
export type ExpiryDays = (typeof EXPIRIES)[number];
/** Tokens expire by default: an unused token is a risk. */
export const DEFAULT_EXPIRY: ExpiryDays = "365";
