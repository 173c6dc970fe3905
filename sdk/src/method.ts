/** The type of a method, from what its operation takes and gives. */
import type { PageMeta, Pager } from "./list-pages.ts";
import type { Answer, CallOptions } from "./transport.ts";
import type { OperationId, Operations } from "./types.generated.ts";

type OperationQuery<Id extends OperationId> = Operations[Id]["query"];
type OperationBody<Id extends OperationId> = Operations[Id]["body"];
export type OperationResult<Id extends OperationId> = Promise<Answer<Operations[Id]["data"], Operations[Id]["meta"]>>;
export type ListRow<Id extends OperationId> = Operations[Id]["data"] extends (infer R)[] ? R : never;
export type PagedId = { [Id in OperationId]: Operations[Id]["meta"] extends PageMeta ? Id : never }[OperationId];
export type ListPager<Id extends PagedId> = Pager<ListRow<Id>, Operations[Id]["meta"] & PageMeta>;
/** A cursor belongs to the pager. */
export type ListFilter<Id extends PagedId> = Omit<OperationQuery<Id>, "cursor">;

type Taken = "id" | "query" | "body" | "filter";
export type MethodEntry = readonly [operation: OperationId, ...taken: Taken[]];

/** A query without a required member may be left out. */
type QueryArgument<Id extends OperationId> =
  Record<never, never> extends OperationQuery<Id> ? [query?: OperationQuery<Id>] : [query: OperationQuery<Id>];
type ArgumentOf<Id extends OperationId, T> = T extends "id"
  ? [id: Operations[Id]["path"]]
  : T extends "body"
    ? [body: OperationBody<Id>]
    : QueryArgument<Id>;
type Arguments<Id extends OperationId, T extends readonly Taken[]> = T extends readonly [
  infer First,
  ...infer Rest extends readonly Taken[],
]
  ? [...ArgumentOf<Id, First>, ...Arguments<Id, Rest>]
  : [options?: CallOptions];
/** What the client offers for an entry of the generated table. */
export type Method<E> = E extends readonly [infer Id extends PagedId, "filter"]
  ? (filter?: ListFilter<Id>, options?: CallOptions) => ListPager<Id>
  : E extends readonly [infer Id extends OperationId, ...infer T extends readonly Taken[]]
    ? (...given: Arguments<Id, T>) => OperationResult<Id>
    : never;
