/** A valid request for every operation of the contract, in one way or more; what it takes is new each time. */
import { EXAMPLES } from "@comanda/contract/openapi/operation-examples.ts";
import { type Operation, type PathParameter, pathParameters } from "@comanda/contract/operation.ts";
import { type OperationId, operationEntries } from "@comanda/contract/operations.ts";
import type { TestDatabase } from "./database.ts";
import type { TestAnswer, TestApp, TestVenue } from "./test-app.ts";

/** `way` names one that is known to take another path through the service than the plain call. */
export type SampleCall = { method: string; path: string; body?: object; way?: string };

/** What the calls ask for their ids: answers that were good, and a dish of one price that can be ordered without any choice. */
export type CallFixture = {
  ask(call: SampleCall): Promise<TestAnswer["body"]>;
  dish(): Promise<number>;
  /** A venue with a row or two of each has no second page. */
  hasSecondPages: boolean;
  linesPerOrder: number;
  /** When tables are booked; a venue may take bookings at other hours. */
  time?: string;
  /** The person that new rows name, where the rows must be distinguished. */
  name?: string;
};

/** Calls with the venue's own token, at an hour when every sample takes bookings. */
export const callFixtureOf = (app: TestApp, { id, token }: Pick<TestVenue, "id" | "token">): CallFixture => ({
  ask: async ({ method, path, body }) => {
    const answer = await app.call(token, method, path, body && { body });
    if (answer.status >= 300) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
    return answer.body;
  },
  dish: () => plainDish(app.database, id),
  hasSecondPages: false,
  linesPerOrder: 1,
  time: "12:00",
});

/** The operation that makes a row of the kind that the path names: `POST /orders` for `/orders/{order}`. */
export const makerOf = ({ path }: Pick<Operation, "path">): OperationId | undefined =>
  operationEntries.find(([, { method, path: made }]) => method === "POST" && path === `${made}/{${pathParameters(path)[0]}}`)?.[0];

/** A row for every path parameter of the contract: made by a request where the contract has one, else one that is there. */
export const idsForPaths = async (caller: CallFixture): Promise<Record<PathParameter, string | number>> => {
  const ids: Partial<Record<PathParameter, string | number>> = {};
  const calls = operationCalls(caller);
  for (const [id, operation] of operationEntries) {
    const [parameter] = pathParameters(operation.path);
    if (operation.method !== "GET" || parameter === undefined) continue;
    const [call] = await calls[makerOf(operation) ?? id]();
    if (!call) throw new Error(`${id} has no call`);
    ids[parameter] = (await caller.ask(call)).data.id;
  }
  return ids as Record<PathParameter, string | number>;
};

/** The first one of a venue, without modifiers if there is one; `asOwner` because no list says which dishes ask for no choice. */
export const plainDish = async ({ asOwner }: TestDatabase, restaurantId: number): Promise<number> => {
  const [dish] = await asOwner<{ id: string }>(
    `select id from items i where restaurant_id = $1 and price_minor is not null and is_available and show_online
     order by exists (select from item_modifier_groups g where g.restaurant_id = i.restaurant_id and g.item_id = i.id), id limit 1`,
    [restaurantId],
  );
  return Number(dish?.id);
};

/** No guest calls twice: each order and booking is a guest's first, which needs the most statements. */
let turn = 0;

const get = (path: string): SampleCall => ({ method: "GET", path });
const post = (path: string, body: object): SampleCall => ({ method: "POST", path, body });

/** Bookings are counted apart: a venue with one table takes one booking a day at one time. */
let bookings = 0;

export const booking = (time?: string) => {
  const place = bookings++;
  return {
    name: "Ada",
    phone: `+1 555 ${turn++}`,
    party_size: 2,
    date: `2026-12-${String(1 + (place % 28)).padStart(2, "0")}`,
    time: time ?? (Math.floor(place / 28) % 2 === 0 ? "20:00" : "12:00"),
  };
};

export const orderFrom = async ({ dish, linesPerOrder, name = "Ada" }: CallFixture) => {
  const line = { item_id: await dish(), quantity: 1 };
  return {
    type: "pickup",
    customer_name: name,
    customer_phone: `+1 555 ${turn++}`,
    lines: Array.from({ length: linesPerOrder }, () => line),
  };
};

type Calls = () => Promise<SampleCall[]>;

