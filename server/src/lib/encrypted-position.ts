/**
 * A position in a list: encrypted, so that it does not reveal how much a venue or others do, and authenticated, so that only one that was
 * given out is taken. The same position gives the same text. (SIV: the MAC is the start of the cipher.)
 */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import type { CursorScope } from "./cursor.ts";
import { sameBytes } from "./token-format.ts";

const CIPHER = "aes-256-ctr";
const MAC_BYTES = 16;
const NUMBER_BYTES = 8;

const keyFor = (use: "mac" | "cipher", { key, list, tenantId }: CursorScope): Buffer =>
  createHmac("sha256", key).update(`encrypted position\n${use}\n${list}\n${tenantId}`).digest();

const macOf = (scope: CursorScope, plain: Buffer): Buffer =>
  createHmac("sha256", keyFor("mac", scope)).update(plain).digest().subarray(0, MAC_BYTES);

/** Texts of one list are equally long when their bytes are. */
export const encryptBytes = (scope: CursorScope, plain: Buffer): string => {
  const mac = macOf(scope, plain);
  return Buffer.concat([mac, createCipheriv(CIPHER, keyFor("cipher", scope), mac).update(plain)]).toString("base64url");
};

/** Null for a text that was changed, invented, or given out for another list or venue, or by another key. */
export const decryptBytes = (scope: CursorScope, text: string, plainBytes: number): Buffer | null => {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== MAC_BYTES + plainBytes || bytes.toString("base64url") !== text) return null;
  const mac = bytes.subarray(0, MAC_BYTES);
  const plain = createDecipheriv(CIPHER, keyFor("cipher", scope), mac).update(bytes.subarray(MAC_BYTES));
  return sameBytes(mac, macOf(scope, plain)) ? plain : null;
};

export const encryptPosition = (scope: CursorScope, position: number): string => {
  const number = Buffer.alloc(NUMBER_BYTES);
  number.writeBigUInt64BE(BigInt(position));
  return encryptBytes(scope, number);
};

export const decryptPosition = (scope: CursorScope, text: string): number | null => {
  const number = decryptBytes(scope, text, NUMBER_BYTES);
  return number && Number(number.readBigUInt64BE());
};
