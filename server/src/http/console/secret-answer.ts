/**
 * Stores an answer so that its `Idempotency-Key` alone opens it: beside the answer there is only a hash of the key. A copy of the database
 * reveals no secret. The page drops the key when it has an answer, and from then on the stored one cannot be read.
 */
import { hkdfSync } from "node:crypto";
import { decrypt, type EncryptionKey, encrypt } from "#lib/encryption.ts";
import { because, validationError } from "#lib/errors.ts";
import { KEY_HEADER } from "../api/idempotency.ts";

/** A UUID has 36. A shorter key could be found by trying. */
const KEY_LENGTH_MIN = 32;
const KEY_BYTES = 32;
const PURPOSE = "stored answer";

export const requireLongKey = (key: string): void => {
  if (key.length < KEY_LENGTH_MIN)
    throw validationError({
      [KEY_HEADER]: [because(`Must have at least ${KEY_LENGTH_MIN} characters.`, "too_short", { min: KEY_LENGTH_MIN })],
    });
};

const encryptionKeyOf = (key: string): EncryptionKey => ({
  id: "idempotency",
  bytes: Buffer.from(hkdfSync("sha256", key, "", PURPOSE, KEY_BYTES)),
});

export const encryptAnswer = (key: string, body: string): string => encrypt([encryptionKeyOf(key)], body, PURPOSE);

export const decryptAnswer = (key: string, stored: string): string => decrypt([encryptionKeyOf(key)], stored, PURPOSE);
