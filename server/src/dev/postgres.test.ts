/** Root's copy of the packaged PostgreSQL runs only from a folder that root made. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyBinaries } from "./postgres.ts";

const OTHER_USER_ID = 65_534;
const IS_ROOT = process.getuid?.() === 0;

let home: string;
let copies: string[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "comanda-binaries-"));
  copies = [];
  mkdirSync(join(home, "package", "native", "bin"), { recursive: true });
  writeFileSync(join(home, "package", "package.json"), JSON.stringify({ version: "18.0.0" }));
  writeFileSync(join(home, "package", "native", "bin", "postgres"), "the real one", { mode: 0o755 });
});
afterEach(() => {
  for (const folder of [home, ...copies]) rmSync(folder, { recursive: true, force: true });
});

const copy = (): string => {
  const folder = dirname(copyBinaries(join(home, "package", "native"), join(home, "record")));
  copies.push(folder);
  return folder;
};

test("it is made once, with a name that cannot be guessed, and others can read but not write it", () => {
  const folder = copy();
  expect(folder).toMatch(/comanda-postgres-18\.0\.0-\w{6}$/);
  expect(statSync(folder).mode & 0o777).toBe(0o755);
  expect(statSync(join(home, "record")).mode & 0o777).toBe(0o600);
  expect(copy()).toBe(folder);
});

test("a folder of the old, predictable name is not used", () => {
  const planted = join(tmpdir(), "comanda-postgres-18.0.0");
  mkdirSync(join(planted, "native", "bin"), { recursive: true });
  writeFileSync(join(planted, "native", "bin", "postgres"), "planted");
  copies.push(planted);
  expect(copy()).not.toBe(planted);
});

const TAMPERED: Record<string, (folder: string) => void> = {
  "others may write to it": (folder) => chmodSync(folder, 0o777),
  "others may write to the program": (folder) => chmodSync(join(folder, "native", "bin", "postgres"), 0o777),
  "it is a link to somewhere": (folder) => {
    renameSync(folder, `${folder}-moved`);
    copies.push(`${folder}-moved`);
    symlinkSync(`${folder}-moved`, folder);
  },
  "the program is gone": (folder) => rmSync(join(folder, "native", "bin", "postgres")),
  "it is of another version": () => writeFileSync(join(home, "package", "package.json"), JSON.stringify({ version: "18.0.1" })),
  ...(IS_ROOT ? { "it belongs to another user": (folder: string) => chownSync(folder, OTHER_USER_ID, OTHER_USER_ID) } : {}),
};

test.each(Object.entries(TAMPERED))("another one is made when %s", (_what, tamper) => {
  const folder = copy();
  tamper(folder);
  const next = copy();
  expect(next).not.toBe(folder);
  expect(existsSync(join(next, "native", "bin", "postgres"))).toBe(true);
});
