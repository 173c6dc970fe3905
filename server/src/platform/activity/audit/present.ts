import type { OrderStep } from "@comanda/contract/console/orders.ts";

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
