/** The orders area: its resource (contract §2.5), its statuses (§3.1) and its four operations (§4.2). */
import { type Static, Type } from "typebox";
import type { Operation } from "../operation.ts";
import {
  Currency,
  DateTime,
  Id,
  Literals,
  MinorWithin,
  Nullable,
  One,
  Page,
  Paging,
  Shape,
  Translations,
  UUID_PATTERN,
} from "../shared.ts";

export const ORDER_TYPES = ["dine_in", "pickup", "delivery"] as const;
export const OrderType = Literals(ORDER_TYPES);
export type OrderType = Static<typeof OrderType>;

export const ORDER_STATUSES = ["placed", "accepted", "rejected", "ready", "completed", "cancelled"] as const;
export const OrderStatus = Literals(ORDER_STATUSES);
export type OrderStatus = Static<typeof OrderStatus>;

/** Amounts of a whole order may pass the bound of a single price; every one is still an exact JSON number. */
const Amount = MinorWithin({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const OrderLine = Shape("OrderLine", {
  id: Id,
  item_id: Id,
  name: Translations,
  variant_name: Nullable(Translations),
  quantity: Type.Integer({ minimum: 1 }),
  unit_price_minor: Amount,
  line_total_minor: Amount,
  voided: Type.Boolean(),
  modifiers: Type.Array(Type.Object({ name: Translations, price_minor: Amount })),
});
export type OrderLine = Static<typeof OrderLine>;

export const TaxRow = Shape(
  "TaxRow",
  {
    name: Type.String(),
    rate: Type.Number({ description: "Per cent." }),
    inclusive: Type.Boolean({ description: "True: the tax is inside the prices. False: it is added to the total." }),
    taxable_minor: MinorWithin({
      ...Amount,
      description: "What the rate is reckoned on. When the tax is inside the prices, it is inside this amount too.",
    }),
    tax_minor: Amount,
  },
  { description: "What one tax rate makes of the order." },
);
export type TaxRow = Static<typeof TaxRow>;

const Address = Type.Object({ line1: Type.String(), city: Type.String(), phone: Type.String() });

export const Order = Shape("Order", {
  id: Type.String({ pattern: UUID_PATTERN }),
  status: OrderStatus,
  type: OrderType,
  channel: Type.String({ minLength: 1, description: "web, phone, whatsapp, qr, pos, kiosk, or the name of a delivery marketplace." }),
  branch_id: Nullable(Id),
  table: Nullable(Type.Object({ id: Id, name: Type.String(), code: Nullable(Type.String()) })),
  customer: Type.Object({ name: Nullable(Type.String()), phone: Nullable(Type.String()), email: Nullable(Type.String()) }),
  note: Nullable(Type.String()),
  delivery_address: Nullable(Address),
  currency: Currency,
  subtotal_minor: Amount,
  discount_minor: Amount,
  service_charge_minor: Amount,
  tax_added_minor: Amount,
  delivery_fee_minor: Amount,
  total_minor: Amount,
  tax_breakdown: Nullable(Type.Array(TaxRow)),
  cancel_reason: Nullable(Type.String()),
  items: Type.Array(OrderLine),
  placed_at: DateTime,
  scheduled_for: Nullable(DateTime),
  paid_at: Nullable(DateTime),
  updated_at: DateTime,
});
export type Order = Static<typeof Order>;

const AddressInput = Type.Object({
  line1: Type.Optional(Type.String({ maxLength: 255 })),
  city: Type.Optional(Type.String({ maxLength: 120 })),
  phone: Type.Optional(Type.String({ maxLength: 40 })),
});

export const NewOrder = Shape("NewOrder", {
  type: OrderType,
  channel: Type.Optional(Literals(["web", "phone", "whatsapp"])),
  table_code: Type.Optional(Nullable(Type.String({ maxLength: 255, description: "Needed when the type is dine_in." }))),
  customer_name: Type.String({ minLength: 1, maxLength: 120 }),
  customer_phone: Type.String({ minLength: 1, maxLength: 40 }),
  customer_email: Type.Optional(Nullable(Type.String({ format: "email", maxLength: 254 }))),
  note: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
  scheduled_for: Type.Optional(Nullable(Type.String({ format: "date-time" }))),
  delivery_address: Type.Optional(Nullable(AddressInput)),
  lines: Type.Array(
    Type.Object({
      item_id: Id,
      variant_id: Type.Optional(Nullable(Id)),
      quantity: Type.Integer({ minimum: 1, maximum: 99 }),
      option_ids: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    }),
    { minItems: 1, maxItems: 100 },
  ),
});
export type NewOrder = Static<typeof NewOrder>;

export const StatusMove = Shape("StatusMove", {
  status: Literals(["accepted", "rejected", "ready", "completed", "cancelled"]),
  reason: Type.Optional(Nullable(Type.String({ minLength: 3, maxLength: 200 }))),
});
export type StatusMove = Static<typeof StatusMove>;

const DateOrDateTime = (description: string) => Type.Optional(Type.String({ format: "date-or-date-time", description }));

export const orderOperations = {
  listOrders: {
    method: "GET",
    path: "/orders",
    scope: "orders:read",
    tag: "Orders",
    summary: "List orders",
    description: "Orders of every channel, newest first, page by page.",
    query: Type.Object({
      status: Type.Optional(Type.String({ format: "order-status-list", description: "One status, or several separated by commas." })),
      type: Type.Optional(Literals(ORDER_TYPES, { description: "Only orders of this type." })),
      channel: Type.Optional(Type.String({ description: "Exactly this channel." })),
      placed_from: DateOrDateTime("A date (from its start on the restaurant's clock) or a date-time; included."),
      placed_to: DateOrDateTime("A date (to its end on the restaurant's clock) or a date-time; included."),
      updated_since: DateOrDateTime(
        "Changed at or after this date or date-time. Send back the last `updated_at` you saw: nothing is missed.",
      ),
      ...Paging,
    }),
    success: { status: 200, body: Page(Order) },
    extraStatuses: [422],
  },
  createOrder: {
    method: "POST",
    path: "/orders",
    scope: "orders:write",
    tag: "Orders",
    summary: "Place an order",
    description:
      "Priced from the menu; prices in the body are ignored. The owner's ordering rules apply. Outside opening hours the order is held for the next opening, which `scheduled_for` then shows.",
    body: NewOrder,
    sends: ["ticket"],
    success: { status: 201, body: One(Order) },
    extraStatuses: [409, 422],
  },
  getOrder: {
    method: "GET",
    path: "/orders/{order}",
    scope: "orders:read",
    tag: "Orders",
    summary: "Read an order",
    description: "One order with its lines as they were sold.",
    success: { status: 200, body: One(Order) },
    extraStatuses: [404],
  },
  moveOrder: {
    method: "POST",
    path: "/orders/{order}/status",
    scope: "orders:write",
    tag: "Orders",
    summary: "Move an order to another status",
    description: "Accepting fires the kitchen. Cancelling with a reason voids the kitchen's tickets and keeps the reason.",
    body: StatusMove,
    sends: ["ticket", "message"],
    success: { status: 200, body: One(Order) },
    extraStatuses: [404, 409, 422],
  },
} as const satisfies Record<string, Operation>;
