/** The operations of the API, by what they are about. The methods are those of the generated table. */
import { createFollow, type FollowedEvent, type FollowOptions } from "./event-feed.ts";
import { createPager, type PageMeta, type Pager } from "./pager.ts";
import { type Answer, type CallOptions, type ClientOptions, createTransport } from "./transport.ts";
import { METHODS, OPERATIONS, type OperationId, type Operations } from "./types.generated.ts";

type OperationQuery<Id extends OperationId> = Operations[Id]["query"];
type OperationBody<Id extends OperationId> = Operations[Id]["body"];
type OperationResult<Id extends OperationId> = Promise<Answer<Operations[Id]["data"], Operations[Id]["meta"]>>;
type ListRow<Id extends OperationId> = Operations[Id]["data"] extends (infer R)[] ? R : never;
type PagedId = { [Id in OperationId]: Operations[Id]["meta"] extends PageMeta ? Id : never }[OperationId];
type ListPager<Id extends PagedId> = Pager<ListRow<Id>, Operations[Id]["meta"] & PageMeta>;
/** A cursor belongs to the pager. */
type ListFilter<Id extends PagedId> = Omit<OperationQuery<Id>, "cursor">;
type RequestInput = { id?: number | string; query?: object; body?: unknown };

/** URL parsing drops empty and dot segments, so such an id would call another operation. */
const segmentOf = (id: RequestInput["id"]): string => {
  if (/^\.{0,2}$/.test(String(id))) throw new TypeError(`This is no id: "${id}"`);
  return encodeURIComponent(String(id));
};

/** One call by its name in the document. */
const createCall = (client: ClientOptions) => {
  const send = createTransport(client);
  return async <Id extends OperationId>(operation: Id, { id, query, body }: RequestInput, options?: CallOptions): OperationResult<Id> => {
    const [method, path] = OPERATIONS[operation];
    const address = path.replace(/\{\w+\}/, () => segmentOf(id));
    return send({ method, path: address, query: { ...query }, body, ...(options ? { options } : {}) }) as OperationResult<Id>;
  };
};
type CallOperation = ReturnType<typeof createCall>;

const createList =
  (call: CallOperation) =>
  <Id extends PagedId>(operation: Id, filter: ListFilter<Id> | undefined, options?: CallOptions): ListPager<Id> =>
    createPager(
      (cursor) =>
        call(operation, { query: { ...filter, cursor } }, options) as unknown as Promise<
          Answer<ListRow<Id>[], Operations[Id]["meta"] & PageMeta>
        >,
    );
type ListOperation = ReturnType<typeof createList>;

type Taken = "id" | "query" | "body" | "filter";
type MethodEntry = readonly [operation: OperationId, ...taken: Taken[]];

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
type Method<E> = E extends readonly [infer Id extends PagedId, "filter"]
  ? (filter?: ListFilter<Id>, options?: CallOptions) => ListPager<Id>
  : E extends readonly [infer Id extends OperationId, ...infer T extends readonly Taken[]]
    ? (...given: Arguments<Id, T>) => OperationResult<Id>
    : never;
type Methods = { readonly [R in keyof typeof METHODS]: { readonly [M in keyof (typeof METHODS)[R]]: Method<(typeof METHODS)[R][M]> } };

const createMethod =
  (call: CallOperation, list: ListOperation) =>
  ([operation, ...taken]: MethodEntry) =>
  (...given: unknown[]): unknown => {
    const input = Object.fromEntries(taken.flatMap((name, index) => (given[index] === undefined ? [] : [[name, given[index]]])));
    const options = given[taken.length] as CallOptions | undefined;
    return taken[0] === "filter"
      ? list(operation as PagedId, input.filter as ListFilter<PagedId>, options)
      : call(operation, input, options);
  };

export type Comanda = Methods & {
  /** `follow` reads the feed without an end, and waits for events that are not there yet. */
  readonly events: { follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined> };
};

export const createClient = (client: ClientOptions): Comanda => {
  const call = createCall(client);
  const methodOf = createMethod(call, createList(call));
  const methodsOf = (entries: Record<string, MethodEntry>) =>
    Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, methodOf(entry)]));
  const methods = Object.fromEntries(Object.entries(METHODS).map(([resource, entries]) => [resource, methodsOf(entries)])) as Methods;
  return { ...methods, events: { ...methods.events, follow: createFollow(methods.events.list) } };
};
