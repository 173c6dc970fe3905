/**
 * Each operation has a whole request and the whole answer to it, as the reference shows them. All are about the sample of a fresh sandbox,
 * so that each request can be sent as it stands with any sandbox's token.
 */
import type { Static } from "typebox";
import { FEED_PAGE_MAX, LATEST } from "../events/event-feed.ts";
import { EVENT_SAMPLES } from "../events/event-samples.ts";
import type { ApiOperationId, apiOperations } from "../operations.ts";
import {
  agreedGuest,
  BRANCH_ID,
  biscuit,
  chicken,
  fromTheOven,
  fromThePot,
  menu,
  newGuest,
  order,
  reservation,
  SAMPLE_DAY,
  soup,
} from "../sandbox/sandbox-sample.ts";
import { BOOKING_DAY, booked, jam, NOW, placed, quote, restaurantContext } from "./example-results.ts";

type OperationTable = typeof apiOperations;
type ExampleBody<Id extends ApiOperationId> = OperationTable[Id] extends { body: infer B extends object }
  ? { body: Static<B> }
  : { body?: never };

type ExampleOf<Id extends ApiOperationId> = {
  /** The path's parameter, where it has one. */
  path?: number | string;
  /** A value for every parameter that can have one; the reference sends those that are required and offers the others. */
  query?: Record<string, string | number>;
  answer: Static<OperationTable[Id]["success"]["body"]>;
  /** What a caller gets wrong most easily, as `validation_failed` reports it. */
  errors?: Record<string, string[]>;
} & ExampleBody<Id>;

/** The example of any operation. */
export type OperationExample = Pick<ExampleOf<"listMenus">, "path" | "query" | "errors"> & { body?: unknown; answer: unknown };

const EVENT_POSITION = "1024.QzKRRT_xbQcVxSqu5MUAyo-dHN7sx_61o01dXozlA8ewlVn7VV26_7HJ5pZGAQ5K";
const EUROS = { currency: "EUR" };
const lastPage = { per_page: 25, next_cursor: null, prev_cursor: null };
const noLinks = { next: null, prev: null };

