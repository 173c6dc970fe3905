/** What an order would cost, and what each rule says about it (decision 0064). An addition to version 1. */
import { type Static, Type } from "typebox";
import type { Operation } from "../operation.ts";
import { Currency, DateTime, Id, Literals, MinorWithin, Nullable, One, Shape, Translations } from "../shared.ts";
import { ORDER_REFUSAL_REASONS, type OrderRefusalReason } from "./order-refusals.ts";
import { NewOrder, TaxRow } from "./orders.ts";

/** Rules are in the order of the verdicts. */
export const QUOTE_RULES = [
  "type",
  "pause",
  "table",
  "delivery",
  "hours",
  "schedule",
  "menu",
  "sold_out",
  "choices",
  "minimum",
  "size",
] as const;
export type QuoteRule = (typeof QUOTE_RULES)[number];

/** The rule that refuses for each reason. */
export const RULE_OF_REASON: Record<OrderRefusalReason, QuoteRule> = {
  not_offered: "type",
  paused: "pause",
  table_required: "table",
  unknown_table: "table",
  delivery_required: "delivery",
  not_delivered_there: "delivery",
  closed_then: "hours",
  no_opening: "hours",
  not_a_time: "schedule",
  past: "schedule",
  too_far_ahead: "schedule",
  unknown_dish: "menu",
  not_on_menu: "menu",
  not_served_then: "menu",
  sold_out: "sold_out",
  one_left: "sold_out",
  few_left: "sold_out",
  option_sold_out: "sold_out",
  no_sizes: "choices",
  size_required: "choices",
  unknown_size: "choices",
  unknown_option: "choices",
  option_twice: "choices",
  too_few_options: "choices",
  too_many_options: "choices",
  below_minimum: "minimum",
  too_large: "size",
  too_much: "size",
};

/**
 * `give`: the field needs a value. `one_of`, `from`, `until`, `at_most`: a value that passes. `remove`: the field, or these values of it.
 * `add`: these values. `add_minor`: dishes for this amount. `split`: several orders.
 */
export const PASSING_CHANGES = ["give", "one_of", "from", "until", "at_most", "remove", "add", "add_minor", "split"] as const;

type PassingValue = number | string | (number | string)[] | null;

const PassingChange = Shape("PassingChange", {
  field: Type.String(),
  change: Literals(PASSING_CHANGES),
  value: Type.Unsafe<PassingValue>({
    anyOf: [{ type: ["integer", "string", "null"] }, { type: "array", items: { type: ["integer", "string"] } }],
  }),
});
export type PassingChange = Static<typeof PassingChange>;

/** The schema states no bound, because the document would repeat it fifteen times. */
const Amount = MinorWithin({});

const RuleRefusal = Type.Object({
  field: Type.String(),
  reason: Literals(ORDER_REFUSAL_REASONS),
  params: Type.Object({}, { additionalProperties: true }),
  message: Type.String(),
  to_pass: Nullable(PassingChange),
});

const RuleVerdict = Type.Object({ rule: Literals(QUOTE_RULES), passes: Type.Boolean(), refusals: Type.Array(RuleRefusal) });

export const OrderQuote = Shape("OrderQuote", {
  ok: Type.Boolean(),
  currency: Currency,
  branch_id: Nullable(Id),
  scheduled_for: Nullable(DateTime),
  held_until: Nullable(DateTime),
  promised_at: Nullable(DateTime),
  lines: Type.Array(
    Type.Object({
      index: Amount,
      item_id: Id,
      list_price_minor: Amount,
      unit_price_minor: Amount,
      options_minor: Amount,
      quantity: Amount,
      line_total_minor: Amount,
      happy_hour_id: Nullable(Id),
    }),
  ),
  happy_hours: Type.Array(Type.Object({ id: Id, name: Translations })),
  promotion: Nullable(Translations),
  delivery_zone: Nullable(Type.String()),
  amounts: Nullable(
    Type.Object({
      subtotal_minor: Amount,
      discount_minor: Amount,
      service_charge_minor: Amount,
      tax_added_minor: Amount,
      delivery_fee_minor: Amount,
      total_minor: Amount,
      tax_breakdown: Nullable(Type.Array(TaxRow)),
    }),
  ),
  rules: Type.Array(RuleVerdict),
});
export type QuoteAnswer = Static<typeof OrderQuote>;

export const orderQuoteOperations = {
  quoteOrder: {
    method: "POST",
    path: "/orders/quote",
    scope: "orders:write",
    isAddition: true,
    isRead: true,
    tag: "Orders",
    summary: "Quote an order",
    description:
      "What this order would cost now, line by line, and what each rule says about it, with the change that would make it pass. It writes nothing, so an Idempotency-Key has no effect. `ok`: the order would be placed.",
    body: NewOrder,
    success: { status: 200, body: One(OrderQuote) },
    extraStatuses: [422],
  },
} as const satisfies Record<string, Operation>;
