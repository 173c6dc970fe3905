/** Which permissions an owner should look at twice, and why. */
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import { enApps } from "../texts/en-apps.ts";

export type SensitiveScope = keyof typeof enApps.consent.why;

export const isSensitive = (scope: Scope): scope is SensitiveScope => scope in enApps.consent.why;

/** The harmless ones first, each part in the order of the contract. */
export const inOrder = (scopes: readonly Scope[]): Scope[] => {
  const known = ALL_SCOPES.filter((scope) => scopes.includes(scope));
  return [...known.filter((scope) => !isSensitive(scope)), ...known.filter(isSensitive)];
};
