/** Every place where a request can name a row: what it names, how it is asked, and what the contract says must stand here. */
import { type OperationId, operationEntries } from "@comanda/contract/operations.ts";
import {
  booking,
  bookingUnder,
  MADE,
  order,
  PAGED,
  type Paged,
  type PlaceholderName,
  type RowKind,
  type TenantFixture,
} from "./tenant-fixtures.ts";

/** The way an id can be wrong; `own` is the control that shows the request itself to be right. */
type ReferenceNames = {
  own: PlaceholderName;
  unknown: PlaceholderName;
  foreign: PlaceholderName;
  removed: PlaceholderName;
  stray: PlaceholderName;
};

export type ReferenceCall = { method: string; path: string; body?: object; headers?: Record<string, string> };

export type RowReference = {
  operation: OperationId;
  /** Where the contract has it: `path.item`, `query.menu_id`, `body.lines.item_id`, `query.cursor`, `header.Idempotency-Key`. */
  at: string;
  kind: RowKind | "cursor" | "key";
  /** The body names no row of a venue, so it is never refused: only whether a foreign key replays is to be seen. */
  isAlwaysValid?: true;
  ask(name: PlaceholderName, own: TenantFixture, other: TenantFixture): ReferenceCall;
};

const post = (path: string, body: object, key?: PlaceholderName): ReferenceCall => ({
  method: "POST",
  path,
  body,
  ...(key !== undefined && { headers: { "idempotency-key": String(key) } }),
});
const dish = (own: TenantFixture, parts: object = {}) => ({
  category_id: own.alive.categories,
  name: `Dish ${own.mark}`,
  price_minor: 100,
  ...parts,
});
const line = (own: TenantFixture, parts: object) => order(own, { lines: [{ quantity: 1, ...parts }] });

/** Each page of a list, and each row that is read by its path: the contract says all there is to say about them. */
const READS: RowReference[] = [
  ...PAGED.map(({ id, path }) => ({
    operation: id,
    at: "query.cursor",
    kind: "cursor" as const,
    ask: (cursor: PlaceholderName) => ({ method: "GET", path: `${path}?per_page=1&cursor=${cursor}` }),
  })),
  ...operationEntries.flatMap(([operation, { method, path }]) => {
    const [, kind = "", parameter] = /^\/([\w-]+)\/\{(\w+)\}$/.exec(path) ?? [];
    if (method !== "GET" || parameter === undefined) return [];
    const ask = (id: PlaceholderName) => ({ method, path: `/${kind}/${id}` });
    return [{ operation, at: `path.${parameter}`, kind: kind as RowKind, ask }];
  }),
];

/** Word for word what the other venue sent under its key, for rows that need no body of their own below. */
const KEYS: RowReference[] = MADE.filter(({ kind }) => kind !== "orders" && kind !== "reservations").map(({ kind, maker }) => ({
  operation: maker,
  at: "header.Idempotency-Key",
  kind: "key",
  isAlwaysValid: true,
  ask: (key, _own, other) => post(`/${kind}`, other.bodies[kind] ?? {}, key),
}));

/** What an order names: it is placed or quoted. */
const linesOf = (operation: "createOrder" | "quoteOrder", path: string): RowReference[] => [
  { operation, at: "body.lines.item_id", kind: "dishes", ask: (id, own) => post(path, line(own, { item_id: id })) },
  {
    operation,
    at: "body.lines.item_id",
    kind: "dishes",
    ask: (id, own) => post(path, order(own, { lines: [own.alive.dishes, id].map((item_id) => ({ item_id, quantity: 1 })) })),
  },
  {
    operation,
    at: "body.lines.variant_id",
    kind: "sizes",
    ask: (id, own) => post(path, line(own, { item_id: own.sized, variant_id: id })),
  },
  {
    operation,
    at: "body.lines.option_ids",
    kind: "options",
    ask: (id, own) => post(path, line(own, { item_id: own.topped, option_ids: [id] })),
  },
  {
    operation,
    at: "body.table_code",
    kind: "tables",
    ask: (code, own) => post(path, order(own, { type: "dine_in", table_code: code })),
  },
];

