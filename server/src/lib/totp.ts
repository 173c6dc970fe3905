/** One-time codes of an authenticator app (RFC 6238 over RFC 4226): SHA-1, six digits, thirty seconds, as all apps expect. */
import { createHmac, randomBytes } from "node:crypto";

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Tolerates clock drift and slow typing. */
const DRIFT_STEPS = 1;
const SECRET_BYTES = 20;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export const newTotpSecret = (): string => toBase32(randomBytes(SECRET_BYTES));

/** The URL in the QR code. */
export const totpUri = (secret: string, account: string): string =>
  `otpauth://totp/${encodeURIComponent(`Comanda:${account}`)}?secret=${secret}&issuer=Comanda&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

export const codeAt = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
};

/** The time step of a valid code that is later than the last used step; otherwise null. No code works twice (RFC 6238 §5.2). */
export const matchCode = (secret: string, code: string, now: Date, lastStep: number | null): number | null => {
  const current = stepAt(now);
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step++)
    if (step > (lastStep ?? -1) && codeAt(secret, step) === code) return step;
  return null;
};

const toBase32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32.charAt(Number.parseInt(five, 2))).join("");
};

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
};
