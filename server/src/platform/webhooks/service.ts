/** Addresses that want to hear of events, their secrets, and a message to them: signed at the moment it is sent. */
import { randomUUID } from "node:crypto";
import type { CheckStep, FailureReason } from "@comanda/contract/console-webhooks.ts";
import { EVENT_TYPES, type EventType } from "@comanda/contract/events.ts";
import type { Ctx } from "#lib/context.ts";
import { type Faults, fail, invalid } from "#lib/errors.ts";
import type { Person } from "#lib/maker.ts";
import { type SecretKey, seal, unseal } from "#lib/sealed.ts";
import { randomBase62 } from "#lib/secrets.ts";
import { alertOwners } from "#platform/alerts/service.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { type Failure, literalOf, nextAttemptDelaySeconds, receiverFault, sentenceOf, stepsOf } from "./rules.ts";
import type { Outcome, Passed, Sender } from "./send.ts";
import { signatureOf } from "./sign.ts";
import {
  countEndpoints,
  deleteSecrets,
  type EndpointChange,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  insertSecret,
  listEndpoints,
  listEndpointsMadeBy,
  listSecrets,
  lockEndpoint,
  retireSecrets,
  updateEndpoint,
} from "./store.ts";

export type { EndpointRow, Failure, Outcome, Sender };

export type Message = {
  url: string;
  secrets: readonly string[];
  event: { id: string; type: string };
  /** The event's bytes as they were frozen; every attempt sends the same. */
  body: string;
  /** The moment of this attempt: receivers refuse a signature older than five minutes. */
  at: Date;
  onStep?: (step: Passed) => void;
};

const USER_AGENT = "Service-Webhooks/1";

export const deliver = ({ send }: Sender, { url, secrets, event, body, at, onStep }: Message): Promise<Outcome> =>
  send({
    url,
    body,
    ...(onStep ? { onStep } : {}),
    headers: {
      "Content-Type": "application/json",
      "User-Agent": USER_AGENT,
      "Service-Event": event.type,
      "Service-Delivery": event.id,
      "Service-Signature": signatureOf(body, secrets, at),
    },
  });

export const sign = (body: string, secrets: readonly string[], at: Date): string => signatureOf(body, secrets, at);

/** Looks at an address by sending a ping to it, signed with a secret that nobody knows: the address is not added yet. */
export const checkAddress = async (sender: Sender, url: string): Promise<CheckStep[]> => {
  const passed: { step: CheckStep["step"]; ms: number }[] = [];
  let from = performance.now();
  const lap = (): number => {
    const [begun, now] = [from, performance.now()];
    from = now;
    return Math.round(now - begun);
  };
  const pass = (step: CheckStep["step"]) => void passed.push({ step, ms: lap() });
  const fault = receiverFault(url);
  if (fault !== null && fault !== "blocked_address") return stepsOf([], { failure: fault, status: null, ms: lap() }, false);
  const isLiteral = literalOf(url) !== null;
  pass("https");
  if (fault !== null) {
    pass("dns");
    return stepsOf(passed, { failure: fault, status: null, ms: lap() }, isLiteral);
  }
  const event = { id: randomUUID(), type: "ping" };
  const body = JSON.stringify({ ...event, data: { message: "Is anybody there? This address is being looked at." } });
  const message = { url, secrets: [newSigningSecret()], event, body, at: new Date(), onStep: pass };
  const { failure, status } = await deliver(sender, message);
  return stepsOf(passed, { failure, status, ms: lap() }, isLiteral);
};

/** Why nothing can be sent to this address, as a sentence; null when something can. */
export const findReceiverFault = (url: string): string | null => {
  const fault = receiverFault(url);
  return fault === null ? null : sentenceOf(fault);
};

export const describeFailure = (failure: string | null): string => (failure === null ? "" : sentenceOf(failure as Failure));

/** The same for whoever has words of their own. */
export const failureReason = (failure: string | null, status: number | null): FailureReason | null =>
  failure === null ? null : { code: failure as Failure, values: status === null ? {} : { status } };

