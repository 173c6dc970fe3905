/** Orders that staff take themselves: by phone, or for a table. */
import { type Static, Type } from "typebox";
import { Currency, Id, Literals, MinorWithin, Nullable, Translations } from "../shared.ts";
import { ORDER_REFUSAL_REASONS } from "../venue/order-refusals.ts";
import { NewOrder, ORDER_TYPES } from "../venue/orders.ts";
import { type ConsoleOperation, Data, Instant } from "./operation.ts";
import { BoardOrder } from "./orders.ts";

const Amount = MinorWithin({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const FormOption = Type.Object({ id: Id, name: Translations, price_minor: Amount, is_available: Type.Boolean() });
const FormGroup = Type.Object({
  id: Id,
  name: Translations,
  min_select: Type.Integer({ minimum: 0 }),
  max_select: Nullable(Type.Integer({ minimum: 1 })),
  options: Type.Array(FormOption),
});
export type FormGroup = Static<typeof FormGroup>;

const FormDish = Type.Object({
  id: Id,
  category_id: Id,
  name: Translations,
  /** Null when each size has its own price. */
  price_minor: Nullable(Amount),
  is_available: Type.Boolean(),
  remaining: Nullable(Amount),
  sizes: Type.Array(Type.Object({ id: Id, name: Translations, price_minor: Amount, is_default: Type.Boolean() })),
  group_ids: Type.Array(Id),
});
export type FormDish = Static<typeof FormDish>;

/** What staff choose from. The quote says what an order costs: happy hours and menu hours depend on the moment it is for. */
export const OrderForm = Type.Object({
  types: Type.Array(Literals(ORDER_TYPES)),
  tables: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), branch_id: Id })),
  /** Empty when the venue delivers everywhere. */
  delivery_cities: Type.Array(Type.String()),
  categories: Type.Array(Type.Object({ id: Id, name: Translations })),
  dishes: Type.Array(FormDish),
  groups: Type.Array(FormGroup),
  currency: Currency,
  zone: Type.String(),
  now: Instant,
});
export type OrderForm = Static<typeof OrderForm>;

const Wanted = {
  type: NewOrder.properties.type,
  table_code: NewOrder.properties.table_code,
  scheduled_for: NewOrder.properties.scheduled_for,
  delivery_address: NewOrder.properties.delivery_address,
  lines: NewOrder.properties.lines,
};

/** `values` are the amounts that the sentence of the reason names. */
const Refusal = Type.Object({
  field: Type.String(),
  reason: Literals(ORDER_REFUSAL_REASONS),
  values: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
});
export type FieldRefusal = Static<typeof Refusal>;

export const OrderQuote = Type.Object({
  /** Lines without a refusal, by their place in the request. */
  lines: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }), unit_price_minor: Amount, line_total_minor: Amount })),
  /** Null when the amounts are too large to be charged. */
  amounts: Nullable(
    Type.Object({
      subtotal_minor: Amount,
      discount_minor: Amount,
      service_charge_minor: Amount,
      tax_added_minor: Amount,
      delivery_fee_minor: Amount,
      total_minor: Amount,
    }),
  ),
  promised_at: Nullable(Instant),
  refusals: Type.Array(Refusal),
});
export type OrderQuote = Static<typeof OrderQuote>;

const Address = Type.Object({ line1: Type.String(), city: Type.String(), phone: Type.String() });

export const KnownGuest = Type.Object({
  name: Type.String(),
  /** The number as the profile has it. It may have been given without its country code. */
  phone: Type.String(),
  visits_count: Type.Integer({ minimum: 0 }),
  last_visit_at: Nullable(Instant),
  /** The address of the guest's last delivery. */
  delivery_address: Nullable(Address),
});
export type KnownGuest = Static<typeof KnownGuest>;

const ORDER_BYTES_MAX = 64 * 1024;

export const staffOrderOperations = {
  readOrderForm: {
    method: "GET",
    path: "/venues/{venue}/order-form",
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(OrderForm) },
  },
  /** Null when no guest has this phone number. */
  findOrderGuest: {
    method: "GET",
    path: "/venues/{venue}/order-guest",
    who: "staff",
    isService: true,
    perMinute: 60,
    query: Type.Object({ phone: Type.String({ minLength: 5, maxLength: 40 }) }),
    success: { status: 200, body: Data(Nullable(KnownGuest)) },
  },
  /** The price of an order as the rules give it, and what they refuse. It stores nothing. */
  quoteStaffOrder: {
    method: "POST",
    path: "/venues/{venue}/order-quotes",
    who: "staff",
    isService: true,
    bodyBytesMax: ORDER_BYTES_MAX,
    body: Type.Object(Wanted),
    success: { status: 200, body: Data(OrderQuote) },
  },
  /** An order for a table needs no name and no phone number. */
  placeStaffOrder: {
    method: "POST",
    path: "/venues/{venue}/orders",
    who: "staff",
    isService: true,
    isIdempotent: true,
    bodyBytesMax: ORDER_BYTES_MAX,
    body: Type.Object({
      ...Wanted,
      customer_name: Type.Optional(Nullable(NewOrder.properties.customer_name)),
      customer_phone: Type.Optional(Nullable(NewOrder.properties.customer_phone)),
      note: NewOrder.properties.note,
    }),
    success: { status: 201, body: Data(BoardOrder) },
  },
} as const satisfies Record<string, ConsoleOperation>;
