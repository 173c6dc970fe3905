/** A venue's till: an endpoint of kind `pos` that receives new orders and that webhook lists do not show. */
import type { Ctx } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { realNow } from "#lib/venue-clock.ts";
import { deleteSecrets, findTill, findTillOf, lockTill, type TillRow, updateEndpoint, upsertTill } from "../store.ts";
import { addSecret } from "./secrets.ts";

export type { TillRow };
export { findTill, findTillOf };

/** Replaces the address and the secret of a till that is connected already. */
export const addTill = async (ctx: Ctx, url: string, encryptionKeys: readonly EncryptionKey[]): Promise<{ secret: string }> => {
  const { id } = await upsertTill(ctx, new URL(url).href);
  deleteSecrets(ctx, id);
  return { secret: addSecret(ctx, id, encryptionKeys) };
};

/** Deletes its secrets. The endpoint's row stays for the log of its deliveries. */
export const endTill = async (ctx: Ctx): Promise<TillRow | undefined> => {
  const till = await lockTill(ctx);
  if (!till) return undefined;
  updateEndpoint(ctx, till.id, { removed_at: realNow(ctx) });
  deleteSecrets(ctx, till.id);
  return till;
};
