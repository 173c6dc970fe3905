import type { FaultOrder, OrderedFaults } from "@comanda/contract/sandbox/sandbox-operations.ts";
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { orderFaults } from "#platform/events/sandbox-faults/service.ts";

export const orderSandboxFaults = async (ctx: Ctx, order: FaultOrder, operations: readonly string[]): Promise<OrderedFaults> => {
  const ordered = await orderFaults(ctx, order, operations);
  if (order.fault !== undefined)
    recordAudit(ctx, { action: "sandbox.faults_ordered", subject: { kind: "restaurant", id: ctx.tenant.id }, after: { ...order } });
  return ordered;
};
