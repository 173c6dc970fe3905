/**
 * Passwords and sign-in secrets.
 *
 * @real-passwords
 */
import { expect, test, vi } from "vitest";
import { hashPassword, isPasswordOf } from "./passwords.ts";
import { codeAt, matchCode, newTotpSecret, stepAt, totpUri } from "./totp.ts";

/** RFC 6238, appendix B, the SHA-1 column: the secret is the text 12345678901234567890; the last six of its eight digits. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("RFC 6238 appendix B at %d s", (seconds, code) => {
  expect(codeAt(RFC_SECRET, stepAt(new Date(seconds * 1000)))).toBe(code);
});

test("a code works one step early or late, and never twice", () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUri(secret, "ada@example.com")).toContain(`secret=${secret}`);
  const now = new Date("2026-11-15T12:00:10Z");
  const step = stepAt(now);
  for (const near of [step - 1, step, step + 1]) expect(matchCode(secret, codeAt(secret, near), now, null)).toBe(near);
  for (const far of [step - 2, step + 2]) expect(matchCode(secret, codeAt(secret, far), now, null)).toBeNull();
  expect(matchCode(secret, codeAt(secret, step), now, step)).toBeNull();
  expect(matchCode(secret, codeAt(secret, step - 1), now, step)).toBeNull();
  expect(matchCode(secret, "", now, null)).toBeNull();
});

const ADA = { account: "ada@example.com" };

test("a password is recognised in any spelling of its letters, and by nothing else", async () => {
  const stored = await hashPassword("crème brûlée 7", ADA);
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await isPasswordOf(async () => stored, "crème brûlée 7".normalize("NFD"), ADA)).toBe(true);
  for (const wrong of ["", "creme brulee 7", "crème brûlée 7 "]) expect(await isPasswordOf(async () => stored, wrong, ADA)).toBe(false);
  expect(await isPasswordOf(async () => null, "", ADA)).toBe(false);
  expect(await hashPassword("crème brûlée 7", ADA)).not.toBe(stored);
});

/** Two hashes run at once, and a sign-in waits 5 s at most for its turn. */
const PROCESSOR_MS_MAX = 2 * 5000;

test("forty sign-ins at once are all answered", async () => {
  const stored = await hashPassword("one", ADA);
  // The waits do not end by the clock on the wall, which another process makes longer: the processor time of the hashes is judged.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const before = process.cpuUsage();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      isPasswordOf(async () => stored, index % 2 === 0 ? "one" : "two", { account: `person ${index}` }),
    ),
  ).finally(() => vi.useRealTimers());
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(PROCESSOR_MS_MAX);
  expect(answers).toEqual(Array.from({ length: 40 }, (_, index) => index % 2 === 0));
});
