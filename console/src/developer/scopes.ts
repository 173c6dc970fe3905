/** Scopes as a table of areas and rights, and the choices that most software needs. */

import { publicOperations } from "virtual:contract";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";

export type Resource = "menu" | "orders" | "reservations" | "guests" | "reports";
export type Right = "read" | "write";

const split = (scope: Scope): [Resource, Right] => scope.split(":") as [Resource, Right];

export const RESOURCES: Resource[] = [...new Set(ALL_SCOPES.map((scope) => split(scope)[0]))];
export const RIGHTS: Right[] = ["read", "write"];

export const scopeOf = (resource: Resource, right: Right): Scope | undefined =>
  ALL_SCOPES.find((scope) => scope === `${resource}:${right}`);

export const resourcesWith = (scopes: readonly Scope[], right: Right): Resource[] =>
  RESOURCES.filter((resource) => scopes.some((scope) => scope === `${resource}:${right}`));

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
/** A token that outlives its use is found by somebody else one day. Whoever wants one for ever says so. */
export const EXPIRY_AT_FIRST: ExpiryDays = "365";

export const operationsOf = (scope: Scope) => publicOperations.filter((operation) => operation.scope === scope);

/** A list that these scopes may ask for, to try the token with; a write-only token has none. */
export const firstPathFor = (scopes: readonly Scope[]): string | null =>
  publicOperations.find(
    ({ method, path, scope, needsQuery }) => method === "GET" && !path.includes("{") && !needsQuery && scopes.includes(scope),
  )?.path ?? null;
