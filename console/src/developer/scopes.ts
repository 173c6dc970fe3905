/** Scopes as a table of resources and rights. */

import { publicOperations } from "virtual:contract";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";

export type Resource = Scope extends `${infer R}:${string}` ? R : never;
export type Right = "read" | "write";

const split = (scope: Scope): [Resource, Right] => scope.split(":") as [Resource, Right];

export const RESOURCES: Resource[] = [...new Set(ALL_SCOPES.map((scope) => split(scope)[0]))];
export const RIGHTS: Right[] = ["read", "write"];

export const scopeOf = (resource: Resource, right: Right): Scope | undefined =>
  ALL_SCOPES.find((scope) => scope === `${resource}:${right}`);

export const resourcesWith = (scopes: readonly Scope[], right: Right): Resource[] =>
  RESOURCES.filter((resource) => scopes.some((scope) => scope === `${resource}:${right}`));

export const operationsOf = (scope: Scope) => publicOperations.filter((operation) => operation.scope === scope);

/** A list operation that these scopes allow, as an example call. Null for a write-only token. */
export const firstPathFor = (scopes: readonly Scope[]): string | null =>
  publicOperations.find(
    ({ method, path, scope, needsQuery }) =>
      method === "GET" && !path.includes("{") && !needsQuery && scope !== null && scopes.includes(scope),
  )?.path ?? null;
