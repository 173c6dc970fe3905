/** Webhook endpoints: add, change, pause and remove. */
import { EVENT_TYPES, type EventType } from "@comanda/contract/events/envelope.ts";
import type { Ctx } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { apiError, type FieldErrors, validationError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { alertOwners } from "#platform/sign-in/security-alerts/service.ts";
import { lockRestaurant } from "#platform/tenants/service.ts";
import {
  countEndpoints,
  deleteSecrets,
  type EndpointChange,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  listEndpointsMadeBy,
  lockEndpoint,
  updateEndpoint,
} from "../store.ts";
import { describeFailure, findReceiverFault } from "./messages.ts";
import { addSecret } from "./secrets.ts";

export type { EndpointRow };
export { listEndpointsMadeBy };

const ENDPOINTS_MAX = 20;
const URL_LENGTH_MAX = 2000;
const DESCRIPTION_LENGTH_MAX = 200;
/** Every type that an endpoint can subscribe to; a ping goes only to the endpoint it is sent to. */
export const CHOOSABLE_EVENTS: readonly EventType[] = EVENT_TYPES.filter((type) => type !== "ping");

export type WantedEndpoint = { url: string; events: string[]; description: string | null };

const validated = ({ url, events, description }: Partial<WantedEndpoint>): EndpointChange => {
  const errors: FieldErrors = {};
  const urlFault = url === undefined ? null : url.length > URL_LENGTH_MAX ? "The address is too long." : findReceiverFault(url);
  if (urlFault !== null) errors.url = [urlFault];
  const unknown = (events ?? []).filter((type) => !CHOOSABLE_EVENTS.includes(type as EventType));
  if (unknown.length > 0)
    errors.events = [`Not an event that can be chosen: ${unknown.join(", ").slice(0, 200)}. Choose from ${CHOOSABLE_EVENTS.join(", ")}.`];
  if (events?.length === 0) errors.events = ["Choose at least one event."];
  if ((description?.length ?? 0) > DESCRIPTION_LENGTH_MAX) errors.description = [`Must have at most ${DESCRIPTION_LENGTH_MAX} characters.`];
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return {
    ...(url === undefined ? {} : { url: new URL(url).href }),
    ...(events === undefined ? {} : { events: CHOOSABLE_EVENTS.filter((type) => events.includes(type)) }),
    ...(description === undefined ? {} : { description: description?.trim() || null }),
  };
};

export const subjectOf = (id: number) => ({ kind: "webhook" as const, id });

/** The secret is returned here and nowhere else. */
export const addEndpoint = async (
  ctx: Ctx,
  wanted: WantedEndpoint,
  encryptionKeys: readonly EncryptionKey[],
): Promise<{ endpoint: EndpointRow; secret: string }> => {
  const { url, events, description } = validated(wanted) as Required<Pick<EndpointRow, "url" | "events" | "description">>;
  await lockRestaurant(ctx);
  if ((await countEndpoints(ctx)) >= ENDPOINTS_MAX)
    throw validationError({ url: [`A venue has at most ${ENDPOINTS_MAX} addresses: remove one first.`] });
  const endpoint = await insertEndpoint(ctx, { url, events, description });
  const secret = addSecret(ctx, endpoint.id, encryptionKeys);
  recordAudit(ctx, { action: "webhook.added", subject: subjectOf(endpoint.id), after: { url, events } });
  return { endpoint, secret };
};

/** A person adds the endpoint, so every owner gets a security mail. */
export const addEndpointAndAlert: typeof addEndpoint = async (ctx, wanted, encryptionKeys) => {
  const added = await addEndpoint(ctx, wanted, encryptionKeys);
  await alertAbout(ctx, "webhook.added", added.endpoint.url);
  return added;
};

const alertAbout = (ctx: Ctx, kind: "webhook.added" | "webhook.changed", url: string): Promise<void> =>
  alertOwners(ctx, { kind, client: null, about: new URL(url).host, by: ctx.actor.name, byEmail: ctx.actor.email ?? null });

export const readEndpoint = async (ctx: Ctx, id: number): Promise<EndpointRow> => {
  const endpoint = await findEndpoint(ctx, id);
  if (!endpoint) throw apiError("not_found");
  return endpoint;
};

export const readLockedEndpoint = async (ctx: Ctx, id: number): Promise<EndpointRow> => {
  const endpoint = await lockEndpoint(ctx, id);
  if (!endpoint) throw apiError("not_found");
  return endpoint;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** Each endpoint has its figures of the last 24 hours. */
export const readEndpoints = async (ctx: Ctx) =>
  (await listEndpoints(ctx, new Date(realNow(ctx).getTime() - DAY_MS))).map((endpoint) => ({
    ...endpoint,
    explanation: describeFailure(endpoint.last_failure),
  }));

const isSame = (one: WantedEndpoint, other: WantedEndpoint): boolean =>
  one.url === other.url &&
  one.description === other.description &&
  new Set(one.events).symmetricDifference(new Set(other.events)).size === 0;

/**
 * Returns the new address, or null when it did not change. With `seen` the change is refused when the endpoint is another by now: the page
 * sends all that it shows, so it would put back an address that another person has replaced.
 */
export const changeEndpoint = async (
  ctx: Ctx,
  id: number,
  wanted: Partial<WantedEndpoint>,
  seen: WantedEndpoint | null = null,
): Promise<string | null> => {
  const change = validated(wanted);
  const { url, events, description } = await readLockedEndpoint(ctx, id);
  const present = { url, events, description };
  if (seen && !isSame(seen, present)) throw await stateChanged(ctx, { area: "webhook", subject: id }, { webhook: present });
  updateEndpoint(ctx, id, change);
  recordAudit(ctx, { action: "webhook.changed", subject: subjectOf(id), before: present, after: { ...change } });
  return change.url === undefined || change.url === url ? null : change.url;
};

/** A person changes the endpoint, so every owner gets a security mail when the address is another. */
export const changeEndpointAndAlert = async (...change: Parameters<typeof changeEndpoint>): Promise<void> => {
  const [ctx] = change;
  const url = await changeEndpoint(...change);
  if (url !== null) await alertAbout(ctx, "webhook.changed", url);
};

/** Does nothing when the endpoint is in that state already. */
export const setPaused = async (ctx: Ctx, id: number, isPaused: boolean): Promise<void> => {
  const { url, is_paused } = await readLockedEndpoint(ctx, id);
  if (is_paused === isPaused) return;
  updateEndpoint(ctx, id, { is_paused: isPaused });
  recordAudit(ctx, { action: isPaused ? "webhook.paused" : "webhook.resumed", subject: subjectOf(id), after: { url } });
};

/** Deletes its secrets. The endpoint's row stays for the log of its deliveries. */
export const endEndpoint = async (ctx: Ctx, id: number): Promise<void> => {
  const { url } = await readLockedEndpoint(ctx, id);
  updateEndpoint(ctx, id, { removed_at: realNow(ctx) });
  deleteSecrets(ctx, id);
  recordAudit(ctx, { action: "webhook.removed", subject: subjectOf(id), before: { url } });
};
