/**
 * README.md and SECURITY.md: their figures are those of docs/figures.md, and their statements match the code.
 *
 * @real-passwords
 */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { promisesOf, withPromises } from "../../scripts/promises-table.ts";
import { encrypt, parseEncryptionKeys } from "../../server/src/lib/encryption.ts";
import { hashPassword } from "../../server/src/lib/passwords.ts";
import { ROOT } from "./blocks.ts";

const read = (path: string): string => readFileSync(`${ROOT}/${path}`, "utf8");
const README = read("README.md");
const SECURITY = read("SECURITY.md");
const FIGURES = read("docs/figures.md");
const TESTS = globSync("{server,sdk,cli,console,examples,docs}/**/*.test.ts", {
  cwd: ROOT,
  exclude: (path) => path.includes("node_modules"),
});

describe("README.md", () => {
  test("its figures are those of the figures page, and follow them", () => {
    expect(withPromises(README, FIGURES)).toBe(README);
    const [, , seen = ""] = promisesOf(FIGURES)[0] ?? [];
    const [, acknowledged = ""] = /"acknowledged":(\d+)/.exec(FIGURES) ?? [];
    expect(seen).toContain(`${Number(acknowledged).toLocaleString("en-US")} writes`);
    const others = FIGURES.replace(`"acknowledged":${acknowledged}`, '"acknowledged":7654321');
    expect(promisesOf(others)[0]?.[2]).toContain("7,654,321 writes");
    expect(withPromises(README, others)).not.toBe(README);
  });

  test("a figure that the page does not have is not made up", () => {
    expect(() => promisesOf(FIGURES.replace("tenant matrix, both nets", "tenant matrix"))).toThrow("has 0 places");
  });

  test("no other figure stands in it than in that table, but for versions, ports and what is to be typed", () => {
    const prose = README.replace(/<!-- made by[\s\S]*?end of what is made -->/, "")
      .replaceAll(/```[\s\S]*?```/g, "")
      .replaceAll(/`[^`]*`|\]\([^)]*\)|<[^>]*>/g, "");
    expect([...prose.matchAll(/\d[\d,.]*/g)].map(([figure]) => figure.replace(/[,.]$/, ""))).toEqual(["1", "20", "24", "64", "64", "24"]);
  });

  test("every test that it names is there", () => {
    const named = [...README.matchAll(/npm test -- ([\w/-]+)/g)].map(([, words = ""]) => words);
    expect(named.length).toBeGreaterThan(4);
    for (const words of named) expect([words, TESTS.some((path) => path.includes(words))]).toEqual([words, true]);
  });
});

/** Compares statements of SECURITY.md with the code. */
const faultsOf = async (page: string): Promise<string[]> => {
  const [, memory = "", passes = ""] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(await hashPassword("correct horse", { account: "x" })) ?? [];
  const [key] = parseEncryptionKeys(`2026:${Buffer.alloc(32).toString("base64")}`) ?? [];
  const encrypted = encrypt(key ? [key] : [], "x", "test");
  const facts: Record<string, boolean> = {
    [`passwords with argon2id (${Number(memory) / 1024} MiB, ${passes} passes)`]: memory !== "",
    [`encrypted with AES-${(key?.bytes.length ?? 0) * 8}-GCM`]:
      encrypted.startsWith("s1") && read("server/src/lib/encryption.ts").includes('"aes-256-gcm"'),
  };
  const wrong = Object.entries(facts).filter(([words, isSo]) => !isSo || !page.includes(words));
  const others = ["scrypt", "bcrypt", "pbkdf2"].filter((word) => page.toLowerCase().includes(word));
  return [...wrong.map(([words]) => `does not say: ${words}`), ...others.map((word) => `says ${word}`)];
};

describe("SECURITY.md", () => {
  test("says how passwords and secrets are kept", async () => {
    expect(await faultsOf(SECURITY)).toEqual([]);
    expect(await faultsOf(SECURITY.replace("argon2id", "scrypt"))).toHaveLength(2);
    expect(await faultsOf(SECURITY.replace("19 MiB", "64 MiB"))).toHaveLength(1);
  });

  test("every test that it names is there", () => {
    const named = [
      ...SECURITY.matchAll(/`([\w/*-]+\.test\.ts)`/g),
      ...SECURITY.matchAll(/`((?:server\/test|platform)\/[\w/*-]+\.test\.ts)`/g),
    ].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(8);
    for (const path of named) {
      const form = new RegExp(`(^|/)${path.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`);
      expect([path, TESTS.some((test) => form.test(test))]).toEqual([path, true]);
    }
  });
});
