/** For each operation a whole request and the whole answer to it, as the reference shows them; of the same house as the events. */
import type { Static } from "typebox";
import type { CategoryWithItems, Item, Menu } from "./menu.ts";
import type { OperationId, operations } from "./operations.ts";
import type { OrderLine } from "./orders.ts";
import {
  accepted,
  agreedGuest,
  BRANCH_ID,
  cancelled,
  confirmed,
  newGuest,
  ORDER_ID,
  order,
  RESERVATION_ID,
  soldOutDish,
} from "./samples.ts";

type Operations = typeof operations;
type BodyOf<Id extends OperationId> = Operations[Id] extends { body: infer B extends object } ? { body: Static<B> } : { body?: never };

type ExampleOf<Id extends OperationId> = {
  /** The path's parameter, where it has one. */
  path?: number | string;
  query?: Record<string, string | number>;
  answer: Static<Operations[Id]["success"]["body"]>;
  /** What a caller gets wrong most easily, as `validation_failed` tells it. */
  faults?: Record<string, string[]>;
} & BodyOf<Id>;

/** One of them, whichever. */
export type Example = Pick<ExampleOf<"listMenus">, "path" | "query" | "faults"> & { body?: unknown; answer: unknown };

const EUROS = { currency: "EUR" };
const MENU_ID = 1025;
const CATEGORY_ID = 3073;

const tiramisu: Item = { ...soldOutDish, is_available: true, updated_at: "2026-11-10T10:00:00+01:00" };

const margherita: Item = {
  id: 5121,
  category_id: 2049,
  name: { it: "Pizza Margherita", en: "Margherita pizza" },
  description: { it: "Pomodoro, fior di latte e basilico.", en: "Tomato, mozzarella and basil." },
  price_minor: null,
  is_available: true,
  show_online: true,
  dietary: "veg",
  allergens: ["gluten", "milk"],
  sort_order: 1,
  variants: [
    { id: 7169, name: { it: "Normale", en: "Regular" }, price_minor: 900, is_default: true },
    { id: 8193, name: { it: "Baby", en: "Small" }, price_minor: 650, is_default: false },
  ],
  modifier_groups: [
    {
      id: 1025,
      name: { it: "Aggiunte", en: "Extras" },
      min_select: 0,
      max_select: 3,
      options: [
        { id: 2049, name: { it: "Mozzarella di bufala", en: "Buffalo mozzarella" }, price_minor: 250, is_available: true },
        { id: 3073, name: { it: "Rucola", en: "Rocket" }, price_minor: 150, is_available: false },
      ],
    },
  ],
  updated_at: "2026-11-12T16:41:20+01:00",
};

const desserts = { id: CATEGORY_ID, menu_id: MENU_ID, name: { it: "Dolci", en: "Desserts" }, is_active: true, sort_order: 2 };
const pizzas = { id: 2049, menu_id: MENU_ID, name: { it: "Pizze", en: "Pizza" }, is_active: true, sort_order: 1 };
const menu: Menu = {
  id: MENU_ID,
  name: { it: "La carta", en: "À la carte" },
  is_active: true,
  sort_order: 1,
  categories: [pizzas, desserts],
};
const filled: Static<typeof CategoryWithItems>[] = [
  { ...pizzas, items: [margherita] },
  { ...desserts, items: [tiramisu] },
];

const [buffalo] = margherita.modifier_groups[0]?.options ?? [];
const line = (sold: OrderLine): OrderLine => sold;
const sized = order.items.map((sold) =>
  sold.item_id === margherita.id ? line({ ...sold, variant_name: { it: "Normale", en: "Regular" } }) : sold,
);
const placed = { ...order, items: sized };

const lastPage = { per_page: 25, next_cursor: null, prev_cursor: null };
const noLinks = { next: null, prev: null };
const PAGE_FAULT = { per_page: ["Must be at most 100."] };