export const EXAMPLES: { [Id in ApiOperationId]: ExampleOf<Id> } = {
  listMenus: { answer: { data: [menu], meta: { count: 1, ...EUROS }, links: {} } },
  getMenu: {
    path: menu.id,
    answer: {
      data: {
        ...menu,
        categories: [
          { ...fromThePot, items: [soup] },
          { ...fromTheOven, items: [biscuit] },
        ],
      },
      meta: { ...EUROS, now: { available: true, closed_category_ids: [], prices: [] } },
      links: {},
    },
  },
  listCategories: { query: { menu_id: menu.id }, answer: { data: menu.categories, meta: { count: 4 }, links: {} } },
  listItems: {
    query: { category_id: fromTheOven.id, available: "true", per_page: 25 },
    answer: { data: [soup, biscuit], meta: { ...lastPage, ...EUROS }, links: noLinks },
    errors: { available: ["Must be one of true, false, 1, 0."] },
  },
  createItem: {
    body: {
      category_id: jam.category_id,
      name: jam.name,
      description: jam.description,
      price_minor: 350,
      allergens: ["gluten", "eggs", "milk"],
    },
    answer: { data: jam, meta: EUROS, links: {} },
    errors: { price_minor: ["Give a price, or sizes with prices."] },
  },
  getItem: { path: soup.id, answer: { data: soup, meta: EUROS, links: {} } },
  updateItem: {
    path: biscuit.id,
    body: { price_minor: 220 },
    answer: { data: { ...biscuit, price_minor: 220, updated_at: NOW }, meta: EUROS, links: {} },
    errors: { price_minor: ["Must be at least 0."] },
  },
  // Another dish than the one ordered below: a reader may try one operation after the other.
  setItemAvailability: {
    path: chicken.id,
    body: { is_available: false },
    answer: { data: { ...chicken, is_available: false, updated_at: NOW }, meta: EUROS, links: {} },
    errors: { is_available: ["Must be true or false."] },
  },
  listOrders: {
    query: {
      status: "placed,accepted",
      type: "dine_in",
      channel: "web",
      placed_from: SAMPLE_DAY,
      placed_to: SAMPLE_DAY,
      updated_since: `${SAMPLE_DAY}T00:00:00+01:00`,
      per_page: 25,
    },
    answer: { data: [order], meta: lastPage, links: noLinks },
  },
  createOrder: {
    body: {
      type: "pickup",
      customer_name: "Ada Lovelace",
      customer_phone: "+44 7700 900555",
      note: "No cutlery, please.",
      lines: [
        {
          item_id: soup.id,
          variant_id: soup.variants[1]?.id ?? null,
          quantity: 2,
          option_ids: [soup.modifier_groups[0]?.options[0]?.id ?? 0],
        },
        { item_id: biscuit.id, quantity: 1 },
      ],
    },
    answer: { data: placed, meta: {}, links: {} },
    errors: { customer_name: ["Is required."], "lines.0.quantity": ["Must be at most 99."] },
  },
  getOrder: { path: order.id, answer: { data: order, meta: {}, links: {} } },
  moveOrder: {
    path: order.id,
    body: { status: "accepted" },
    answer: { data: { ...order, status: "accepted", updated_at: NOW }, meta: {}, links: {} },
    errors: { reason: ["Must have at least 3 characters."] },
  },
  listReservations: {
    query: { date: reservation.date, from: SAMPLE_DAY, to: BOOKING_DAY, status: "confirmed", per_page: 25 },
    answer: { data: [reservation], meta: lastPage, links: noLinks },
  },
  createReservation: {
    body: { name: booked.name, phone: booked.phone, party_size: 4, date: booked.date, time: booked.time, note: booked.note },
    answer: { data: booked, meta: {}, links: {} },
    errors: { party_size: ["Must be at least 1."] },
  },
  getAvailability: {
    query: { date: BOOKING_DAY, party_size: 4 },
    answer: {
      data: {
        date: BOOKING_DAY,
        party_size: 4,
        engine: true,
        slots: [
          { time: "20:00", available: true, guarantee: false },
          { time: "20:30", available: true, guarantee: false },
        ],
        guarantee: null,
        notify: false,
      },
      meta: {},
      links: {},
    },
    errors: { date: ["Is required."] },
  },
  getReservation: { path: reservation.id, answer: { data: reservation, meta: {}, links: {} } },
  cancelReservation: {
    path: reservation.id,
    answer: { data: { ...reservation, status: "cancelled", updated_at: NOW }, meta: {}, links: {} },
  },
  listGuests: {
    query: { marketing_opted_in: "true", updated_since: SAMPLE_DAY, per_page: 25 },
    answer: { data: [agreedGuest, newGuest], meta: lastPage, links: noLinks },
  },
  getGuest: { path: agreedGuest.id, answer: { data: agreedGuest, meta: {}, links: {} } },
  getSalesSummary: {
    query: { from: SAMPLE_DAY, to: SAMPLE_DAY, branch_id: BRANCH_ID },
    answer: {
      data: {
        from: SAMPLE_DAY,
        to: SAMPLE_DAY,
        branch_id: null,
        currency: "EUR",
        orders: 1,
        revenue_minor: 3300,
        average_order_minor: 3300,
        previous: { orders: 0, revenue_minor: 0, average_order_minor: 0 },
        change: { revenue_pct: 100, orders_pct: 100 },
      },
      meta: {},
      links: {},
    },
    errors: { to: ["Must be a valid date."] },
  },
  quoteOrder: {
    body: {
      type: "delivery",
      customer_name: "Ada Lovelace",
      customer_phone: "+44 7700 900555",
      delivery_address: { line1: "2 Lock Lane", city: "Lockton" },
      lines: [{ item_id: biscuit.id, quantity: 2 }],
    },
    answer: { data: quote, meta: {}, links: {} },
  },
  getRestaurant: { answer: { data: restaurantContext, meta: {}, links: {} } },
  listEvents: {
    query: { after: LATEST, types: "order.created,order.status_changed", limit: FEED_PAGE_MAX },
    answer: {
      data: [
        {
          ...EVENT_SAMPLES["menu.item_updated"],
          created_at: NOW,
          data: { item: { ...biscuit, price_minor: 220, updated_at: NOW }, changed: ["price_minor"] },
        },
      ],
      meta: { count: 1, cursor: EVENT_POSITION, has_more: false, cursors: [EVENT_POSITION] },
      links: {},
    },
  },
  runSandboxAct: {
    body: { act: "trigger", event: "giftcard.issued" },
    answer: {
      data: {
        act: "trigger",
        subject: { type: "gift_card", id: 1025 },
        gift_card_code: null,
        events: [{ id: EVENT_SAMPLES["giftcard.issued"].id, type: "giftcard.issued" }],
      },
      meta: {},
      links: {},
    },
  },
  listSandboxRequests: {
    query: { after: LATEST },
    answer: {
      data: [
        {
          id: "01a1d9ed-c200-7024-8a17-2f0a5b1c9e33",
          at: NOW,
          method: "POST",
          path: "/orders",
          status: 422,
          code: "validation_failed",
          gate: "fields",
          fields: ["customer_name"],
          reasons: ["required"],
          ms: 4,
        },
      ],
      meta: { count: 1, cursor: "k3V0cJm1R7yXb9QdT2aWcDPuLs4hGfEo", has_more: false },
      links: {},
    },
  },
  moveSandboxClock: {
    body: { forward_seconds: 7200 },
    answer: { data: { now: NOW.replace("T12", "T14"), ahead_seconds: 7200 }, meta: {}, links: {} },
    errors: { forward_seconds: ["Must be at least 1."] },
  },
  orderSandboxFaults: {
    body: { fault: "lose_answer", operation: "createOrder" },
    answer: { data: { faults: [{ fault: "lose_answer", operation: "createOrder", left: 1 }] }, meta: {}, links: {} },
    errors: { fault: ["Is required."] },
  },
};
