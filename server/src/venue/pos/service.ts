/** A venue's till: an endpoint of kind `pos`, which receives every new order. Its failures show in the list of pushes and never fail an order. */
import type { Ctx } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { UserError } from "#lib/errors.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { removeTill } from "#platform/webhook-deliveries/service/endpoints.ts";
import { readTillDeliveries } from "#platform/webhook-deliveries/service/log.ts";
import { describeFailure, findReceiverFault } from "#platform/webhooks/service/messages.ts";
import { addTill } from "#platform/webhooks/service/tills.ts";
import { presentPush } from "./present.ts";

/** Connecting again replaces the address and the secret. The secret is returned here and nowhere else. */
export const connectPos = async (ctx: Ctx, url: string, encryptionKeys: readonly EncryptionKey[]): Promise<{ secret: string }> => {
  const fault = findReceiverFault(url);
  if (fault !== null) throw new UserError(`${fault} Give the point of sale's address as https://…`);
  if (ctx.tenant.kind === "sandbox") throw new UserError("A sandbox has no point of sale: connect it to the venue itself.");
  const till = await addTill(ctx, url, encryptionKeys);
  recordAudit(ctx, { action: "pos.connected", subject: { kind: "restaurant", id: ctx.tenant.id }, after: { url } });
  return till;
};

/** False when none was connected. Pushes that are still due fail at once. */
export const disconnectPos = async (ctx: Ctx): Promise<boolean> => {
  const removed = await removeTill(ctx);
  if (!removed) return false;
  recordAudit(ctx, { action: "pos.disconnected", subject: { kind: "restaurant", id: ctx.tenant.id }, before: { url: removed.url } });
  return true;
};

export const readPushes = async (ctx: Ctx, rowCount: number) =>
  (await readTillDeliveries(ctx, rowCount)).map((delivery) => presentPush(delivery, describeFailure(delivery.last_failure)));