/** What the contract alone says: a list and its second page, a row by its path, and a new row as the reference shows it. */
const plainCalls = ({ ask, hasSecondPages, name }: CallFixture, id: OperationId, operation: Operation): Calls => {
  const { method, path, query } = operation;
  const [, base = path, parameter] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  const newRow = (maker: OperationId): SampleCall => post(base, { ...EXAMPLES[maker].body, ...namedFor(EXAMPLES[maker].body ?? {}, name) });
  if (method === "GET" && parameter === undefined)
    return async () => {
      const next = hasSecondPages && query?.properties.cursor ? (await ask(get(`${path}?per_page=2`))).meta.next_cursor : null;
      return [get(path), ...(next === null ? [] : [get(`${path}?per_page=2&cursor=${next}`)])];
    };
  if (method === "GET")
    return async () => {
      const [row] = (await ask(get(base))).data;
      const maker = makerOf(operation);
      return [get(`${base}/${(row ?? (maker && (await ask(newRow(maker))).data)).id}`)];
    };
  if (method === "POST" && !path.includes("{")) return async () => [newRow(id)];
  throw new Error(`${id} needs its calls in operation-calls.ts: the contract does not say what it changes.`);
};

/** The members of the body that name a person, with this name. */
const namedFor = (body: object, name: string | undefined): object =>
  name === undefined
    ? {}
    : Object.fromEntries(Object.keys(body).flatMap((member) => (/(?:^|_)name$/.test(member) ? [[member, name]] : [])));

export const operationCalls = (caller: CallFixture): Record<OperationId, Calls> => {
  const special = specialCalls(caller);
  const entries = operationEntries.map(([id, operation]) => [id, special[id] ?? plainCalls(caller, id, operation)]);
  return Object.fromEntries(entries) as Record<OperationId, Calls>;
};

/** Calls with filters, with what only this venue has, or of changes. */
const specialCalls = (caller: CallFixture): Partial<Record<OperationId, Calls>> => {
  const { ask, dish } = caller;
  const someId = async (path: string): Promise<string> => (await ask(get(path))).data[0].id;
  const made = async (path: string, body: object): Promise<string> => (await ask(post(path, body))).data.id;
  const deeper = async (path: string): Promise<SampleCall[]> =>
    caller.hasSecondPages ? [get(`${path}&cursor=${(await ask(get(path))).meta.next_cursor}`)] : [];
  const since = (path: string): SampleCall => ({ ...get(path), way: "updated_since" });
  return {
    listCategories: async () => [get("/categories"), get(`/categories?menu_id=${await someId("/menus")}`)],
    listItems: async () => [
      get("/items"),
      get(`/items?available=true&category_id=${await someId("/categories")}`),
      ...(await deeper("/items?per_page=2")),
    ],
    getItem: async () => [get(`/items/${await dish()}`)],
    createItem: async () => [post("/items", { category_id: await someId("/categories"), name: `Dish ${turn++}`, price_minor: 100 })],
    updateItem: async () => [{ method: "PATCH", path: `/items/${await dish()}`, body: { price_minor: 100 + turn++ } }],
    setItemAvailability: async () => {
      const path = `/items/${await dish()}/availability`;
      return [false, true].map((is_available) => ({ method: "PUT", path, body: { is_available } }));
    },
    listOrders: async () => [
      get("/orders"),
      ...(await deeper("/orders?per_page=20")),
      get("/orders?status=placed"),
      get("/orders?status=placed,accepted"),
      get("/orders?type=delivery&channel=kiosk"),
      get("/orders?placed_from=2026-01-01&placed_to=2026-01-31"),
      since("/orders?updated_since=2026-11-13"),
      ...(await deeper("/orders?per_page=1&updated_since=2024-01-01")),
    ],
    createOrder: async () => [
      post("/orders", await orderFrom(caller)),
      { ...post("/orders", { ...(await orderFrom(caller)), scheduled_for: "2026-11-21T19:00:00Z" }), way: "for later" },
    ],
    quoteOrder: async () => [
      post("/orders/quote", await orderFrom(caller)),
      { ...post("/orders/quote", { ...(await orderFrom(caller)), type: "dine_in", table_code: "none" }), way: "for a table" },
    ],
    moveOrder: async () => [post(`/orders/${await made("/orders", await orderFrom(caller))}/status`, { status: "accepted" })],
    listReservations: async () => [
      get("/reservations"),
      get("/reservations?date=2026-11-21"),
      get("/reservations?from=2026-11-01&status=confirmed"),
      ...(await deeper("/reservations?per_page=2")),
    ],
    createReservation: async () => [post("/reservations", booking(caller.time))],
    getAvailability: async () => [get("/availability?date=2026-11-21&party_size=2")],
    cancelReservation: async () => [post(`/reservations/${await made("/reservations", booking(caller.time))}/cancel`, {})],
    listGuests: async () => [get("/guests"), since("/guests?updated_since=2026-11-13"), ...(await deeper("/guests?per_page=20"))],
    listEvents: async () => [
      get("/events?types=order.created"),
      get("/events"),
      get("/events?after=latest"),
      ...(caller.hasSecondPages ? [get(`/events?after=${(await ask(get("/events?limit=2"))).meta.cursor}&limit=2`)] : []),
    ],
    getSalesSummary: async () => [get("/reports/sales-summary?from=2025-11-14&to=2026-11-14")],
  };
};
