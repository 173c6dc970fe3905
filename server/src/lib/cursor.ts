/** Paging cursors: base64url of the sort key with a short MAC over the key, the list and the tenant. */
import { createHmac } from "node:crypto";
import { sameBytes } from "./token-format.ts";

const MAC_BYTES = 12;

export type Position = { direction: "next" | "prev"; keys: (string | number)[] };
export type CursorScope = { key: Buffer; list: string; tenantId: number };

const mac = (scope: CursorScope, payload: Buffer): Buffer =>
  createHmac("sha256", scope.key).update(`${scope.list}\n${scope.tenantId}\n`).update(payload).digest().subarray(0, MAC_BYTES);

export const writeCursor = (scope: CursorScope, { direction, keys }: Position): string => {
  const payload = Buffer.from(JSON.stringify([direction, ...keys]));
  return Buffer.concat([mac(scope, payload), payload]).toString("base64url");
};

/** Null for a cursor that was changed, invented, or issued for another list or tenant. */
export const readCursor = (scope: CursorScope, text: string): Position | null => {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== text) return null;
  const payload = bytes.subarray(MAC_BYTES);
  if (!sameBytes(bytes.subarray(0, MAC_BYTES), mac(scope, payload))) return null;
  const [direction, ...keys] = JSON.parse(payload.toString()) as ["next" | "prev", ...(string | number)[]];
  return { direction, keys };
};