/** Seconds until the next attempt, after so many that failed; null when there is none. */
export const delayAfter = (attempts: number): number | null => nextAttemptDelaySeconds(attempts);

const ENDPOINTS_MAX = 20;
const URL_LENGTH_MAX = 2000;
const DESCRIPTION_LENGTH_MAX = 200;
const SECRET_PREFIX = "whsec_";
/** How long a replaced secret goes on signing beside the new one (open point D176). */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
/** The current one and two on their way out: a receiver compares every signature it is sent. */
const SECRETS_MAX = 3;

export const newSigningSecret = (): string => SECRET_PREFIX + randomBase62(40);

/** Every type that can be chosen; a ping goes to whom it is sent to. */
export const CHOOSABLE_EVENTS: readonly EventType[] = EVENT_TYPES.filter((type) => type !== "ping");

export type WantedEndpoint = { url: string; events: string[]; description: string | null };

const checked = ({ url, events, description }: Partial<WantedEndpoint>): EndpointChange => {
  const faults: Faults = {};
  const urlFault = url === undefined ? null : url.length > URL_LENGTH_MAX ? "The address is too long." : findReceiverFault(url);
  if (urlFault !== null) faults.url = [urlFault];
  const unknown = (events ?? []).filter((type) => !CHOOSABLE_EVENTS.includes(type as EventType));
  if (unknown.length > 0)
    faults.events = [`Not an event that can be chosen: ${unknown.join(", ").slice(0, 200)}. Choose from ${CHOOSABLE_EVENTS.join(", ")}.`];
  if (events?.length === 0) faults.events = ["Choose at least one event."];
  if ((description?.length ?? 0) > DESCRIPTION_LENGTH_MAX) faults.description = [`Must have at most ${DESCRIPTION_LENGTH_MAX} characters.`];
  if (Object.keys(faults).length > 0) throw invalid(faults);
  return {
    ...(url === undefined ? {} : { url: new URL(url).href }),
    ...(events === undefined ? {} : { events: CHOOSABLE_EVENTS.filter((type) => events.includes(type)) }),
    ...(description === undefined ? {} : { description: description?.trim() || null }),
  };
};

const purposeOf = (ctx: Ctx, endpointId: number): string => `webhook:${ctx.tenant.id}:${endpointId}`;

const subjectOf = (id: number) => ({ kind: "webhook", id });

/** The secret is returned here and nowhere else. */
export const addEndpoint = async (
  ctx: Ctx,
  wanted: WantedEndpoint,
  secretKeys: readonly SecretKey[],
): Promise<{ endpoint: EndpointRow; secret: string }> => {
  const { url, events, description } = checked(wanted) as Required<Pick<EndpointRow, "url" | "events" | "description">>;
  if ((await countEndpoints(ctx)) >= ENDPOINTS_MAX)
    throw invalid({ url: [`A venue has at most ${ENDPOINTS_MAX} addresses: remove one first.`] });
  const endpoint = await insertEndpoint(ctx, { url, events, description });
  const secret = newSigningSecret();
  insertSecret(ctx, endpoint.id, seal(secretKeys, secret, purposeOf(ctx, endpoint.id)));
  recordAudit(ctx, { action: "webhook.added", subject: subjectOf(endpoint.id), after: { url, events } });
  return { endpoint, secret };
};

/** For addresses that people add: every owner is told by mail. */
export const addEndpointAndAlert: typeof addEndpoint = async (ctx, wanted, secretKeys) => {
  const added = await addEndpoint(ctx, wanted, secretKeys);
  await alertOwners(ctx, {
    kind: "webhook.added",
    client: null,
    about: new URL(added.endpoint.url).host,
    by: ctx.actor.name,
    byEmail: ctx.actor.email ?? null,
  });
  return added;
};

export const readEndpoint = async (ctx: Ctx, id: number): Promise<EndpointRow> => {
  const endpoint = await findEndpoint(ctx, id);
  if (!endpoint) throw fail("not_found");
  return endpoint;
};

