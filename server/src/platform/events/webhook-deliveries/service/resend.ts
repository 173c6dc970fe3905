/** Replay sends a delivery that has ended once more; retry makes one that waits due now, in a new cycle of attempts. */
import type { ReplayCounts, RetryCounts } from "@comanda/contract/console/webhooks.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { readEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { readRestaurant, stateOf } from "#platform/tenants/service.ts";
import { findDelivery } from "../store/log.ts";
import {
  countFailed,
  countWaiting,
  listRestartable,
  restartDeliveries,
  restartDelivery,
  restartFailed,
  retryWaiting,
} from "../store/transitions.ts";

/** Nothing is sent for a venue without a plan in force: its due deliveries fail. */
export const refuseLapsed = async (ctx: Ctx): Promise<void> => {
  if (stateOf(await readRestaurant(ctx.db, ctx.tenant.id), realNow(ctx)) === "lapsed") throw apiError("plan_lapsed");
};

/** Sends the event's bytes again, with a new cycle of attempts (open point D182). */
export const replayDelivery = async (ctx: Ctx, id: number): Promise<void> => {
  const [delivery, restarted] = [await findDelivery(ctx, id), await restartDelivery(ctx, id)];
  if (!delivery) throw apiError("not_found");
  if (!restarted)
    throw validationError({
      delivery: ["It is still on its way, or its address was removed. Only what is done or failed can be sent again."],
    });
  recordAudit(ctx, {
    action: "webhook.replayed",
    subject: { kind: "webhook", id: restarted.endpoint_id },
    after: { delivery: id, event_id: restarted.event_id },
  });
};

/** What a replay would do now. An unknown id refuses all of them. */
export const countReplayable = async (ctx: Ctx, ids: readonly number[]): Promise<ReplayCounts> => {
  const known = await listRestartable(ctx, ids);
  if (known.length < new Set(ids).size) throw apiError("not_found");
  const removed = known.filter(({ is_removed }) => is_removed).length;
  const count = known.filter(({ is_removed, is_ended }) => !is_removed && is_ended).length;
  return { count, removed, on_the_way: known.length - removed - count };
};

/** Replays those that can be replayed and counts the others. */
export const replayDeliveries = async (ctx: Ctx, ids: readonly number[]): Promise<ReplayCounts> => {
  const restarted = await restartDeliveries(ctx, ids);
  const { on_the_way, removed, count } = await countReplayable(ctx, ids);
  for (const { id, endpoint_id, event_id } of restarted)
    recordAudit(ctx, { action: "webhook.replayed", subject: { kind: "webhook", id: endpoint_id }, after: { delivery: id, event_id } });
  // The restarted ones count as on their way by now. One that ended between the two statements was on its way when asked for.
  return { count: restarted.length, removed, on_the_way: on_the_way + count - restarted.length };
};

export const replayFailedSince = async (ctx: Ctx, endpointId: number, since: Date): Promise<number> => {
  await readEndpoint(ctx, endpointId);
  const { length } = await restartFailed(ctx, endpointId, since);
  if (length > 0)
    recordAudit(ctx, { action: "webhook.replayed", subject: { kind: "webhook", id: endpointId }, after: { since, deliveries: length } });
  return length;
};

export const countFailedSince = async (ctx: Ctx, endpointId: number, since: Date): Promise<number> => {
  await readEndpoint(ctx, endpointId);
  return countFailed(ctx, endpointId, since);
};

/** Makes the waiting ones due. An unknown id refuses all of them. */
export const retryDeliveries = async (ctx: Ctx, ids: readonly number[]): Promise<RetryCounts> => {
  await refuseLapsed(ctx);
  if ((await listRestartable(ctx, ids)).length < ids.length) throw apiError("not_found");
  const retried = await retryWaiting(ctx, { ids });
  for (const { id, endpoint_id, event_id } of retried)
    recordAudit(ctx, { action: "webhook.retried", subject: { kind: "webhook", id: endpoint_id }, after: { delivery: id, event_id } });
  return { count: retried.length, not_waiting: ids.length - retried.length, still_waiting: 0 };
};

/** Makes all waiting deliveries of an endpoint due, the oldest first, up to the limit of one call. */
export const retryEndpoint = async (ctx: Ctx, endpointId: number): Promise<RetryCounts> => {
  await readEndpoint(ctx, endpointId);
  await refuseLapsed(ctx);
  const { length: count } = await retryWaiting(ctx, { endpointId });
  if (count > 0)
    recordAudit(ctx, { action: "webhook.retried", subject: { kind: "webhook", id: endpointId }, after: { deliveries: count } });
  return { count, not_waiting: 0, still_waiting: await countWaiting(ctx, endpointId) };
};
