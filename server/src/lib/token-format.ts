/** The format of bearer tokens (contract §5.1): `<id>|<prefix><40 base62><8 hex crc32>`. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

export const TOKEN_PREFIXES = { api: "svc_", sandbox: "svc_sbx_", oauth: "svc_oat_" } as const;
export type TokenKind = keyof typeof TOKEN_PREFIXES;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TOKEN_FORM = /^([1-9][0-9]{0,15})\|(svc_(?:sbx_|oat_)?)([0-9A-Za-z]{40})([0-9a-f]{8})$/;

export type PresentedToken = { id: number; kind: TokenKind; secret: string };

/** 248 is the largest multiple of 62 below 256: bytes above it are drawn again, so every character is equally likely. */
export const randomBase62 = (length: number): string => {
  let text = "";
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
  return text;
};

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, "0");

export const newTokenSecret = (kind: TokenKind): string => {
  const body = TOKEN_PREFIXES[kind] + randomBase62(40);
  return body + checksum(body);
};

/** Null for a text that cannot be a token: the checksum is verified before the database is queried. */
export const readToken = (text: string): PresentedToken | null => {
  const match = TOKEN_FORM.exec(text);
  if (!match) return null;
  const [, id = "", prefix = "", random = "", crc = ""] = match;
  if (checksum(prefix + random) !== crc || !Number.isSafeInteger(Number(id))) return null;
  const kind = (Object.keys(TOKEN_PREFIXES) as TokenKind[]).find((name) => TOKEN_PREFIXES[name] === prefix);
  return kind ? { id: Number(id), kind, secret: prefix + random + crc } : null;
};

export const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

const NO_HASH = Buffer.alloc(32);

/** Without a hash to compare with, the same path as for a wrong secret is taken. */
export const isHashOf = (text: string, kept: Buffer | null): boolean => sameBytes(sha256(text), kept ?? NO_HASH);

/** The code_challenge of a code_verifier by the method S256 (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string => hash("sha256", verifier, "base64url");