const lockedEndpoint = async (ctx: Ctx, id: number): Promise<EndpointRow> => {
  const endpoint = await lockEndpoint(ctx, id);
  if (!endpoint) throw fail("not_found");
  return endpoint;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** With how each has been doing over the last 24 hours. */
export const readEndpoints = async (ctx: Ctx) =>
  (await listEndpoints(ctx, new Date(ctx.now.getTime() - DAY_MS))).map((endpoint) => ({
    ...endpoint,
    explanation: describeFailure(endpoint.last_failure),
  }));

/** Returns the new address, or null when it is the one it was. */
export const changeEndpoint = async (ctx: Ctx, id: number, wanted: Partial<WantedEndpoint>): Promise<string | null> => {
  const change = checked(wanted);
  const { url, events, description } = await lockedEndpoint(ctx, id);
  updateEndpoint(ctx, id, change);
  recordAudit(ctx, { action: "webhook.changed", subject: subjectOf(id), before: { url, events, description }, after: { ...change } });
  return change.url === undefined || change.url === url ? null : change.url;
};

/** For addresses that people change: every owner is told by mail. */
export const changeEndpointAndAlert = async (ctx: Ctx, id: number, wanted: Partial<WantedEndpoint>): Promise<void> => {
  const url = await changeEndpoint(ctx, id, wanted);
  if (url !== null)
    await alertOwners(ctx, {
      kind: "webhook.changed",
      client: null,
      about: new URL(url).host,
      by: ctx.actor.name,
      byEmail: ctx.actor.email ?? null,
    });
};

/** Nothing happens when it was so already. */
export const setPaused = async (ctx: Ctx, id: number, isPaused: boolean): Promise<void> => {
  const { url, is_paused } = await lockedEndpoint(ctx, id);
  if (is_paused === isPaused) return;
  updateEndpoint(ctx, id, { is_paused: isPaused });
  recordAudit(ctx, { action: isPaused ? "webhook.paused" : "webhook.resumed", subject: subjectOf(id), after: { url } });
};

/** Its secrets are gone at once; the address stays for the log of what was sent there. */
export const endEndpoint = async (ctx: Ctx, id: number): Promise<void> => {
  const { url } = await lockedEndpoint(ctx, id);
  updateEndpoint(ctx, id, { removed_at: ctx.now });
  deleteSecrets(ctx, id);
  recordAudit(ctx, { action: "webhook.removed", subject: subjectOf(id), before: { url } });
};

/**
 * A worker takes up a new secret a quarter of a second after it was committed at the latest. Who shows it waits this long,
 * so that nothing signed before is still on its way: a receiver that knows only the new one from then on refuses nothing.
 */
export const SECRET_SHOWN_AFTER_MS = 1000;

/** The new secret signs at once, the one before it for another day, so that no receiver has to change at the same moment. */
export const rotateSecret = async (
  ctx: Ctx,
  id: number,
  secretKeys: readonly SecretKey[],
): Promise<{ secret: string; previousUntil: Date }> => {
  const { url } = await lockedEndpoint(ctx, id);
  if ((await listSecrets(ctx, id)).length >= SECRETS_MAX)
    throw invalid({ secret: ["Two older secrets are still in use. Rotate again when the first of them has ended."] });
  const previousUntil = new Date(ctx.now.getTime() + OVERLAP_MS);
  const secret = newSigningSecret();
  retireSecrets(ctx, id, previousUntil);
  insertSecret(ctx, id, seal(secretKeys, secret, purposeOf(ctx, id)));
  recordAudit(ctx, { action: "webhook.secret_rotated", subject: subjectOf(id), after: { url, previous_until: previousUntil } });
  return { secret, previousUntil };
};

/** All that sign now, the newest first. Throws when one was sealed with a key that is not in SECRET_KEYS. */
export const openSecrets = async (ctx: Ctx, endpointId: number, secretKeys: readonly SecretKey[]): Promise<string[]> =>
  (await listSecrets(ctx, endpointId)).map(({ sealed_secret }) => unseal(secretKeys, sealed_secret, purposeOf(ctx, endpointId)));

/** Addresses that this person added, and that still hear of events. */
export const listEndpointsBy = (ctx: Ctx, person: Person): Promise<{ id: number; url: string }[]> => listEndpointsMadeBy(ctx, person);