export const ROW_REFERENCES: readonly RowReference[] = [
  ...READS,
  ...KEYS,
  {
    operation: "updateItem",
    at: "path.item",
    kind: "items",
    ask: (id, own) => ({ method: "PATCH", path: `/items/${id}`, body: { name: `Taken ${own.mark}`, price_minor: 1 } }),
  },
  {
    operation: "setItemAvailability",
    at: "path.item",
    kind: "items",
    ask: (id) => ({ method: "PUT", path: `/items/${id}/availability`, body: { is_available: false } }),
  },
  { operation: "listCategories", at: "query.menu_id", kind: "menus", ask: (id) => ({ method: "GET", path: `/categories?menu_id=${id}` }) },
  {
    operation: "listItems",
    at: "query.category_id",
    kind: "categories",
    ask: (id) => ({ method: "GET", path: `/items?category_id=${id}` }),
  },
  { operation: "createItem", at: "body.category_id", kind: "categories", ask: (id, own) => post("/items", dish(own, { category_id: id })) },
  {
    operation: "createItem",
    at: "body.modifier_group_ids",
    kind: "modifier_groups",
    ask: (id, own) => post("/items", dish(own, { modifier_group_ids: [id] })),
  },
  {
    operation: "createItem",
    at: "body.modifier_group_ids",
    kind: "modifier_groups",
    ask: (id, own) => post("/items", dish(own, { modifier_group_ids: [own.alive.modifier_groups, id] })),
  },
  {
    operation: "updateItem",
    at: "body.category_id",
    kind: "categories",
    ask: (id, own) => ({ method: "PATCH", path: `/items/${own.alive.items}`, body: { category_id: id } }),
  },
  { operation: "moveOrder", at: "path.order", kind: "orders", ask: (id) => post(`/orders/${id}/status`, { status: "accepted" }) },
  ...linesOf("createOrder", "/orders"),
  ...linesOf("quoteOrder", "/orders/quote"),
  {
    operation: "cancelReservation",
    at: "path.reservation",
    kind: "reservations",
    ask: (id) => ({ method: "POST", path: `/reservations/${id}/cancel` }),
  },
  {
    operation: "createReservation",
    at: "body.table_id",
    kind: "seats",
    ask: (id, own) => post("/reservations", booking(own, { table_id: id })),
  },
  {
    operation: "getSalesSummary",
    at: "query.branch_id",
    kind: "branches",
    ask: (id) => ({ method: "GET", path: `/reports/sales-summary?branch_id=${id}` }),
  },
  // Word for word what the other venue sent under its key; a replay would hand out the other venue's dish or order.
  {
    operation: "createItem",
    at: "header.Idempotency-Key",
    kind: "key",
    ask: (key, _own, other) => post("/items", dish(other), key),
  },
  {
    operation: "createOrder",
    at: "header.Idempotency-Key",
    kind: "key",
    ask: (key, _own, other) => post("/orders", order(other), key),
  },
  {
    operation: "moveOrder",
    at: "header.Idempotency-Key",
    kind: "key",
    ask: (key, _own, other) => post(`/orders/${other.moved}/status`, { status: "cancelled" }, key),
  },
  {
    operation: "createReservation",
    at: "header.Idempotency-Key",
    kind: "key",
    ask: (key, _own, other) => post("/reservations", bookingUnder(key, other), key),
  },
  {
    operation: "cancelReservation",
    at: "header.Idempotency-Key",
    kind: "key",
    ask: (key, _own, other) => post(`/reservations/${other.called}/cancel`, {}, key),
  },
];

const UNKNOWN_ID = 1024 * 999;
const UNKNOWN_UUID = "01900000-0000-7000-8000-000000000000";

/** The names to try at a point; `key` is one that the other venue has used with its own dish or order. */
export const namesFor = ({ kind, operation }: RowReference, own: TenantFixture, other: TenantFixture, key: string): ReferenceNames => {
  if (kind === "cursor") {
    const list = operation as Paged;
    const elsewhere = PAGED.find(({ id }) => id !== list)?.id as Paged;
    return {
      own: own.cursors[list],
      unknown: "bm90LWEtY3Vyc29yLW9mLW91cnM",
      foreign: other.cursors[list],
      removed: `${own.cursors[list].slice(0, -2)}AA`,
      stray: own.cursors[elsewhere],
    };
  }
  // Keys are only ever new or used; the last two are near misses of the used one.
  if (kind === "key") return { own: key, unknown: `${key}-unused`, foreign: key, removed: `${key}.`, stray: key.toUpperCase() };
  const unknown = kind === "tables" ? "nowhere" : typeof own.alive[kind] === "number" ? UNKNOWN_ID : UNKNOWN_UUID;
  return { own: own.alive[kind], unknown, foreign: other.alive[kind], removed: own.removed[kind], stray: own.stray[kind] };
};
