/** A connected point of sale receives every order. It may be slow or down: that is told in the list of pushes, never to the guest. */
import type { Ctx } from "#lib/context.ts";
import { Misuse } from "#lib/errors.ts";
import { type SecretKey, seal, unseal } from "#lib/sealed.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { delayAfter, describeFailure, findReceiverFault, newSigningSecret, type Outcome } from "#platform/webhooks/service.ts";
import {
  type DuePush,
  delayPush,
  endConnection,
  findDuePush,
  findOpenConnection,
  insertPush,
  latestPushes,
  listPushBodies,
  setPushBody,
  updatePush,
  upsertConnection,
} from "./store.ts";

const purposeOf = (ctx: Ctx): string => `pos:${ctx.tenant.id}`;

/** The secret is returned here and nowhere else. Connecting again replaces the address and the secret. */
export const connectPos = (ctx: Ctx, url: string, secretKeys: readonly SecretKey[]): { secret: string } => {
  const fault = findReceiverFault(url);
  if (fault !== null) throw new Misuse(`${fault} Give the point of sale's address as https://…`);
  const secret = newSigningSecret();
  upsertConnection(ctx, { url: new URL(url).href, sealedSecret: seal(secretKeys, secret, purposeOf(ctx)) });
  recordAudit(ctx, { action: "pos.connected", subject: { kind: "restaurant", id: ctx.tenant.id }, after: { url } });
  return { secret };
};

/** False when none was connected. What still waits to be pushed is given up at its next attempt. */
export const disconnectPos = async (ctx: Ctx): Promise<boolean> => {
  const ended = await endConnection(ctx);
  if (!ended) return false;
  recordAudit(ctx, { action: "pos.disconnected", subject: { kind: "restaurant", id: ctx.tenant.id }, before: { url: ended.url } });
  return true;
};

export type PosConnection = { push_id: number };

/** Null when no point of sale is connected. A sandbox never reaches one (open point D139). */
export const posConnection = async (ctx: Ctx): Promise<PosConnection | null> =>
  ctx.tenant.kind === "sandbox" ? null : ((await findOpenConnection(ctx)) ?? null);

/** Push and job are rows of the order's own transaction; nothing is sent before it is committed. */
export const queuePush = async (
  ctx: Ctx,
  { push_id }: PosConnection,
  { orderId, body }: { orderId: string; body: string },
): Promise<void> => {
  insertPush(ctx, { id: push_id, order_id: orderId, body });
  await enqueue(ctx, "push-order", { push_id, attempt: 0 }, { groupId: String(ctx.tenant.id) });
};

export type ReadyPush =
  | { push: DuePush; at: Date; url: string; secret: string; event: { id: string; type: string } }
  | { push: DuePush; failure: "secret" | "disconnected" };

/** Null when this attempt has been made already. */
export const readyPush = async (
  ctx: Ctx,
  { push_id, attempt }: { push_id: number; attempt: number },
  secretKeys: readonly SecretKey[],
): Promise<ReadyPush | null> => {
  const push = await findDuePush(ctx, push_id, attempt);
  if (!push) return null;
  if (push.url === null || push.sealed_secret === null) return { push, failure: "disconnected" };
  try {
    return { push, at: ctx.now, url: push.url, secret: unseal(secretKeys, push.sealed_secret, purposeOf(ctx)), event: eventOf(push.body) };
  } catch (error) {
    ctx.log.error({ err: error }, "a point of sale's secret could not be opened");
    return { push, failure: "secret" };
  }
};

/** The frozen bytes say themselves which event they tell. */
const eventOf = (body: string): { id: string; type: string } => JSON.parse(body) as { id: string; type: string };

type Attempt = Pick<Outcome, "status" | "durationMs" | "failure">;

const KEY_WAIT_MS = 60_000;

/** The secret could not be opened, so nothing was sent: that is no attempt. The same one is made after a wait, once. */
export const postponePush = async (ctx: Ctx, push: DuePush): Promise<void> => {
  const next = new Date(ctx.now.getTime() + KEY_WAIT_MS);
  // A database that another has taken over from may be some seconds behind: the job that follows must not look like a second one.
  if (await delayPush(ctx, push, next, new Date(ctx.now.getTime() + KEY_WAIT_MS / 2)))
    await enqueue(ctx, "push-order", { push_id: push.id, attempt: push.attempts }, { groupId: String(ctx.tenant.id), startAfter: next });
};

/** What came of the attempt, and the job of the next one: one commit. */
export const recordAttempt = async (ctx: Ctx, push: DuePush, { status, durationMs, failure }: Attempt): Promise<void> => {
  const attempts = push.attempts + 1;
  const delaySeconds = failure === null || failure === "disconnected" ? null : delayAfter(attempts);
  const next = delaySeconds === null ? null : new Date(ctx.now.getTime() + delaySeconds * 1000);
  const state = failure === null ? "done" : next === null ? "failed" : "queued";
  const isRecorded = await updatePush(ctx, push, {
    state,
    last_status: status,
    last_failure: failure,
    last_duration_ms: durationMs,
    next_attempt_at: next,
  });
  if (isRecorded && next !== null)
    await enqueue(ctx, "push-order", { push_id: push.id, attempt: attempts }, { groupId: String(ctx.tenant.id), startAfter: next });
};

/** For a guest who asked to be forgotten: what was frozen of these orders, told anew. Nothing else changes a push's bytes. */
export const rewritePushes = async (ctx: Ctx, orderIds: string[], rewrite: (body: string) => string): Promise<void> => {
  for (const { id, body } of await listPushBodies(ctx, orderIds)) setPushBody(ctx, id, rewrite(body));
};

export const readPushes = async (ctx: Ctx, rowCount: number) =>
  (await latestPushes(ctx, rowCount)).map((push) => ({ ...push, explanation: describeFailure(push.last_failure) }));
