import type { OrderDetails, OrderPayment, OrderStep } from "@comanda/contract/console/orders.ts";

type OrderTicket = OrderDetails["tickets"][number];

export const presentStep = ({ at, ...step }: Omit<OrderStep, "at"> & { at: Date }): OrderStep => ({
  id: step.id,
  at: at.toISOString(),
  actor_kind: step.actor_kind,
  actor_name: step.actor_name,
  action: step.action,
  before: step.before,
  after: step.after,
  reason: step.reason,
});

type TicketTimes = { id: number; station: string; state: string; release_at: Date | null; updated_at: Date };

export const presentTicket = ({ id, station, state, release_at, updated_at }: TicketTimes): OrderTicket => ({
  id,
  station,
  // A constraint of the table allows these states alone.
  state: state as OrderTicket["state"],
  release_at: release_at?.toISOString() ?? null,
  updated_at: updated_at.toISOString(),
});

export const presentPayment = ({ recorded_at, ...payment }: Omit<OrderPayment, "recorded_at"> & { recorded_at: Date }): OrderPayment => ({
  id: payment.id,
  method: payment.method,
  amount_minor: payment.amount_minor,
  refunded_total_minor: payment.refunded_total_minor,
  recorded_by: payment.recorded_by,
  recorded_at: recorded_at.toISOString(),
});
