/** What a worker reads before it sends, and what it records afterwards. */
import { hash } from "node:crypto";
import type { Ctx } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { realNow } from "#lib/venue-clock.ts";
import { type FaultOfDelivery, readSwapped, takeDeliveryFaults } from "#platform/events/sandbox-faults/service.ts";
import { describeFailure, type Failure, type PostOutcome } from "#platform/events/webhooks/service/messages.ts";
import { openSecrets } from "#platform/events/webhooks/service/secrets.ts";
import { notifyOwners } from "#platform/messages/notifications/service.ts";
import { healthAfter, shouldNotifyOwners, shownAddress } from "../rules/endpoint-health.ts";
import { afterKeyWait, isNotSent, isWithoutKey, nextAttempt, nextAttemptDelaySeconds } from "../rules/retry-schedule.ts";
import { type AttemptRecord, delayDelivery, postponeDeliveries, recordAttempts, releaseDelayed } from "../store/attempts.ts";
import {
  type DueDelivery,
  type EndpointKind,
  type EndpointTarget,
  findTarget,
  listDue,
  lockEndpointState,
  updateEndpointState,
} from "../store/queue.ts";

export type DeliveryBatch = {
  url: string;
  kind: EndpointKind;
  secrets: string[];
  deliveries: DueDelivery[];
  failure: Failure | null;
  /** In a sandbox, by the id of the delivery. */
  faults: ReadonlyMap<number, FaultOfDelivery>;
};

/** The due deliveries of one endpoint. With a failure nothing is sent, and each delivery gets that failure. */
export const readBatch = async (
  ctx: Ctx,
  endpointId: number,
  rowCount: number,
  encryptionKeys: readonly EncryptionKey[],
): Promise<DeliveryBatch> => {
  const [target, deliveries, secrets] = await Promise.all([
    findTarget(ctx, endpointId),
    listDue(ctx, endpointId, rowCount),
    readSecrets(ctx, endpointId, encryptionKeys),
  ]);
  const failure = failureBeforeSending(target, secrets);
  const faults = await takeFaults(ctx, failure === null ? deliveries : []);
  const sent = deliveries.filter(({ id }) => !isDelayed(faults.get(id)));
  return { url: target.url, kind: target.kind, secrets: secrets ?? [], deliveries: sent, failure, faults };
};

const isDelayed = (fault: FaultOfDelivery | undefined): boolean =>
  fault?.isNew === true && (fault.fault === "late" || fault.fault === "swapped");

/** A delivery that is delayed is due again later, and then marked by the fault that it has. */
const takeFaults = async (ctx: Ctx, deliveries: readonly DueDelivery[]): Promise<DeliveryBatch["faults"]> => {
  const unsent = deliveries.filter(({ cycle, attempts }) => cycle === 1 && attempts === 0);
  const faults = await takeDeliveryFaults(
    ctx,
    unsent.map(({ id }) => id),
  );
  for (const delivery of deliveries) {
    const fault = faults.get(delivery.id);
    if (fault && isDelayed(fault)) delayDelivery(ctx, delivery, new Date(realNow(ctx).getTime() + fault.durationMs));
  }
  return faults;
};

/** What a fault holds back until the next message was sent is due now. */
const releaseSwapped = async (ctx: Ctx, endpointId: number, results: readonly SendResult[]): Promise<void> => {
  const sent = new Set(results.map(({ delivery }) => delivery.id));
  const swapped = results.length === 0 ? [] : (await readSwapped(ctx)).filter((id) => !sent.has(id));
  if (swapped.length > 0) releaseDelayed(ctx, endpointId, swapped);
};

/** A till still gets the orders that were placed before the plan lapsed: open point D183 is for webhooks. */
const failureBeforeSending = ({ kind, is_removed, is_lapsed }: EndpointTarget, secrets: string[] | null): Failure | null => {
  if (is_removed) return kind === "pos" ? "disconnected" : "removed";
  if (is_lapsed && kind === "webhook") return "lapsed";
  return secrets === null || secrets.length === 0 ? "secret" : null;
};

/** All secrets that sign now: none when the endpoint was removed, null when one cannot be decrypted. */
export const readSecrets = (ctx: Ctx, endpointId: number, encryptionKeys: readonly EncryptionKey[]): Promise<string[] | null> =>
  openSecrets(ctx, endpointId, encryptionKeys).catch((error: unknown) => {
    ctx.log.error({ err: error, endpoint: endpointId }, "a signing secret could not be decrypted");
    return null;
  });

export type SendResult = {
  delivery: DueDelivery;
  at: Date;
  outcome: Pick<PostOutcome, "status" | "durationMs" | "failure" | "excerpt">;
};

/** Compared with PostgreSQL's `sha256` of the stored bytes. */
const checksumOf = (body: string): string => hash("sha256", body);

const attemptOf = (ctx: Ctx, { delivery, at, outcome }: SendResult): AttemptRecord => {
  const attempt = delivery.attempts + 1;
  return {
    id: delivery.id,
    cycle: delivery.cycle,
    attempt,
    at,
    status: outcome.status,
    duration_ms: outcome.durationMs,
    failure: outcome.failure,
    answer: outcome.excerpt,
    sent: outcome.excerpt === "" ? null : checksumOf(delivery.body),
    ...nextAttempt(outcome.failure, nextAttemptDelaySeconds(attempt), realNow(ctx)),
  };
};

const lacksKey = ({ outcome }: SendResult): boolean => isWithoutKey(outcome.failure);

export type ServedEndpoint = { endpointId: number; worker: number; url: string; kind: EndpointKind; isReleased: boolean };

/** Log, next attempts and the endpoint's health in one commit. False when another worker serves the endpoint now. */
export const recordResults = async (
  ctx: Ctx,
  { endpointId, worker, url, kind, isReleased }: ServedEndpoint,
  results: readonly SendResult[],
): Promise<boolean> => {
  const locked = lockEndpointState(ctx, endpointId);
  const postponed = results.filter(lacksKey).map(({ delivery }) => delivery);
  if (postponed.length > 0) postponeDeliveries(ctx, postponed, afterKeyWait(realNow(ctx)));
  const attempts = results.filter((result) => !lacksKey(result)).map((result) => attemptOf(ctx, result));
  if (attempts.length > 0) recordAttempts(ctx, endpointId, attempts);
  const [state] = await Promise.all([locked, releaseSwapped(ctx, endpointId, results)]);
  // The other worker records the endpoint's health.
  if (state.worker !== worker) return false;
  const sent = attempts.filter(({ failure }) => !isNotSent(failure));
  const failures = sent.map(({ failure }) => failure);
  const health = healthAfter(state, failures, realNow(ctx));
  const hasFailedDelivery = sent.some((attempt) => attempt.state === "failed");
  const isNotified = kind === "webhook" && shouldNotifyOwners(health, hasFailedDelivery, realNow(ctx));
  if (isNotified) await notifyOwners(ctx, "webhook.failing", { url: shownAddress(url), reason: describeFailure(health.last_failure) });
  updateEndpointState(ctx, endpointId, isNotified ? { ...health, notified_at: realNow(ctx) } : health, isReleased);
  return true;
};
