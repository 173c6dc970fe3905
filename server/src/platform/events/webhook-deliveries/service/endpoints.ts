/** Changes of an endpoint that also change its deliveries. */
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emitTo } from "#platform/events/service.ts";
import { endEndpoint, readEndpoint, setPaused } from "#platform/events/webhooks/service/endpoints.ts";
import { endTill, findTill, type TillRow } from "#platform/events/webhooks/service/tills.ts";
import { lockEndpointState } from "../store/queue.ts";
import { abandonDeliveries, holdDeliveries, resumeDeliveries } from "../store/transitions.ts";
import { refuseLapsed } from "./resend.ts";

/** Workers record results under the same lock, so two statements that change many rows do not deadlock. */
const lockState = async (ctx: Ctx, endpointId: number): Promise<void> => {
  await readEndpoint(ctx, endpointId);
  await lockEndpointState(ctx, endpointId);
};

/**
 * Due deliveries are changed twice: first all of them, then, with the endpoint locked, the few that were added meanwhile. New
 * events wait only for the second change, and none stays in the old state.
 */
export const pauseEndpoint = async (ctx: Ctx, endpointId: number): Promise<void> => {
  await lockState(ctx, endpointId);
  holdDeliveries(ctx, endpointId);
  await setPaused(ctx, endpointId, true);
  holdDeliveries(ctx, endpointId);
};

export const resumeEndpoint = async (ctx: Ctx, endpointId: number): Promise<void> => {
  await lockState(ctx, endpointId);
  resumeDeliveries(ctx, endpointId);
  await setPaused(ctx, endpointId, false);
  resumeDeliveries(ctx, endpointId);
};

export const removeEndpoint = async (ctx: Ctx, endpointId: number): Promise<void> => {
  await lockState(ctx, endpointId);
  abandonDeliveries(ctx, endpointId, "removed");
  await endEndpoint(ctx, endpointId);
  abandonDeliveries(ctx, endpointId, "removed");
};

/** Undefined when none is connected. */
export const removeTill = async (ctx: Ctx): Promise<TillRow | undefined> => {
  const till = await findTill(ctx);
  if (!till) return undefined;
  await lockEndpointState(ctx, till.id);
  abandonDeliveries(ctx, till.id, "disconnected");
  const ended = await endTill(ctx);
  abandonDeliveries(ctx, till.id, "disconnected");
  return ended;
};

export const PING_MESSAGE = "This address receives events of your venue.";

/** A test event for one endpoint, whatever it is subscribed to. */
export const sendPing = async (ctx: Ctx, endpointId: number): Promise<{ event_id: string }> => {
  const { url, is_paused } = await readEndpoint(ctx, endpointId);
  if (is_paused) throw validationError({ endpoint: ["The address is paused: resume it first."] });
  await refuseLapsed(ctx);
  const { id } = emitTo(ctx, endpointId, "ping", { message: PING_MESSAGE });
  recordAudit(ctx, { action: "webhook.pinged", subject: { kind: "webhook", id: endpointId }, after: { url } });
  return { event_id: id };
};
