/** Encrypts secrets that must be read again, such as signing keys, with AES-256-GCM under a named key. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { UserError } from "./errors.ts";

export type EncryptionKey = { id: string; bytes: Buffer };

const FORMAT = "s1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_FORM = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/;

/** `id:base64-of-32-bytes`, separated by commas. The first key encrypts, all keys decrypt. Null for a list of another form. */
export const parseEncryptionKeys = (text: string): EncryptionKey[] | null => {
  const keys: EncryptionKey[] = [];
  for (const part of text.split(",").map((entry) => entry.trim())) {
    const [, id, base64 = ""] = KEY_FORM.exec(part) ?? [];
    const bytes = Buffer.from(base64, "base64");
    if (id === undefined || bytes.length !== KEY_BYTES || keys.some((key) => key.id === id)) return null;
    keys.push({ id, bytes });
  }
  return keys;
};

/** The key that encrypts and signs. */
export const requireCurrent = ([current]: readonly EncryptionKey[]): EncryptionKey => {
  if (!current)
    throw new UserError(
      "ENCRYPTION_KEYS is not set, so no secret can be kept. Set it to a name and 32 random bytes, such as 2026:$(openssl rand -base64 32), for every process.",
    );
  return current;
};

/** The purpose is authenticated: a text that is moved to another place cannot be decrypted there. */
export const encrypt = (keys: readonly EncryptionKey[], text: string, purpose: string): string => {
  const current = requireCurrent(keys);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", current.bytes, nonce).setAAD(bindingOf(current.id, purpose));
  const encrypted = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${FORMAT}.${current.id}.${encrypted.toString("base64url")}`;
};

/** Throws for an unknown key and for a changed text. */
export const decrypt = (keys: readonly EncryptionKey[], encrypted: string, purpose: string): string => {
  const [format, id = "", base64 = ""] = encrypted.split(".");
  const key = keys.find((candidate) => candidate.id === id);
  if (format !== FORMAT || !key)
    throw new UserError(`The key "${id}" that encrypted this secret is not in ENCRYPTION_KEYS: put it behind the current one.`);
  const bytes = Buffer.from(base64, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(bindingOf(id, purpose)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
};

/** Distinguishes two keys of the same name without revealing them. */
export const fingerprintOf = ({ id, bytes }: EncryptionKey): Buffer => createHmac("sha256", bytes).update(`fingerprint\n${id}`).digest();

const bindingOf = (id: string, purpose: string): Buffer => Buffer.from(`${FORMAT}\n${id}\n${purpose}`);
