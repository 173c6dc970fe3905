import type { OrderPayment } from "@comanda/contract/console/orders.ts";

export const presentPayment = ({ recorded_at, ...payment }: Omit<OrderPayment, "recorded_at"> & { recorded_at: Date }): OrderPayment => ({
  id: payment.id,
  method: payment.method,
  amount_minor: payment.amount_minor,
  refunded_total_minor: payment.refunded_total_minor,
  recorded_by: payment.recorded_by,
  recorded_at: recorded_at.toISOString(),
});
