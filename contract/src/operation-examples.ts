/**
 * For each operation a whole request and the whole answer to it, as the reference shows them. All are about the sample of a fresh
 * sandbox, so that each request can be sent as it stands with any sandbox's token.
 */
import type { Static } from "typebox";
import type { Item } from "./menu.ts";
import type { OperationId, operations } from "./operations.ts";
import type { Order } from "./orders.ts";
import type { Reservation } from "./reservations.ts";
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
} from "./sandbox-sample.ts";

type Operations = typeof operations;
type BodyOf<Id extends OperationId> = Operations[Id] extends { body: infer B extends object } ? { body: Static<B> } : { body?: never };

type ExampleOf<Id extends OperationId> = {
  /** The path's parameter, where it has one. */
  path?: number | string;
  /** A value for every parameter that can have one; the reference sends those that are required and offers the others. */
  query?: Record<string, string | number>;
  answer: Static<Operations[Id]["success"]["body"]>;
  /** What a caller gets wrong most easily, as `validation_failed` tells it. */
  faults?: Record<string, string[]>;
} & BodyOf<Id>;

/** One of them, whichever. */
export type Example = Pick<ExampleOf<"listMenus">, "path" | "query" | "faults"> & { body?: unknown; answer: unknown };

const EUROS = { currency: "EUR" };
const NOW = `${SAMPLE_DAY}T12:00:00+01:00`;
/** Two days on: ahead of today in every time zone. */
const BOOKING_DAY = "2026-11-16";

const jam: Item = {
  ...biscuit,
  id: 5120,
  name: { en: "Jam tart" },
  description: { en: "With plums from the garden." },
  price_minor: 350,
  dietary: "none",
  allergens: ["gluten", "eggs", "milk"],
  sort_order: 2,
  updated_at: NOW,
};

const placed: Order = {
  ...order,
  id: "01a1d9ed-c200-700e-9d6d-fa742e22b485",
  type: "pickup",
  table: null,
  customer: { name: "Ada Lovelace", phone: "+44 7700 900555", email: null },
  note: "No cutlery, please.",
  subtotal_minor: 1700,
  service_charge_minor: 0,
  total_minor: 1700,
  tax_breakdown: [{ name: "Tax 10%", rate: 10, inclusive: true, taxable_minor: 1700, tax_minor: 155 }],
  items: [
    ...order.items.slice(0, 1).map((line) => ({ ...line, id: 74753 })),
    {
      id: 75777,
      item_id: biscuit.id,
      name: biscuit.name,
      variant_name: null,
      quantity: 1,
      unit_price_minor: 200,
      line_total_minor: 200,
      voided: false,
      modifiers: [],
    },
  ],
  placed_at: NOW,
  updated_at: NOW,
};

const booked: Reservation = {
  ...reservation,
  id: "01a1d9ed-c200-7012-8ac4-896bed6b2f1b",
  name: "Ada Lovelace",
  phone: "+44 7700 900555",
  email: null,
  date: BOOKING_DAY,
  time: "20:30",
  note: "One high chair.",
  created_at: NOW,
  updated_at: NOW,
};

const lastPage = { per_page: 25, next_cursor: null, prev_cursor: null };
const noLinks = { next: null, prev: null };
const PAGE_FAULT = { per_page: ["Must be at most 100."] };

export const EXAMPLES: { [Id in OperationId]: ExampleOf<Id> } = {
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
    faults: { available: ["Must be one of true, false, 1, 0."] },
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
    faults: { price_minor: ["Give a price, or sizes with prices."] },
  },
  getItem: { path: soup.id, answer: { data: soup, meta: EUROS, links: {} } },
  updateItem: {
    path: biscuit.id,
    body: { price_minor: 220 },
    answer: { data: { ...biscuit, price_minor: 220, updated_at: NOW }, meta: EUROS, links: {} },
    faults: { price_minor: ["Must be at least 0."] },
  },
  // Another dish than the one ordered below: a reader may try one operation after the other.
  setItemAvailability: {
    path: chicken.id,
    body: { is_available: false },
    answer: { data: { ...chicken, is_available: false, updated_at: NOW }, meta: EUROS, links: {} },
    faults: { is_available: ["Must be true or false."] },
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
    faults: PAGE_FAULT,
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
    faults: { customer_name: ["Is required."], "lines.0.quantity": ["Must be at most 99."] },
  },
  getOrder: { path: order.id, answer: { data: order, meta: {}, links: {} } },
  moveOrder: {
    path: order.id,
    body: { status: "accepted" },
    answer: { data: { ...order, status: "accepted", updated_at: NOW }, meta: {}, links: {} },
    faults: { reason: ["Must have at least 3 characters."] },
  },
  listReservations: {
    query: { date: reservation.date, from: SAMPLE_DAY, to: BOOKING_DAY, status: "confirmed", per_page: 25 },
    answer: { data: [reservation], meta: lastPage, links: noLinks },
    faults: PAGE_FAULT,
  },
  createReservation: {
    body: { name: booked.name, phone: booked.phone, party_size: 4, date: booked.date, time: booked.time, note: booked.note },
    answer: { data: booked, meta: {}, links: {} },
    faults: { party_size: ["Must be at least 1."] },
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
    faults: { date: ["Is required."] },
  },
  getReservation: { path: reservation.id, answer: { data: reservation, meta: {}, links: {} } },
  cancelReservation: {
    path: reservation.id,
    answer: { data: { ...reservation, status: "cancelled", updated_at: NOW }, meta: {}, links: {} },
  },
  listGuests: {
    query: { marketing_opted_in: "true", updated_since: SAMPLE_DAY, per_page: 25 },
    answer: { data: [agreedGuest, newGuest], meta: lastPage, links: noLinks },
    faults: PAGE_FAULT,
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
    faults: { to: ["Must be a valid date."] },
  },
};

/** The same example with every date moved, so that on this day its request can be sent and what it asks for lies ahead. */
export const exampleOn = (example: Example, today: string): Example => {
  const days = Math.round((Date.parse(today) - Date.parse(SAMPLE_DAY)) / DAY_MS);
  return days === 0 ? example : (moveDates(example, days) as Example);
};

const DAY_MS = 24 * 60 * 60 * 1000;
const DATE = /^\d{4}-\d{2}-\d{2}(?=$|T)/;

const moveDates = (value: unknown, days: number): unknown => {
  if (typeof value === "string")
    return value.replace(DATE, (date) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10));
  if (Array.isArray(value)) return value.map((entry) => moveDates(entry, days));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, moveDates(entry, days)]));
};
