/** Scopes that are marked as sensitive on the consent screen. */
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import { enSensitiveScopes } from "#developer/texts-scopes.en.ts";

export type SensitiveScope = keyof typeof enSensitiveScopes;

export const isSensitive = (scope: Scope): scope is SensitiveScope => scope in enSensitiveScopes;

/** Sensitive scopes last; otherwise in the contract's order. */
export const sortScopes = (scopes: readonly Scope[]): Scope[] => {
  const known = ALL_SCOPES.filter((scope) => scopes.includes(scope));
  return [...known.filter((scope) => !isSensitive(scope)), ...known.filter(isSensitive)];
};
