/** A valid call for each order operation. A move acts on an order of its own. */
import type { orderQuoteOperations } from "@comanda/contract/venue/order-quote.ts";
import type { orderOperations } from "@comanda/contract/venue/orders.ts";
import type { MakeExample } from "../examples.ts";
import type { Venue } from "../target.ts";
import { listOrders, orderBody, placeOrder } from "./orders.ts";

const NOBODYS_ORDER = "00000000-0000-4000-8000-000000000000";

export const orderExamples: Record<keyof typeof orderOperations | keyof typeof orderQuoteOperations, MakeExample> = {
  listOrders: async (venue) => {
    await someOrders(venue);
    return {};
  },
  createOrder: async (venue) => ({ body: await orderBody(venue) }),
  quoteOrder: async (venue) => ({ body: await orderBody(venue) }),
  getOrder: async (venue) => {
    await someOrders(venue);
    const [newest] = (await listOrders(venue, { per_page: 1 })).data;
    return { params: { order: newest?.id ?? NOBODYS_ORDER } };
  },
  moveOrder: async (venue) => ({ params: { order: (await placeOrder(venue)).id }, body: { status: "accepted" } }),
};

/** At least two, so that a list has a second page. A suspended venue accepts no orders: it has only earlier ones. */
const someOrders = (venue: Venue): Promise<void> => {
  const known = prepared.get(venue.slug) ?? (venue.state === "active" ? placeTwo(venue) : Promise.resolve());
  prepared.set(venue.slug, known);
  return known;
};

const prepared = new Map<string, Promise<void>>();

const placeTwo = async (venue: Venue): Promise<void> => {
  for (let count = 0; count < 2; count++) await placeOrder(venue);
};
