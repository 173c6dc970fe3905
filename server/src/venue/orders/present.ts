import type { Order } from "@comanda/contract/orders.ts";
import { formatInstant } from "#lib/zone.ts";
import type { OrderRow } from "./store.ts";

export const presentOrder = (order: OrderRow, zone: string): Order => ({
  id: order.id,
  status: order.status,
  type: order.type,
  channel: order.channel,
  branch_id: order.branch_id,
  table: order.table_shown,
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