export const EXAMPLES: { [Id in OperationId]: ExampleOf<Id> } = {
  listMenus: { answer: { data: [menu], meta: { count: 1, ...EUROS }, links: {} } },
  getMenu: {
    path: MENU_ID,
    answer: {
      data: { ...menu, categories: filled },
      meta: {
        ...EUROS,
        now: { available: true, closed_category_ids: [], prices: [{ item_id: 5121, variant_id: 7169, price_minor: 675 }] },
      },
      links: {},
    },
  },
  listCategories: { query: { menu_id: MENU_ID }, answer: { data: [pizzas, desserts], meta: { count: 2 }, links: {} } },
  listItems: {
    query: { category_id: CATEGORY_ID, available: "true", per_page: 25, cursor: "bjoxMDI0.9fK2bQm1xTzEJw8V" },
    answer: { data: [tiramisu], meta: { ...lastPage, ...EUROS }, links: noLinks },
    faults: { available: ["Must be one of true, false, 1, 0."] },
  },
  createItem: {
    body: {
      category_id: CATEGORY_ID,
      name: tiramisu.name,
      description: "Con mascarpone e caffè.",
      price_minor: 650,
      allergens: ["gluten", "eggs", "milk"],
    },
    answer: { data: tiramisu, meta: EUROS, links: {} },
    faults: { price_minor: ["Give a price, or sizes with prices."] },
  },
  getItem: { path: margherita.id, answer: { data: margherita, meta: EUROS, links: {} } },
  updateItem: {
    path: tiramisu.id,
    body: { price_minor: 700 },
    answer: { data: { ...tiramisu, price_minor: 700, updated_at: "2026-11-14T11:20:45+01:00" }, meta: EUROS, links: {} },
    faults: { price_minor: ["Must be at least 0."] },
  },
  setItemAvailability: {
    path: soldOutDish.id,
    body: { is_available: false },
    answer: { data: soldOutDish, meta: EUROS, links: {} },
    faults: { is_available: ["Must be true or false."] },
  },
  listOrders: {
    query: {
      status: "placed,accepted",
      type: "pickup",
      channel: "web",
      placed_from: "2026-11-14",
      placed_to: "2026-11-14",
      updated_since: "2026-11-14T19:00:00+01:00",
      per_page: 25,
      cursor: "bjoxMDI0.9fK2bQm1xTzEJw8V",
    },
    answer: { data: [placed], meta: lastPage, links: noLinks },
    faults: PAGE_FAULT,
  },
  createOrder: {
    body: {
      type: "pickup",
      customer_name: "Giulia Conti",
      customer_phone: "+39 06 0555 0142",
      customer_email: "giulia@example.com",
      note: "No cutlery, please.",
      lines: [
        { item_id: margherita.id, variant_id: 7169, quantity: 2, option_ids: buffalo ? [buffalo.id] : [] },
        { item_id: tiramisu.id, quantity: 1 },
      ],
    },
    answer: { data: placed, meta: {}, links: {} },
    faults: { customer_name: ["Is required."], "lines.0.quantity": ["Must be at most 99."] },
  },
  getOrder: { path: ORDER_ID, answer: { data: placed, meta: {}, links: {} } },
  moveOrder: {
    path: ORDER_ID,
    body: { status: "accepted" },
    answer: { data: { ...accepted, items: sized }, meta: {}, links: {} },
    faults: { reason: ["Must have at least 3 characters."] },
  },
  listReservations: {
    query: {
      date: "2026-11-14",
      from: "2026-11-14",
      to: "2026-11-14",
      status: "confirmed",
      per_page: 25,
      cursor: "bjoxMDI0.9fK2bQm1xTzEJw8V",
    },
    answer: { data: [confirmed], meta: lastPage, links: noLinks },
    faults: PAGE_FAULT,
  },
  createReservation: {
    body: { name: "Marco Ferri", phone: "+39 06 0555 0177", party_size: 4, date: "2026-11-14", time: "20:30", note: "One high chair." },
    answer: { data: { ...confirmed, updated_at: confirmed.created_at }, meta: {}, links: {} },
    faults: { party_size: ["Must be at least 1."] },
  },
  getAvailability: {
    query: { date: "2026-11-14", party_size: 4 },
    answer: {
      data: {
        date: "2026-11-14",
        party_size: 4,
        engine: true,
        slots: [
          { time: "20:15", available: false, guarantee: false },
          { time: "20:30", available: true, guarantee: false },
        ],
        guarantee: null,
        notify: true,
      },
      meta: {},
      links: {},
    },
    faults: { date: ["Is required."] },
  },
  getReservation: { path: RESERVATION_ID, answer: { data: confirmed, meta: {}, links: {} } },
  cancelReservation: { path: RESERVATION_ID, answer: { data: cancelled, meta: {}, links: {} } },
  listGuests: {
    query: { marketing_opted_in: "true", updated_since: "2026-11-14", per_page: 25, cursor: "bjoxMDI0.9fK2bQm1xTzEJw8V" },
    answer: { data: [agreedGuest, { ...newGuest, id: 13313, name: "Marco Ferri" }], meta: lastPage, links: noLinks },
    faults: PAGE_FAULT,
  },
  getGuest: { path: agreedGuest.id, answer: { data: agreedGuest, meta: {}, links: {} } },
  getSalesSummary: {
    query: { from: "2026-11-09", to: "2026-11-15", branch_id: BRANCH_ID },
    answer: {
      data: {
        from: "2026-11-09",
        to: "2026-11-15",
        branch_id: BRANCH_ID,
        currency: "EUR",
        orders: 214,
        revenue_minor: 624_880,
        average_order_minor: 2920,
        previous: { orders: 198, revenue_minor: 561_330, average_order_minor: 2835 },
        change: { revenue_pct: 11.3, orders_pct: 8.1 },
      },
      meta: {},
      links: {},
    },
    faults: { to: ["Must be a valid date."] },
  },
};
