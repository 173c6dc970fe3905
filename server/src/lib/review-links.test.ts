import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readReviewToken, signReviewToken } from "./review-links.ts";

const newKey = (id: string) => ({ id, bytes: randomBytes(32) });
const KEYS = [newKey("new"), newKey("old")];
const LINK = { restaurantId: 1024, messageId: 70_656 };

test("a token is read with any of the keys and ends with a digit", () => {
  const token = signReviewToken(KEYS, LINK);
  expect(token).toMatch(/^1024\.[\w-]{27}\.70656$/);
  expect(signReviewToken(KEYS, LINK)).toBe(token);
  expect(readReviewToken(KEYS, token)).toEqual(LINK);
  expect(readReviewToken(KEYS, signReviewToken(KEYS.slice(1), LINK))).toEqual(LINK);
  expect(readReviewToken([newKey("new")], token)).toBeNull();
  expect(readReviewToken([], token)).toBeNull();
});

test("another venue, another message and any changed character are refused", () => {
  const token = signReviewToken(KEYS, LINK);
  const [venue = "", signature = "", message = ""] = token.split(".");
  const changed = [...token].map((character, at) => token.slice(0, at) + (character === "2" ? "3" : "2") + token.slice(at + 1));
  // The last character of the signature has two bits that mean nothing: its other spellings are refused too.
  const spellings = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
    .map((last) => `${venue}.${signature.slice(0, -1)}${last}.${message}`)
    .filter((text) => text !== token);
  for (const text of [...changed, ...spellings, "", ".", "1..1", `${token}0`, `0${token}`, `${token}\n`, token.replaceAll(".", "-")])
    expect(readReviewToken(KEYS, text), text).toBeNull();
});

test("without a key nothing is signed, and the sentence says what to do", () => {
  expect(() => signReviewToken([], LINK)).toThrow("ENCRYPTION_KEYS is not set");
});
