/** The delivery log, and its part in the erasure of a guest. */
import type { Ctx } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { apiError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { describeFailure, signatureOf } from "#platform/events/webhooks/service/messages.ts";
import { openSecrets } from "#platform/events/webhooks/service/secrets.ts";
import { eraseAnswersTo } from "../store/attempts.ts";
import { type DeliveryFilter, findDelivery, listAttempts, listDeliveries, listTillDeliveries } from "../store/log.ts";
import { lockEndpointStates } from "../store/queue.ts";

export { eraseAnswersTo, listTillDeliveries, lockEndpointStates };

const explained = <T extends { last_failure: string | null }>(row: T) => ({ ...row, explanation: describeFailure(row.last_failure) });

export const readDeliveries = async (ctx: Ctx, filter: DeliveryFilter, rowCount: number) =>
  (await listDeliveries(ctx, filter, rowCount)).map(explained);

/** Reads the delivery with the event's bytes and every attempt of every cycle. */
export const readDelivery = async (ctx: Ctx, id: number) => {
  const [delivery, attempts] = await Promise.all([findDelivery(ctx, id), listAttempts(ctx, id)]);
  if (!delivery) throw apiError("not_found");
  return {
    ...explained(delivery),
    log: attempts.map((attempt) => ({ ...attempt, explanation: describeFailure(attempt.failure) })),
  };
};

/** A signature with the current time, for a command in a terminal; null when the endpoint has no secret any more. */
export const signAgain = async (
  ctx: Ctx,
  { endpoint_id, body }: { endpoint_id: number; body: string },
  encryptionKeys: readonly EncryptionKey[],
): Promise<string | null> => {
  const secrets = await openSecrets(ctx, endpoint_id, encryptionKeys);
  return secrets.length === 0 ? null : signatureOf(body, secrets, realNow(ctx));
};
