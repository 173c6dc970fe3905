/** A valid request for every operation of the contract, in one way or more; what it takes is made anew each time. */
import type { OperationId } from "@comanda/contract/operations.ts";
import type { TestAnswer } from "./app.ts";
import type { TestDatabase } from "./database.ts";

/** `way` names one that is known to take another path through the service than the plain call. */
export type Ask = { method: string; path: string; body?: object; way?: string };

/** What the calls ask for their ids: answers that were good, and a dish of one price that can be ordered without any choice. */
export type Asker = {
  ask(call: Ask): Promise<TestAnswer["body"]>;
  dish(): Promise<number>;
  /** A house with a row or two of each has no second page. */
  hasSecondPages: boolean;
  linesPerOrder: number;
  /** When tables are booked; a house may take bookings at other hours. */
  time?: string;
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

/** The same person never calls twice: each order and booking is somebody's first, which is the longest way. */
let turn = 0;

const get = (path: string): Ask => ({ method: "GET", path });
const post = (path: string, body: object): Ask => ({ method: "POST", path, body });

export const booking = (time = "20:00") => ({
  name: "Ada",
  phone: `+1 555 ${turn}`,
  party_size: 2,
  date: `2026-12-${String(1 + (turn++ % 28)).padStart(2, "0")}`,
  time,
});

export const orderFrom = async ({ dish, linesPerOrder }: Asker) => {
  const line = { item_id: await dish(), quantity: 1 };
  return {
    type: "pickup",
    customer_name: "Ada",
    customer_phone: `+1 555 ${turn++}`,
    lines: Array.from({ length: linesPerOrder }, () => line),
  };
};

export const operationCalls = (asker: Asker): Record<OperationId, () => Promise<Ask[]>> => {
  const { ask, dish } = asker;
  const someId = async (path: string): Promise<string> => (await ask(get(path))).data[0].id;
  const made = async (path: string, body: object): Promise<string> => (await ask(post(path, body))).data.id;
  const deeper = async (path: string): Promise<Ask[]> =>
    asker.hasSecondPages ? [get(`${path}&cursor=${(await ask(get(path))).meta.next_cursor}`)] : [];
  const since = (path: string): Ask => ({ ...get(path), way: "updated_since" });
  return {
    listMenus: async () => [get("/menus")],
    getMenu: async () => [get(`/menus/${await someId("/menus")}`)],
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
    getOrder: async () => [get(`/orders/${await someId("/orders")}`)],
    createOrder: async () => [post("/orders", await orderFrom(asker))],
    moveOrder: async () => [post(`/orders/${await made("/orders", await orderFrom(asker))}/status`, { status: "accepted" })],
    listReservations: async () => [
      get("/reservations"),
      get("/reservations?date=2026-11-21"),
      get("/reservations?from=2026-11-01&status=confirmed"),
      ...(await deeper("/reservations?per_page=2")),
    ],
    createReservation: async () => [post("/reservations", booking(asker.time))],
    getAvailability: async () => [get("/availability?date=2026-11-21&party_size=2")],
    getReservation: async () => [get(`/reservations/${await someId("/reservations")}`)],
    cancelReservation: async () => [post(`/reservations/${await made("/reservations", booking(asker.time))}/cancel`, {})],
    listGuests: async () => [get("/guests"), since("/guests?updated_since=2026-11-13"), ...(await deeper("/guests?per_page=20"))],
    getGuest: async () => [get(`/guests/${await someId("/guests")}`)],
    getSalesSummary: async () => [get("/reports/sales-summary?from=2025-11-14&to=2026-11-14")],
  };
};
