/**
 * README.md is short and true: pictures, promises, commands. SECURITY.md says what the code does.
 *
 * @real-passwords
 */
import { existsSync, globSync, readFileSync } from "node:fs";
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

const WORDS_MAX = 450;

/** What a reader sees as text: without code, tags and addresses. A diagram is code. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/```[\s\S]*?```/g, "")
    .replaceAll(/<https?:[^>]*>/g, " address ")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\]\([^)]*\)/g, "]");

const countWords = (text: string): number => proseOf(text).match(/[\p{L}\p{N}][^\s|]*/gu)?.length ?? 0;

const missingImages = (text: string): string[] =>
  [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = ""]) => path).filter((path) => !existsSync(`${ROOT}/${path}`));

describe("README.md", () => {
  test("it is read in two minutes", () => {
    console.info(`README.md: ${countWords(README)} words`);
    expect(countWords(README)).toBeLessThanOrEqual(WORDS_MAX);
    expect(countWords("## One\n\n| two | <b>three</b> |\n\n[four](five.md) `six`\n\n```sh\nseven\n```")).toBe(5);
  });

  test("its pictures are there, and each says what it shows", () => {
    expect(missingImages(README)).toEqual([]);
    expect(missingImages('<img src="docs/images/nothing.webp">')).toEqual(["docs/images/nothing.webp"]);
    const shown = [...README.matchAll(/<img [^>]*docs\/images[^>]*>/g)].map(([image]) => image);
    expect(shown.length).toBeGreaterThan(9);
    for (const image of shown) expect(image).toMatch(/alt="[^"]{15,}"/);
  });

  test("its three promises are those of the figures page, word by word", () => {
    const lines = promisesOf(FIGURES).map(([promise = "", how = "", seen = ""]) => {
      const command = /`[^`]+`/.exec(how)?.[0] ?? "";
      return `- **${promise[0]?.toUpperCase()}${promise.slice(1)}:** ${seen}. ${command}`;
    });
    expect(README.match(/^- \*\*.*npm test -- .*$/gm)).toEqual(lines.slice(0, 3));
  });

  test("the table of promises on the figures page follows its figures", () => {
    expect(withPromises(FIGURES)).toBe(FIGURES);
    const [, , seen = ""] = promisesOf(FIGURES)[0] ?? [];
    const [, acknowledged = ""] = /"acknowledged":(\d+)/.exec(FIGURES) ?? [];
    expect(seen).toContain(`${Number(acknowledged).toLocaleString("en-US")} writes`);
    const others = FIGURES.replace(`"acknowledged":${acknowledged}`, '"acknowledged":7654321');
    expect(promisesOf(others)[0]?.[2]).toContain("7,654,321 writes");
    expect(withPromises(others)).not.toBe(others);
  });

  test("a figure that the page does not have is not made up", () => {
    expect(() => promisesOf(FIGURES.replace("tenant matrix, both nets", "tenant matrix"))).toThrow("has 0 places");
  });

  test("no other figure stands in it than in those promises, but for versions", () => {
    const prose = proseOf(README.replaceAll(/^- .*npm test -- .*$/gm, "")).replaceAll(/`[^`]*`/g, "");
    expect([...prose.matchAll(/\d[\d,.]*/g)].map(([figure]) => figure.replace(/[,.]$/, ""))).toEqual(["24", "24", "0.1.0"]);
  });

  test("every npm script that it names is there", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...README.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(2);
    for (const name of named) expect(scripts).toHaveProperty([name]);
  });

  test("every test that is named is there", () => {
    const named = [...(README + promisesOf(FIGURES).join("\n")).matchAll(/npm test -- ([\w/-]+)/g)].map(([, words = ""]) => words);
    expect(named.length).toBeGreaterThan(6);
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
