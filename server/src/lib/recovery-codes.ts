/** One-time codes for a lost authenticator app. Each has 60 random bits, so a plain hash protects it. */
import { randomBytes } from "node:crypto";
import { sha256 } from "./token-format.ts";

const COUNT = 10;
const LENGTH = 12;
/** 32 characters without look-alikes (i, l, o, u). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const newCode = (): string =>
  [...randomBytes(LENGTH)]
    .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    .join("")
    .replaceAll(/(.{4})(?=.)/g, "$1-");

export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newCode);

/** Six digits are a code of the authenticator app; anything else that passes validation is a recovery code. */
export const isRecoveryCode = (code: string): boolean => !/^[0-9]{6}$/.test(code);

/** The user's id is part of the hash, so equal codes of two users have two hashes. Case, dashes and look-alikes do not matter. */
export const recoveryHash = (userId: number, code: string): Buffer => {
  const plain = code.toLowerCase().replaceAll("-", "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return sha256(`${userId}:${plain}`);
};
