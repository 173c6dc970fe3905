/** What keeps a process or a command from starting is one sentence, which names the server and never the password. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CHILD_ENVIRONMENT, freePort } from "../support/processes.ts";
import { bundled } from "../support/shared-by-files.ts";
import { testPostgres } from "../support/test-postgres.ts";

const SERVER = join(dirname(dirname(import.meta.dirname)), "src");

type ProgramRun = { code: number | null; output: string };

const run = async (file: string, parameters: string[], environment: Record<string, string>): Promise<ProgramRun> => {
  const program = await bundled(join(SERVER, file));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...parameters], { env: { ...CHILD_ENVIRONMENT, ...environment } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("close", (code) => resolve({ code, output }));
  });
};

const { hostname, port } = new URL((await testPostgres()).adminUrl);
const closed = await freePort();

const CASES = [
  ["PostgreSQL is down", `postgres://app:top-secret@127.0.0.1:${closed}/comanda`, `connect ECONNREFUSED 127.0.0.1:${closed}.`],
  ["both hosts are down", `postgres://app:top-secret@127.0.0.1:${closed},127.0.0.1:${closed}/comanda`, "ECONNREFUSED"],
  ["the password is wrong", `postgres://postgres:top-secret@${hostname}:${port}/postgres`, "password authentication failed"],
  ["the password is not escaped", `postgres://app:top-secret/1@${hostname}:${port}/comanda`, "write %2F for /"],
  ["a standby is asked for", `postgres://app:top-secret@a,b/comanda?target_session_attrs=standby`, "use read-write"],
] as const;

test.each(CASES)("%s", async (_name, url, words) => {
  const runs = await Promise.all([
    run("main.ts", ["api"], { DATABASE_URL: url }),
    run("admin/main.ts", ["migrate"], { MIGRATION_DATABASE_URL: url }),
  ]);
  for (const { code, output } of runs) {
    expect(code).toBe(1);
    expect(output).toContain(words);
    expect(output).not.toMatch(/top-secret|\n\s+at /);
    expect(output.trim().split("\n").length).toBeLessThanOrEqual(2);
  }
});

test("an address of Redis or of mail with a password that is not escaped says the same", async () => {
  const url = `postgres://app@127.0.0.1:${closed}/comanda`;
  const { output } = await run("main.ts", ["api"], { DATABASE_URL: url, REDIS_URL: "redis://:a/b@redis", SMTP_URL: "smtp://me:1/2@mail" });
  expect(output).toMatch(/REDIS_URL cannot be read\..*%2F[\s\S]*SMTP_URL cannot be read\..*%2F/);
});
