import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { decrypt, type EncryptionKey, encrypt, parseEncryptionKeys } from "./encryption.ts";

const newKey = (id: string): EncryptionKey => ({ id, bytes: randomBytes(32) });
const written = (id: string, bytes = randomBytes(32)): string => `${id}:${bytes.toString("base64")}`;

test("what is encrypted opens with its key and its purpose, and with nothing else", () => {
  const key = newKey("a");
  const encrypted = encrypt([key], "whsec_ß", "pos:1024");
  expect(encrypted).toMatch(/^s1\.a\.[\w-]+$/);
  expect(encrypted).not.toContain("whsec");
  expect(decrypt([key], encrypted, "pos:1024")).toBe("whsec_ß");
  expect(encrypt([key], "whsec_ß", "pos:1024")).not.toBe(encrypted);
  expect(() => decrypt([key], encrypted, "pos:2048")).toThrow();
  expect(() => decrypt([newKey("a")], encrypted, "pos:1024")).toThrow();
  expect(() => decrypt([newKey("b")], encrypted, "pos:1024")).toThrow(/The key "a".*ENCRYPTION_KEYS/);
});

test("any changed character, and any part cut off, is noticed", () => {
  const key = newKey("a");
  const encrypted = encrypt([key], "secret", "here");
  const start = "s1.a.".length;
  for (let index = start; index < encrypted.length - 1; index++) {
    const other = encrypted[index] === "A" ? "B" : "A";
    expect(() => decrypt([key], encrypted.slice(0, index) + other + encrypted.slice(index + 1), "here"), String(index)).toThrow();
    expect(() => decrypt([key], encrypted.slice(0, index), "here")).toThrow();
  }
});

test("keys are replaced by putting the new one first: old texts still open", () => {
  const [old, current] = [newKey("2026"), newKey("2027")];
  const encrypted = encrypt([old], "secret", "here");
  expect(decrypt([current, old], encrypted, "here")).toBe("secret");
  expect(encrypt([current, old], "secret", "here")).toMatch(/^s1\.2027\./);
});

test("without a key nothing is encrypted, and the sentence says what to set", () => {
  expect(() => encrypt([], "secret", "here")).toThrow(/ENCRYPTION_KEYS is not set.*openssl rand -base64 32/);
});

test("the list is read strictly, and a fault in it is told without the value", () => {
  expect(parseEncryptionKeys(`${written("b")}, ${written("a-1")}`)?.map(({ id }) => id)).toEqual(["b", "a-1"]);
  const bytes = randomBytes(32);
  expect(parseEncryptionKeys(written("a", bytes))?.[0]?.bytes).toEqual(bytes);
  const faulty = [
    "",
    "a",
    "a:",
    "a:short",
    written("a", randomBytes(31)),
    written("a", randomBytes(33)),
    written("a b"),
    `${written("a")},`,
  ];
  for (const text of [...faulty, `${written("a")},${written("a")}`]) expect(parseEncryptionKeys(text), text).toBeNull();
  const environment = { DATABASE_URL: "postgres://x/y" };
  expect(readConfig(environment).encryptionKeys).toEqual([]);
  expect(() => readConfig({ ...environment, ENCRYPTION_KEYS: "a:hunter2" })).toThrow(/ENCRYPTION_KEYS must be a list/);
  expect(() => readConfig({ ...environment, ENCRYPTION_KEYS: "a:hunter2" })).not.toThrow(/hunter2/);
});
