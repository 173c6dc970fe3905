/** Order actions for the tests; those that return no answer expect success. */
import type { Order, OrderStatus } from "@comanda/contract/venue/orders.ts";
import type { CheckedAnswer } from "../answer-check.ts";
import { call, type Query } from "../client.ts";
import { expectStatus } from "../expectations.ts";
import type { Venue } from "../target.ts";
import { sellableDish } from "./counter.ts";

export type OrderPage = {
  data: Order[];
  meta: { per_page: number; next_cursor: string | null; prev_cursor: string | null };
  links: { next: string | null; prev: string | null };
};

export type OrderFields = Readonly<Record<string, unknown>>;
export type OrderedLine = {
  readonly item_id: number;
  readonly variant_id?: number;
  readonly quantity: number;
  readonly option_ids?: number[];
};

export const orderOf = (answer: CheckedAnswer): Order => (answer.body as unknown as { data: Order }).data;
export const orderPageOf = (answer: CheckedAnswer): OrderPage => answer.body as unknown as OrderPage;

/** A body for POST /orders: one dish that the venue sells, to be picked up, unless the parts say otherwise. */
export const orderBody = async (venue: Venue, parts: OrderFields = {}): Promise<OrderFields> => ({
  type: "pickup",
  customer_name: "Ada Lovelace",
  customer_phone: "+1 202-555-0143",
  ...("lines" in parts ? {} : { lines: [{ item_id: (await sellableDish(venue)).id, quantity: 1 }] }),
  ...parts,
});

export const postOrder = async (venue: Venue, parts: OrderFields = {}): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "POST", "/orders", { body: await orderBody(venue, parts) });

/** Places the order of the parts; expects success. */
export const placeOrder = async (venue: Venue, parts: OrderFields = {}): Promise<Order> => {
  const answer = await postOrder(venue, parts);
  expectStatus(answer, 201);
  return orderOf(answer);
};

export const getOrder = (venue: Venue, id: string): Promise<CheckedAnswer> => call(venue.tokens.full, "GET", `/orders/${id}`);

export const readOrder = async (venue: Venue, id: string): Promise<Order> => {
  const answer = await getOrder(venue, id);
  expectStatus(answer, 200);
  return orderOf(answer);
};

export const postStatus = (venue: Venue, id: string, body: unknown): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "POST", `/orders/${id}/status`, { body });

export const moveOrder = async (venue: Venue, id: string, status: OrderStatus, parts: OrderFields = {}): Promise<Order> => {
  const answer = await postStatus(venue, id, { status, ...parts });
  expectStatus(answer, 200);
  return orderOf(answer);
};

/** The moves that lead a new order to each status. */
const WAY_TO: Record<OrderStatus, readonly OrderStatus[]> = {
  placed: [],
  accepted: ["accepted"],
  rejected: ["rejected"],
  ready: ["accepted", "ready"],
  completed: ["accepted", "ready", "completed"],
  cancelled: ["cancelled"],
};

export const orderThatIs = async (status: OrderStatus, venue: Venue, parts: OrderFields = {}): Promise<Order> => {
  let order = await placeOrder(venue, parts);
  for (const step of WAY_TO[status]) order = await moveOrder(venue, order.id, step);
  return order;
};

export const listOrders = async (venue: Venue, query: Query | string = ""): Promise<OrderPage> => {
  const answer = await call(venue.tokens.full, "GET", "/orders", { query });
  expectStatus(answer, 200);
  return orderPageOf(answer);
};

/** Every order the filter selects, page after page. */
export const allOrders = async (venue: Venue, query: Query = {}): Promise<Order[]> => {
  const rows: Order[] = [];
  let cursor: string | null = null;
  do {
    const page: OrderPage = await listOrders(venue, { ...query, per_page: 100, ...(cursor ? { cursor } : {}) });
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  return rows;
};

/** The orders of one customer from a moment on, so that a test can count its own. */
export const ordersOf = async (venue: Venue, customer_name: string, placed_from: string): Promise<Order[]> =>
  (await allOrders(venue, { placed_from })).filter(({ customer }) => customer.name === customer_name);

export const idsOf = (orders: readonly Order[]): string[] => orders.map(({ id }) => id);

/** A date-time of an answer, some seconds later or earlier, in a form for requests. */
export const shifted = (moment: string, seconds: number): string =>
  new Date(Date.parse(moment) + seconds * 1000).toISOString().replace(".000Z", "Z");
