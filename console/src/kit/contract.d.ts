/** Types of the module that build/contract-tables.ts generates. */
declare module "virtual:contract" {
  export const prefix: string;
  export const calls: Record<import("@comanda/contract/console/operations.ts").ConsoleOperationId, readonly [method: string, path: string]>;
  export const publicOperations: readonly (Pick<
    import("@comanda/contract/operation.ts").Operation,
    "method" | "path" | "scope" | "summary"
  > & { id: string; needsQuery: boolean })[];
  export const unsentEvents: readonly import("@comanda/contract/events/envelope.ts").EventType[];
  export const events: typeof import("@comanda/contract/events/envelope.ts").EVENTS;
}
