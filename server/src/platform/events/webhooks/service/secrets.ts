/** Signing secrets of endpoints. They are encrypted and not hashed, because each signature needs them. */
import type { Ctx } from "#lib/context.ts";
import { decrypt, type EncryptionKey, encrypt } from "#lib/encryption.ts";
import { randomBase62 } from "#lib/token-format.ts";
import { insertSecret, listSecrets } from "../store.ts";

const SECRET_PREFIX = "whsec_";

export const newSigningSecret = (): string => SECRET_PREFIX + randomBase62(40);

const purposeOf = (ctx: Ctx, endpointId: number): string => `webhook:${ctx.tenant.id}:${endpointId}`;

/** Stores a new secret. The text is returned here and nowhere else. */
export const addSecret = (ctx: Ctx, endpointId: number, encryptionKeys: readonly EncryptionKey[]): string => {
  const secret = newSigningSecret();
  insertSecret(ctx, endpointId, encrypt(encryptionKeys, secret, purposeOf(ctx, endpointId)));
  return secret;
};

/** All secrets that sign now, the newest first. Throws when the key of one is not in ENCRYPTION_KEYS. */
export const openSecrets = async (ctx: Ctx, endpointId: number, encryptionKeys: readonly EncryptionKey[]): Promise<string[]> =>
  (await listSecrets(ctx, endpointId)).map(({ encrypted_secret }) => decrypt(encryptionKeys, encrypted_secret, purposeOf(ctx, endpointId)));
