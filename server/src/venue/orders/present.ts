import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { QuoteAnswer } from "@comanda/contract/venue/order-quote.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { formatInstant } from "#lib/time-zone.ts";
import type { PricedOrder } from "./rules/decide-order.ts";
import { areExact } from "./rules/pricing.ts";
import type { PriceCauses } from "./rules/verdicts.ts";
import type { BoardOrderRow, OrderRow } from "./store.ts";

export const presentOrder = (order: OrderRow, zone: string): Order => ({
  id: order.id,
  status: order.status,
  type: order.type,
  channel: order.channel,
  branch_id: order.branch_id,
  table: order.table_snapshot,
  customer: { name: order.customer_name, phone: order.customer_phone, email: order.customer_email },
  note: order.note,
  delivery_address: order.delivery_address,
  currency: order.currency,
  subtotal_minor: order.subtotal_minor,
  discount_minor: order.discount_minor,
  service_charge_minor: order.service_charge_minor,
  tax_added_minor: order.tax_added_minor,
  delivery_fee_minor: order.delivery_fee_minor,
  total_minor: order.total_minor,
  tax_breakdown: order.tax_breakdown,
  cancel_reason: order.cancel_reason,
  items: order.lines,
  placed_at: formatInstant(zone, order.placed_at),
  scheduled_for: order.scheduled_for && formatInstant(zone, order.scheduled_for),
  paid_at: order.paid_at && formatInstant(zone, order.paid_at),
  updated_at: formatInstant(zone, order.updated_at),
});

/** Orders from before promised times were stored are promised for their chosen time, or for the time of placing. */
export const presentBoardOrder = (row: BoardOrderRow, zone: string): BoardOrder => ({
  order: presentOrder(row, zone),
  number: row.number,
  promised_at: (row.promised_at ?? row.scheduled_for ?? row.placed_at).toISOString(),
  held_until: row.held_until?.toISOString() ?? null,
  ready_at: row.ready_at?.toISOString() ?? null,
  paid_minor: row.paid_minor,
  takes_stock: row.stock_needs !== null,
  bill_id: row.bill_id,
  changed_at: row.changed_at.toISOString(),
});

type QuoteParts = { verdicts: QuoteAnswer["rules"]; causes: PriceCauses };

export const presentQuote = (
  { branchId, timing, lines, amounts }: PricedOrder,
  { verdicts, causes }: QuoteParts,
  { currency, zone }: { currency: string; zone: string },
): QuoteAnswer => {
  const moment = (instant: Date | null | undefined): string | null => (instant ? formatInstant(zone, instant) : null);
  const happyHours = new Map(causes.happyHours.flatMap((happyHour) => (happyHour ? [[happyHour.id, happyHour.name]] : [])));
  return {
    ok: verdicts.every(({ passes }) => passes),
    currency,
    branch_id: branchId,
    scheduled_for: moment(timing?.scheduled_for),
    held_until: moment(timing?.held_until),
    promised_at: moment(timing?.promised_at),
    lines: lines.map(({ index, line: { item_id, unit_price_minor, quantity, line_total_minor, modifiers } }, place) => ({
      index,
      item_id,
      list_price_minor: causes.listPrices[place] ?? unit_price_minor,
      unit_price_minor,
      options_minor: modifiers.reduce((sum, { price_minor }) => sum + price_minor, 0),
      quantity,
      line_total_minor,
      happy_hour_id: causes.happyHours[place]?.id ?? null,
    })),
    happy_hours: [...happyHours].map(([id, name]) => ({ id, name })),
    promotion: causes.promotion,
    delivery_zone: causes.zone,
    amounts: areExact(amounts) ? amounts : null,
    rules: verdicts,
  };
};
