/** What is due to each address, what came of it, and sending it again. The row is the truth; the worker only serves it. */
import { hash } from "node:crypto";
import type { Ctx } from "#lib/context.ts";
import { fail, invalid } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emitTo } from "#platform/events/service.ts";
import { tellOwners } from "#platform/notices/service.ts";
import { readRestaurant, stateOf } from "#platform/tenants/service.ts";
import {
  delayAfter,
  describeFailure,
  endEndpoint,
  type Failure,
  type Outcome,
  openSecrets,
  readEndpoint,
  setPaused,
  sign,
} from "#platform/webhooks/service.ts";
import { afterWait, healthAfter, isOurs, isWithoutKey, nextStep, shouldTellOwner, shownAddress } from "./rules.ts";
import {
  type Attempt,
  abandonDeliveries,
  blankAnswers,
  countFailed,
  countWaiting,
  type DeliveryFilter,
  type DueDelivery,
  findDelivery,
  findTarget,
  holdDeliveries,
  listAttempts,
  listDeliveries,
  listDue,
  listRestartable,
  lockLane,
  lockLanes,
  postponeDeliveries,
  recordAttempts,
  restartDeliveries,
  restartDelivery,
  restartFailed,
  resumeDeliveries,
  retryWaiting,
  updateLane,
} from "./store.ts";

export type Batch = { url: string; secrets: string[]; deliveries: DueDelivery[]; failure: Failure | null };

/** What is due to one endpoint now. With a failure nothing is sent: that is then what became of each. */
export const readBatch = async (ctx: Ctx, endpointId: number, rowCount: number, secretKeys: readonly SecretKey[]): Promise<Batch> => {
  const [target, deliveries, secrets] = await Promise.all([
    findTarget(ctx, endpointId),
    listDue(ctx, endpointId, rowCount),
    readSecrets(ctx, endpointId, secretKeys),
  ]);
  const failure = target.is_removed ? "removed" : target.is_lapsed ? "lapsed" : secrets === null || secrets.length === 0 ? "secret" : null;
  return { url: target.url, secrets: secrets ?? [], deliveries, failure };
};

/** All that sign now; none when the endpoint was removed, null when one cannot be opened. */
export const readSecrets = (ctx: Ctx, endpointId: number, secretKeys: readonly SecretKey[]): Promise<string[] | null> =>
  openSecrets(ctx, endpointId, secretKeys).catch((error: unknown) => {
    ctx.log.error({ err: error, endpoint: endpointId }, "a signing secret could not be opened");
    return null;
  });

export type Result = { delivery: DueDelivery; at: Date; outcome: Pick<Outcome, "status" | "durationMs" | "failure" | "excerpt"> };

/** Of the bytes that went out; PostgreSQL says the same of those it holds. */
const checksumOf = (body: string): string => hash("sha256", body);

const attemptOf = (ctx: Ctx, { delivery, at, outcome }: Result): Attempt => {
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
    ...nextStep(outcome.failure, delayAfter(attempt), ctx.now),
  };
};

const isUnopened = ({ outcome }: Result): boolean => isWithoutKey(outcome.failure);

export type Service = { endpointId: number; worker: number; url: string; isOver: boolean };

/** The log, the next attempt of each and the endpoint's health: one commit. False when somebody else serves the endpoint by now. */
export const recordResults = async (
  ctx: Ctx,
  { endpointId, worker, url, isOver }: Service,
  results: readonly Result[],
): Promise<boolean> => {
  const found = lockLane(ctx, endpointId);
  const [unopened, made] = [results.filter(isUnopened), results.filter((result) => !isUnopened(result))];
  if (unopened.length > 0)
    postponeDeliveries(
      ctx,
      unopened.map(({ delivery }) => delivery),
      afterWait(ctx.now),
    );
  const attempts = made.map((result) => attemptOf(ctx, result));
  if (attempts.length > 0) recordAttempts(ctx, endpointId, attempts);
  const lane = await found;
  // What the endpoint looks like is then theirs to say.
  if (lane.worker !== worker) return false;
  const tried = attempts.filter(({ failure }) => !isOurs(failure));
  const health = healthAfter(
    lane,
    tried.map(({ failure }) => failure),
    ctx.now,
  );
  const hasGivenUp = tried.some(({ state }) => state === "failed");
  const isTold = shouldTellOwner(health, hasGivenUp, ctx.now);
  if (isTold) await tellOwners(ctx, "webhook.failing", { url: shownAddress(url), reason: describeFailure(health.last_failure) });
  updateLane(ctx, endpointId, isTold ? { ...health, told_at: ctx.now } : health, isOver);
  return true;
};

