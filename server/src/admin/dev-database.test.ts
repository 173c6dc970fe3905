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
  const support = ["run-admin.ts", "shared-by-files.ts"].map((name) => join("server/test/support", name));
  for (const part of ["server/src", ...support, "server/package.json", "cells"])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
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

const comandaAdmin = (...parameters: string[]) => run(["server/src/admin/main.ts", ...parameters]);

/** Several commands, one after the other in one process of the checkout, after what `first` does there. */
const comandaEach = async (commands: readonly (readonly string[])[], first = ""): Promise<Outcome[]> => {
  writeFileSync(
    join(folder, "server/src/each.ts"),
    `import { createDevDatabase } from "#dev/database.ts";
     import { comandaAdmin } from "../test/support/run-admin.ts";
     ${first}
     const outcomes = [];
     for (const command of JSON.parse(process.argv[2])) outcomes.push(await comandaAdmin(command, {}));
     process.stdout.write(JSON.stringify(outcomes));\n`,
  );
  const { code, stdout, stderr } = await run(["server/src/each.ts", JSON.stringify(commands)]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

const sentenceFor = (missing: string): string =>
  `${missing} is not set, and \`npm run dev\` has made no development database here. Set ${missing}.\n`;

test("where none was made, a command says so in one sentence and makes nothing", async () => {
  const list = ["venue", "list", "--json"];
  expect(await comandaAdmin(...list)).toEqual({ code: 1, stdout: "", stderr: sentenceFor("DATABASE_URL") });
  const outcomes = await comandaEach([["migrate"], ["restored"], ["demo"], list]);
  expect(outcomes).toEqual(
    ["MIGRATION_DATABASE_URL", "MIGRATION_DATABASE_URL", "DATABASE_URL", "DATABASE_URL"].map((missing) => ({
      code: 1,
      stdout: "",
      stderr: sentenceFor(missing),
    })),
  );
  expect(existsSync(join(folder, ".comanda"))).toBe(false);
});

test("where `npm run dev` has made one, commands use it and say which it is", async () => {
  const commands = [["venue", "list", "--json"], ["restored"]];
  const [listed, restored] = await comandaEach(commands, "await (await createDevDatabase(0, async () => false)).close();");
  expect([listed?.code, JSON.parse(listed?.stdout ?? "")]).toEqual([0, []]);
  expect(listed?.stderr).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+, database comanda, cell 0\n$/);
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining("It is no restored copy.") });
});

test("what is logged goes to standard error, so that --json is one value whatever happens", async () => {
  const { code, stdout, stderr } = await run(["server/src/admin/main.ts", "venue", "list", "--json"], {
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
  expect(await comandaAdmin("--version")).toEqual({ code: 0, stdout: `${about.version}\n`, stderr: "" });
});
