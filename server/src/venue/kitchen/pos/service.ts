/** A venue's till: an endpoint of kind `pos`, which receives every new order. Its failures show in the list of pushes and never fail an order. */
import type { TillPush, VenueTill } from "@comanda/contract/console/till.ts";
import type { FailureReason } from "@comanda/contract/console/webhooks.ts";
import type { Ctx } from "#lib/context.ts";
import type { AccountRef } from "#lib/creator.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { type ApiError, UserError, validationError } from "#lib/errors.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { removeTill } from "#platform/events/webhook-deliveries/service/endpoints.ts";
import { listTillDeliveries } from "#platform/events/webhook-deliveries/service/log.ts";
import { describeFailure, failureReason, findReceiverFault } from "#platform/events/webhooks/service/messages.ts";
import { addTill, findTill, findTillOf } from "#platform/events/webhooks/service/tills.ts";
import { alertOwners } from "#platform/sign-in/security-alerts/service.ts";
import { lockRestaurant } from "#platform/tenants/service.ts";

/** Connecting again replaces the address and the secret. The secret is returned here and nowhere else. */
export const connectPos = async (ctx: Ctx, url: string, encryptionKeys: readonly EncryptionKey[]): Promise<{ secret: string }> => {
  const fault = findReceiverFault(url);
  if (fault !== null) throw new UserError(`${fault} Give the point of sale's address as https://…`);
  if (ctx.tenant.kind === "sandbox") throw new UserError("A sandbox has no point of sale: connect it to the venue itself.");
  return connect(ctx, url, encryptionKeys);
};

const connect = async (ctx: Ctx, url: string, encryptionKeys: readonly EncryptionKey[]): Promise<{ secret: string }> => {
  const till = await addTill(ctx, url, encryptionKeys);
  recordAudit(ctx, { action: "pos.connected", subject: { kind: "restaurant", id: ctx.tenant.id }, after: { url } });
  return till;
};

/** The till that this person connected: one at most. */
export const listTillsOf = async (ctx: Ctx, person: AccountRef): Promise<{ id: number; url: string }[]> => {
  const till = await findTillOf(ctx, person);
  return till ? [{ id: till.id, url: till.url }] : [];
};

/** False when none was connected. Pushes that are still due fail at once. */
export const disconnectPos = async (ctx: Ctx): Promise<boolean> => {
  const removed = await removeTill(ctx);
  if (!removed) return false;
  recordAudit(ctx, { action: "pos.disconnected", subject: { kind: "restaurant", id: ctx.tenant.id }, before: { url: removed.url } });
  return true;
};

export const readPushes = async (ctx: Ctx, rowCount: number) =>
  (await listTillDeliveries(ctx, rowCount)).map((delivery) => presentPush(delivery, describeFailure(delivery.last_failure)));

const SHOWN_PUSHES = 20;

export const readVenueTill = async (ctx: Ctx): Promise<VenueTill> => {
  const [till, deliveries] = await Promise.all([findTill(ctx), listTillDeliveries(ctx, SHOWN_PUSHES)]);
  return {
    till: presentTill(till),
    pushes: deliveries.map((delivery) => presentTillPush(delivery, failureReason(delivery.last_failure, delivery.last_status))),
  };
};

/** The row of the restaurant is locked, because there may be no till yet whose row could be. */
const lockSeenTill = async (ctx: Ctx, seenUrl: string | null): Promise<void> => {
  await lockRestaurant(ctx);
  const till = await findTill(ctx);
  if ((till?.url ?? null) !== seenUrl) throw await tillChanged(ctx);
};

const tillChanged = async (ctx: Ctx): Promise<ApiError> =>
  stateChanged(ctx, { area: "pos", subject: ctx.tenant.id }, { till: await readVenueTill(ctx) });

type SeenTill = { seen_url: string | null; url: string };

/** People in the console connect a till: compare and set, and a mail to every owner, because orders hold names and phone numbers. */
export const connectTill = async (
  ctx: Ctx,
  { seen_url, url }: SeenTill,
  encryptionKeys: readonly EncryptionKey[],
): Promise<{ secret: string }> => {
  const fault = findReceiverFault(url);
  if (fault !== null) throw validationError({ url: [fault] });
  await lockSeenTill(ctx, seen_url);
  const connected = await connect(ctx, url, encryptionKeys);
  const facts = { about: new URL(url).host, by: ctx.actor.name, byEmail: ctx.actor.email ?? null };
  await alertOwners(ctx, { kind: "till.connected", client: null, ...facts });
  return connected;
};

export const disconnectTill = async (ctx: Ctx, { seen_url }: { seen_url: string }): Promise<void> => {
  await lockSeenTill(ctx, seen_url);
  await disconnectPos(ctx);
};

/** A till and the deliveries to it, as `comanda-admin pos list` and the console show them. */
type PushDelivery = Awaited<ReturnType<typeof listTillDeliveries>>[number];

const presentPush = ({ id, order_id, state, attempts, due_at, ...row }: PushDelivery, explanation: string) => ({
  id,
  order_id,
  state: state === "done" || state === "failed" ? state : "queued",
  attempts,
  last_status: row.last_status,
  last_failure: row.last_failure,
  last_duration_ms: row.last_duration_ms,
  next_attempt_at: due_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  explanation,
});

const presentTill = (till: { url: string; created_by: string; created_at: Date } | undefined): VenueTill["till"] =>
  till ? { url: till.url, connected_by: till.created_by, connected_at: till.created_at.toISOString() } : null;

const presentTillPush = (
  { id, order_id, state, attempts, due_at, last_status, last_duration_ms, created_at }: PushDelivery,
  last_failure: FailureReason | null,
): TillPush => ({
  id,
  order_id,
  state,
  attempts,
  due_at: due_at?.toISOString() ?? null,
  last_status,
  last_failure,
  last_duration_ms,
  created_at: created_at.toISOString(),
});