/** Workers write their results under the same lock, so two that move many rows never meet half-way. */
const enterLane = async (ctx: Ctx, endpointId: number): Promise<void> => {
  await readEndpoint(ctx, endpointId);
  await lockLane(ctx, endpointId);
};

/**
 * What is due is moved twice: first all there is, then, with the endpoint locked, the few that came meanwhile. New events
 * wait for the lock and no longer, and none of them is left behind in the state that was.
 */
export const pauseEndpoint = async (ctx: Ctx, endpointId: number): Promise<void> => {
  await enterLane(ctx, endpointId);
  holdDeliveries(ctx, endpointId);
  await setPaused(ctx, endpointId, true);
  holdDeliveries(ctx, endpointId);
};

export const resumeEndpoint = async (ctx: Ctx, endpointId: number): Promise<void> => {
  await enterLane(ctx, endpointId);
  resumeDeliveries(ctx, endpointId);
  await setPaused(ctx, endpointId, false);
  resumeDeliveries(ctx, endpointId);
};

export const removeEndpoint = async (ctx: Ctx, endpointId: number): Promise<void> => {
  await enterLane(ctx, endpointId);
  abandonDeliveries(ctx, endpointId);
  await endEndpoint(ctx, endpointId);
  abandonDeliveries(ctx, endpointId);
};

/** Nothing is sent for a venue without a plan: what becomes due there is given up. */
const refuseLapsed = async (ctx: Ctx): Promise<void> => {
  if (stateOf(await readRestaurant(ctx.db, ctx.tenant.id), ctx.now) === "lapsed") throw fail("plan_lapsed");
};

const PING_MESSAGE = "This address receives events of your venue.";

/** A test event for one address, subscribed or not. */
export const sendPing = async (ctx: Ctx, endpointId: number): Promise<{ event_id: string }> => {
  const { url, is_paused } = await readEndpoint(ctx, endpointId);
  if (is_paused) throw invalid({ endpoint: ["The address is paused: resume it first."] });
  await refuseLapsed(ctx);
  const { id } = emitTo(ctx, endpointId, "ping", { message: PING_MESSAGE });
  recordAudit(ctx, { action: "webhook.pinged", subject: { kind: "webhook", id: endpointId }, after: { url } });
  return { event_id: id };
};

const explained = <T extends { last_failure: string | null }>(row: T) => ({ ...row, explanation: describeFailure(row.last_failure) });

export const readDeliveries = async (ctx: Ctx, filter: DeliveryFilter, rowCount: number) =>
  (await listDeliveries(ctx, filter, rowCount)).map(explained);

/** One with its bytes and every attempt of every cycle. */
export const readDelivery = async (ctx: Ctx, id: number) => {
  const [delivery, attempts] = await Promise.all([findDelivery(ctx, id), listAttempts(ctx, id)]);
  if (!delivery) throw fail("not_found");
  return {
    ...explained(delivery),
    log: attempts.map((attempt) => ({ ...attempt, explanation: describeFailure(attempt.failure) })),
  };
};

