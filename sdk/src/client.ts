/** The operations of the API, by what they are about. The methods are those of the generated table. */
import { createFollow, type FollowedEvent, type FollowOptions } from "./event-feed.ts";
import { createPager, type PageMeta } from "./list-pages.ts";
import type { ListFilter, ListPager, ListRow, MethodEntry, OperationResult, PagedId } from "./method.ts";
import { METHODS, type Methods } from "./methods.generated.ts";
import { type Answer, type CallOptions, type ClientOptions, createTransport } from "./transport.ts";
import { OPERATIONS, type OperationId, type Operations } from "./types.generated.ts";

type RequestInput = { id?: number | string; query?: object; body?: unknown };

/** URL parsing drops empty and dot segments, so such an id would call another operation; `undefined` would be sent as a word. */
const segmentOf = (operation: string, id: RequestInput["id"]): string => {
  const isId = typeof id === "string" ? !/^\.{0,2}$/.test(id) : Number.isSafeInteger(id);
  if (!isId) throw new TypeError(`${operation} needs an id. This is no id: ${typeof id === "string" ? `"${id}"` : String(id)}`);
  return encodeURIComponent(String(id));
};

/** One call by its name in the document. */
const createCall = (client: ClientOptions) => {
  const send = createTransport(client);
  return async <Id extends OperationId>(operation: Id, { id, query, body }: RequestInput, options?: CallOptions): OperationResult<Id> => {
    const [method, path] = OPERATIONS[operation];
    const address = path.replace(/\{\w+\}/, () => segmentOf(operation, id));
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

const createMethod =
  (call: CallOperation, list: ListOperation) =>
  ([operation, ...taken]: MethodEntry) =>
  (...given: unknown[]): unknown => {
    const bodyAt = taken.indexOf("body");
    if (bodyAt >= 0 && given[bodyAt] === undefined) return Promise.reject(new TypeError(`${operation} needs a body.`));
    const input = Object.fromEntries(taken.flatMap((name, index) => (given[index] === undefined ? [] : [[name, given[index]]])));
    const options = given[taken.length] as CallOptions | undefined;
    return taken[0] === "filter"
      ? list(operation as PagedId, input.filter as ListFilter<PagedId>, options)
      : call(operation, input, options);
  };

export type Comanda = Methods & {
  /**
   * `follow` reads the feed without an end, and waits for events that are not there yet. A quiet venue costs three requests a minute, a busy
   * one at most twenty, and more only while a backlog is read. What can pass is tried again; 401, 403, 404 and 410 end it.
   */
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
