/**
 * A command without its settings: it uses what `npm run dev` has made in its own checkout, and makes nothing itself.
 *
 * @long
 */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import about from "../../package.json" with { type: "json" };
import { CHILD_ENVIRONMENT, freePort } from "../../test/support/processes.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

let folder: string;

/** A checkout of its own: this one's development database belongs to the person who works here. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "comanda-checkout-"));
  // PostgreSQL runs as another user when we are root, and must be able to enter.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "server"));
  for (const part of ["server/src", "server/package.json", "cells"]) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  linkPackages();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The packages of this checkout, but the copied server where `cells` imports it: the other one would use this checkout's database. */
const linkPackages = (): void => {
  const packages = join(folder, "node_modules");
  mkdirSync(join(packages, "@comanda"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")).filter((entry) => entry !== "@comanda"))
    symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  symlinkSync(join(ROOT, "contract"), join(packages, "@comanda/contract"));
  symlinkSync(join(folder, "server"), join(packages, "@comanda/server"));
};

type Outcome = { code: number | null; stdout: string; stderr: string };

const run = (parameters: string[], environment: Record<string, string> = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, { cwd: folder, env: { ...CHILD_ENVIRONMENT, ...environment } });
    const outcome = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) child[name].on("data", (chunk: Buffer) => (outcome[name] += chunk.toString()));
    child.once("close", (code) => resolve({ code, ...outcome }));
  });

const comanda = (...parameters: string[]) => run(["server/src/cli/main.ts", ...parameters]);

test("where none was made, a command says so in one sentence and makes nothing", async () => {
  for (const [parameters, missing] of [
    [["venue", "list", "--json"], "DATABASE_URL"],
    [["migrate"], "MIGRATION_DATABASE_URL"],
    [["restored"], "MIGRATION_DATABASE_URL"],
    [["demo"], "DATABASE_URL"],
  ] as const) {
    const sentence = `${missing} is not set, and \`npm run dev\` has made no development database here. Set ${missing}.\n`;
    expect(await comanda(...parameters)).toEqual({ code: 1, stdout: "", stderr: sentence });
  }
  expect(existsSync(join(folder, ".comanda"))).toBe(false);
});

test("where `npm run dev` has made one, commands use it and say which it is", async () => {
  writeFileSync(
    join(folder, "server/src/make.ts"),
    'import { createDevDatabase } from "#dev/database.ts";\nawait (await createDevDatabase(0)).close();\n',
  );
  expect(await run(["server/src/make.ts"])).toEqual({ code: 0, stdout: "", stderr: "" });
  const { code, stdout, stderr } = await comanda("venue", "list", "--json");
  expect([code, JSON.parse(stdout)]).toEqual([0, []]);
  expect(stderr).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+, database comanda, cell 0\n$/);
  expect(await comanda("restored")).toMatchObject({ code: 0, stdout: expect.stringContaining("It is no restored copy.") });
});

test("what is logged goes to standard error, so that --json is one value whatever happens", async () => {
  const { code, stdout, stderr } = await run(["server/src/cli/main.ts", "venue", "list", "--json"], {
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    LOG_LEVEL: "debug",
  });
  expect([code, JSON.parse(stdout)]).toEqual([0, []]);
  expect(stderr).toMatch(/^PostgreSQL at /);
  writeFileSync(
    join(folder, "server/src/warn.ts"),
    'import { openCommandLog } from "#deps.ts";\nopenCommandLog("warn").warn("a warning");\n',
  );
  expect(await run(["server/src/warn.ts"])).toEqual({ code: 0, stdout: "", stderr: expect.stringContaining("a warning") });
});

test("--version", async () => {
  expect(await comanda("--version")).toEqual({ code: 0, stdout: `${about.version}\n`, stderr: "" });
});
