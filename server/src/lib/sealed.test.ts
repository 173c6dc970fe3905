import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { parseSecretKeys, type SecretKey, seal, unseal } from "./sealed.ts";

const newKey = (id: string): SecretKey => ({ id, bytes: randomBytes(32) });
const written = (id: string, bytes = randomBytes(32)): string => `${id}:${bytes.toString("base64")}`;

test("what is sealed opens with its key and its purpose, and with nothing else", () => {
  const key = newKey("a");
  const sealed = seal([key], "whsec_ß", "pos:1024");
  expect(sealed).toMatch(/^s1\.a\.[\w-]+$/);
  expect(sealed).not.toContain("whsec");
  expect(unseal([key], sealed, "pos:1024")).toBe("whsec_ß");
  expect(seal([key], "whsec_ß", "pos:1024")).not.toBe(sealed);
  expect(() => unseal([key], sealed, "pos:2048")).toThrow();
  expect(() => unseal([newKey("a")], sealed, "pos:1024")).toThrow();
  expect(() => unseal([newKey("b")], sealed, "pos:1024")).toThrow(/The key "a".*SECRET_KEYS/);
});

test("any changed character, and any part cut off, is noticed", () => {
  const key = newKey("a");
  const sealed = seal([key], "secret", "here");
  const start = "s1.a.".length;
  for (let index = start; index < sealed.length - 1; index++) {
    const other = sealed[index] === "A" ? "B" : "A";
    expect(() => unseal([key], sealed.slice(0, index) + other + sealed.slice(index + 1), "here"), String(index)).toThrow();
    expect(() => unseal([key], sealed.slice(0, index), "here")).toThrow();
  }
});

test("keys are replaced by putting the new one first: old texts still open", () => {
  const [old, current] = [newKey("2026"), newKey("2027")];
  const sealed = seal([old], "secret", "here");
  expect(unseal([current, old], sealed, "here")).toBe("secret");
  expect(seal([current, old], "secret", "here")).toMatch(/^s1\.2027\./);
});

test("without a key nothing is sealed, and the sentence says what to set", () => {
  expect(() => seal([], "secret", "here")).toThrow(/SECRET_KEYS is not set.*openssl rand -base64 32/);
});

test("the list is read strictly, and a fault in it is told without the value", () => {
  expect(parseSecretKeys(`${written("b")}, ${written("a-1")}`)?.map(({ id }) => id)).toEqual(["b", "a-1"]);
  const bytes = randomBytes(32);
  expect(parseSecretKeys(written("a", bytes))?.[0]?.bytes).toEqual(bytes);
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
  for (const text of [...faulty, `${written("a")},${written("a")}`]) expect(parseSecretKeys(text), text).toBeNull();
  const environment = { DATABASE_URL: "postgres://x/y" };
  expect(readConfig(environment).secretKeys).toEqual([]);
  expect(() => readConfig({ ...environment, SECRET_KEYS: "a:hunter2" })).toThrow(/SECRET_KEYS must be a list/);
  expect(() => readConfig({ ...environment, SECRET_KEYS: "a:hunter2" })).not.toThrow(/hunter2/);
});
