/** The operations of the API, by what they are about. */
import { createPager, type PageMeta, type Pager } from "./pager.ts";
import { type Answer, type CallOptions, type ClientOptions, createTransport } from "./transport.ts";
import { OPERATIONS, type OperationId, type Operations } from "./types.generated.ts";

type Query<Id extends OperationId> = Operations[Id]["query"];
type Body<Id extends OperationId> = Operations[Id]["body"];
type Result<Id extends OperationId> = Promise<Answer<Operations[Id]["data"], Operations[Id]["meta"]>>;
type Row<Id extends OperationId> = Operations[Id]["data"] extends (infer R)[] ? R : never;
type PagedId = { [Id in OperationId]: Operations[Id]["meta"] extends PageMeta ? Id : never }[OperationId];
type Rows<Id extends PagedId> = Pager<Row<Id>, Operations[Id]["meta"] & PageMeta>;
/** A cursor belongs to the pager. */
type Filter<Id extends PagedId> = Omit<Query<Id>, "cursor">;
type Input = { id?: number | string; query?: object; body?: unknown };

/** An address would lose these, and lead to a list or to another operation. */
const segmentOf = (id: Input["id"]): string => {
  if (/^\.{0,2}$/.test(String(id))) throw new TypeError(`This is no id: "${id}"`);
  return encodeURIComponent(String(id));
};

/** One call by its name in the document. */
const createCall = (client: ClientOptions) => {
  const send = createTransport(client);
  return async <Id extends OperationId>(operation: Id, { id, query, body }: Input, options?: CallOptions): Result<Id> => {
    const [method, path] = OPERATIONS[operation];
    const address = path.replace(/\{\w+\}/, () => segmentOf(id));
    return send({ method, path: address, query: { ...query }, body, ...(options ? { options } : {}) }) as Result<Id>;
  };
};
type Calling = ReturnType<typeof createCall>;

const createList =
  (call: Calling) =>
  <Id extends PagedId>(operation: Id, filter: Filter<Id> | undefined, options?: CallOptions): Rows<Id> =>
    createPager(
      (cursor) =>
        call(operation, { query: { ...filter, cursor } }, options) as unknown as Promise<
          Answer<Row<Id>[], Operations[Id]["meta"] & PageMeta>
        >,
    );
type Listing = ReturnType<typeof createList>;

const menuRooms = (call: Calling, list: Listing) => ({
  menus: {
    list: (options?: CallOptions) => call("listMenus", {}, options),
    get: (menu: number, query?: Query<"getMenu">, options?: CallOptions) =>
      call("getMenu", { id: menu, ...(query ? { query } : {}) }, options),
  },
  categories: {
    list: (query?: Query<"listCategories">, options?: CallOptions) => call("listCategories", query ? { query } : {}, options),
  },
  items: {
    list: (filter?: Filter<"listItems">, options?: CallOptions) => list("listItems", filter, options),
    get: (item: number, options?: CallOptions) => call("getItem", { id: item }, options),
    create: (body: Body<"createItem">, options?: CallOptions) => call("createItem", { body }, options),
    update: (item: number, body: Body<"updateItem">, options?: CallOptions) => call("updateItem", { id: item, body }, options),
    setAvailability: (item: number, body: Body<"setItemAvailability">, options?: CallOptions) =>
      call("setItemAvailability", { id: item, body }, options),
  },
});

const houseRooms = (call: Calling, list: Listing) => ({
  orders: {
    list: (filter?: Filter<"listOrders">, options?: CallOptions) => list("listOrders", filter, options),
    get: (order: string, options?: CallOptions) => call("getOrder", { id: order }, options),
    create: (body: Body<"createOrder">, options?: CallOptions) => call("createOrder", { body }, options),
    move: (order: string, body: Body<"moveOrder">, options?: CallOptions) => call("moveOrder", { id: order, body }, options),
  },
  reservations: {
    list: (filter?: Filter<"listReservations">, options?: CallOptions) => list("listReservations", filter, options),
    get: (reservation: string, options?: CallOptions) => call("getReservation", { id: reservation }, options),
    create: (body: Body<"createReservation">, options?: CallOptions) => call("createReservation", { body }, options),
    cancel: (reservation: string, options?: CallOptions) => call("cancelReservation", { id: reservation }, options),
  },
  availability: {
    get: (query: Query<"getAvailability">, options?: CallOptions) => call("getAvailability", { query }, options),
  },
  guests: {
    list: (filter?: Filter<"listGuests">, options?: CallOptions) => list("listGuests", filter, options),
    get: (guest: number, options?: CallOptions) => call("getGuest", { id: guest }, options),
  },
  reports: {
    salesSummary: (query?: Query<"getSalesSummary">, options?: CallOptions) => call("getSalesSummary", query ? { query } : {}, options),
  },
});

export type Comanda = ReturnType<typeof createClient>;

export const createClient = (client: ClientOptions) => {
  const call = createCall(client);
  const list = createList(call);
  return { ...menuRooms(call, list), ...houseRooms(call, list) };
};
