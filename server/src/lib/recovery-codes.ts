/** One-time codes that stand in for a lost authenticator app: 60 random bits each, so a plain hash keeps them. */
import { randomBytes } from "node:crypto";
import { sha256 } from "./secrets.ts";

const COUNT = 10;
const LENGTH = 12;
/** Thirty-two characters, without those that are taken for one another (i, l, o, u). */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const newCode = (): string =>
  [...randomBytes(LENGTH)]
    .map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
    .join("")
    .replaceAll(/(.{4})(?=.)/g, "$1-");

export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newCode);

/** Six digits are a code of the authenticator app; anything else that the contract lets through is a recovery code. */
export const isRecoveryCode = (code: string): boolean => !/^[0-9]{6}$/.test(code);

/** The person's number is part of it: the same code of two people has two hashes. Case, dashes and look-alikes do not matter. */
export const recoveryHash = (personId: number, code: string): Buffer => {
  const plain = code.toLowerCase().replaceAll("-", "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return sha256(`${personId}:${plain}`);
};
