/**
 * A position in a list of one venue whose numbers are those of all venues: encrypted, so that it does not tell how much others do, and
 * authenticated, so that only one that was given out is taken. The same number gives the same text. (SIV: the MAC is the start of the cipher.)
 */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import type { CursorScope } from "./cursor.ts";
import { sameBytes } from "./token-format.ts";

const CIPHER = "aes-256-ctr";
const MAC_BYTES = 16;
const NUMBER_BYTES = 8;

const keyFor = (use: "mac" | "cipher", { key, list, tenantId }: CursorScope): Buffer =>
  createHmac("sha256", key).update(`encrypted position\n${use}\n${list}\n${tenantId}`).digest();

const macOf = (scope: CursorScope, number: Buffer): Buffer =>
  createHmac("sha256", keyFor("mac", scope)).update(number).digest().subarray(0, MAC_BYTES);

export const encryptPosition = (scope: CursorScope, position: number): string => {
  const number = Buffer.alloc(NUMBER_BYTES);
  number.writeBigUInt64BE(BigInt(position));
  const mac = macOf(scope, number);
  return Buffer.concat([mac, createCipheriv(CIPHER, keyFor("cipher", scope), mac).update(number)]).toString("base64url");
};

/** Null for a text that was changed, invented, or given out for another list or venue. */
export const decryptPosition = (scope: CursorScope, text: string): number | null => {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== MAC_BYTES + NUMBER_BYTES || bytes.toString("base64url") !== text) return null;
  const mac = bytes.subarray(0, MAC_BYTES);
  const number = createDecipheriv(CIPHER, keyFor("cipher", scope), mac).update(bytes.subarray(MAC_BYTES));
  return sameBytes(mac, macOf(scope, number)) ? Number(number.readBigUInt64BE()) : null;
};
