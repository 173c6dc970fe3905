/** What build/contract-tables.ts makes of the contract. */
declare module "virtual:contract" {
  export const prefix: string;
  export const calls: Record<import("@comanda/contract/console.ts").ConsoleOperationId, readonly [method: string, path: string]>;
  export const publicOperations: readonly (Pick<
    import("@comanda/contract/operation.ts").Operation,
    "method" | "path" | "scope" | "summary"
  > & { id: string; needsQuery: boolean })[];
  export const unsentEvents: readonly import("@comanda/contract/events.ts").EventType[];
  export const events: typeof import("@comanda/contract/events.ts").EVENTS;
}