/** A signature of this moment for a person at a terminal; null when there is no secret to sign with any more. */
export const signAgain = async (
  ctx: Ctx,
  { endpoint_id, body }: { endpoint_id: number; body: string },
  secretKeys: readonly SecretKey[],
): Promise<string | null> => {
  const secrets = await openSecrets(ctx, endpoint_id, secretKeys);
  return secrets.length === 0 ? null : sign(body, secrets, ctx.now);
};

/** Same event, same bytes, a fresh cycle of attempts (open point D182). */
export const replayDelivery = async (ctx: Ctx, id: number): Promise<void> => {
  const [delivery, restarted] = [await findDelivery(ctx, id), await restartDelivery(ctx, id)];
  if (!delivery) throw fail("not_found");
  if (!restarted)
    throw invalid({ delivery: ["It is still on its way, or its address was removed. Only what is done or failed can be sent again."] });
  recordAudit(ctx, {
    action: "webhook.replayed",
    subject: { kind: "webhook", id: restarted.endpoint_id },
    after: { delivery: id, event_id: restarted.event_id },
  });
};

export type Replay = { count: number; on_the_way: number; removed: number };

/** What would come of replaying these now. One that is not known here refuses all. */
export const countReplayable = async (ctx: Ctx, ids: readonly number[]): Promise<Replay> => {
  const known = await listRestartable(ctx, ids);
  if (known.length < new Set(ids).size) throw fail("not_found");
  const removed = known.filter(({ is_removed }) => is_removed).length;
  const count = known.filter(({ is_removed, is_at_rest }) => !is_removed && is_at_rest).length;
  return { count, removed, on_the_way: known.length - removed - count };
};

/** Those that can be; the others are left as they are and counted. */
export const replayDeliveries = async (ctx: Ctx, ids: readonly number[]): Promise<Replay> => {
  const restarted = await restartDeliveries(ctx, ids);
  const { on_the_way, removed, count } = await countReplayable(ctx, ids);
  for (const { id, endpoint_id, event_id } of restarted)
    recordAudit(ctx, { action: "webhook.replayed", subject: { kind: "webhook", id: endpoint_id }, after: { delivery: id, event_id } });
  // Those restarted are on their way by now; what came to rest in between was not when it was asked for.
  return { count: restarted.length, removed, on_the_way: on_the_way + count - restarted.length };
};

/** How many there would be is asked first, with `countFailedSince`. */
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

export type Retry = { count: number; not_waiting: number; still_waiting: number };

/** Of those named, the waiting ones become due. One that is not known here refuses all. */
export const retryDeliveries = async (ctx: Ctx, ids: readonly number[]): Promise<Retry> => {
  await refuseLapsed(ctx);
  if ((await listRestartable(ctx, ids)).length < ids.length) throw fail("not_found");
  const retried = await retryWaiting(ctx, { ids });
  for (const { id, endpoint_id, event_id } of retried)
    recordAudit(ctx, { action: "webhook.retried", subject: { kind: "webhook", id: endpoint_id }, after: { delivery: id, event_id } });
  return { count: retried.length, not_waiting: ids.length - retried.length, still_waiting: 0 };
};

/** All that wait for one address become due, the oldest first, as many as one call takes. */
export const retryEndpoint = async (ctx: Ctx, endpointId: number): Promise<Retry> => {
  await readEndpoint(ctx, endpointId);
  await refuseLapsed(ctx);
  const { length: count } = await retryWaiting(ctx, { endpointId });
  if (count > 0)
    recordAudit(ctx, { action: "webhook.retried", subject: { kind: "webhook", id: endpointId }, after: { deliveries: count } });
  return { count, not_waiting: 0, still_waiting: await countWaiting(ctx, endpointId) };
};

/** No result of any address of this venue is written down until the end of this transaction. */
export const holdLanes = (ctx: Ctx): Promise<void> => lockLanes(ctx);

/** For a guest who asked to be forgotten: what receivers answered to these events is blanked. */
export const forgetAnswersTo = (ctx: Ctx, eventIds: string[]): void => blankAnswers(ctx, eventIds);
