/** Tokens past the limit of a venue: some guarantees are tried with one for each combination of scopes. */
import type { Ctx } from "../../src/lib/context.ts";
import { newTokenSecret, sha256 } from "../../src/lib/token-format.ts";
import type { TokenToCreate } from "../../src/platform/programs/tokens/service.ts";
import { insertToken } from "../../src/platform/programs/tokens/store.ts";

export const addToken = async (
  ctx: Ctx,
  { kind, name, scopes, ratePerMinute, expiresAt }: TokenToCreate,
): Promise<{ id: number; token: string }> => {
  const secret = newTokenSecret(kind);
  const row = {
    kind,
    name,
    scopes,
    hash: sha256(secret),
    last_characters: secret.slice(-4),
    rate_per_minute: ratePerMinute,
    expires_at: expiresAt,
  };
  const id = await insertToken(ctx, row);
  return { id, token: `${id}|${secret}` };
};
