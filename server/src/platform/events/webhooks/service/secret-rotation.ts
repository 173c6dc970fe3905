/** Replaces the signing secret of an endpoint while both secrets sign. */
import type { Ctx } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { validationError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { listSecrets, retireSecrets } from "../store.ts";
import { readLockedEndpoint, subjectOf } from "./endpoints.ts";
import { addSecret } from "./secrets.ts";

/** How long a replaced secret signs beside the new one (open point D176). */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
/** The current secret and two that expire: a receiver compares every signature it gets. */
const SECRETS_MAX = 3;

/**
 * A worker signs with a new secret a quarter of a second after its commit at the latest. A caller waits this long before it
 * shows the secret: then nothing signed with the old one alone is still on its way, and a receiver that knows only the new one refuses nothing.
 */
export const SECRET_SHOWN_AFTER_MS = 1000;

/** The new secret signs at once and the previous one for another day, so that the receiver can change over in between. */
export const rotateSecret = async (
  ctx: Ctx,
  id: number,
  encryptionKeys: readonly EncryptionKey[],
): Promise<{ secret: string; previousUntil: Date }> => {
  const { url } = await readLockedEndpoint(ctx, id);
  if ((await listSecrets(ctx, id)).length >= SECRETS_MAX)
    throw validationError({ secret: ["Two older secrets are still in use. Rotate again when the first of them has ended."] });
  const previousUntil = new Date(realNow(ctx).getTime() + OVERLAP_MS);
  retireSecrets(ctx, id, previousUntil);
  const secret = addSecret(ctx, id, encryptionKeys);
  recordAudit(ctx, { action: "webhook.secret_rotated", subject: subjectOf(id), after: { url, previous_until: previousUntil } });
  return { secret, previousUntil };
};
