/**
 * Runs `npm run dev` as a process: PostgreSQL ends with it in every case, and the next start works.
 *
 * @long
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHILD_ENVIRONMENT, freePort } from "../../test/support/processes.ts";
import { startPostgres } from "./postgres.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const START_MS_MAX = 120_000;

let folder: string;
const running = new Set<ChildProcess>();

/** A separate checkout, with a console that counts as built. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "comanda-checkout-"));
  // As root, PostgreSQL runs as another user, which must be able to read the folder.
  chmodSync(folder, 0o755);
  for (const part of ["server/src", "server/samples", "server/package.json"])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  for (const part of ["console/src", "console/build", "contract/src", "console/dist"]) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, "console/dist/index.html"), "");
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
});
afterAll(async () => {
  for (const child of running) child.kill("SIGTERM");
  while (running.size > 0) await sleep(50);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts it in its own process group, as a terminal would. */
const startDev = (environment: Record<string, string>, options: string[] = []) => {
  const child = spawn(process.execPath, ["server/src/dev/main.ts", ...options], {
    cwd: folder,
    detached: true,
    env: { ...CHILD_ENVIRONMENT, ...environment },
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) =>
    child.once("close", (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  const says = async (text: string): Promise<void> => {
    for (const start = Date.now(); !output.includes(text); await sleep(20))
      if (!running.has(child) || Date.now() - start > START_MS_MAX) throw new Error(`It never said "${text}":\n${output}`);
  };
  return { pid: child.pid ?? 0, ended, says, output: () => output };
};

const postgresPid = (): number | null => {
  const file = join(folder, ".comanda/postgres/data/postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : null;
};

test("a setting that cannot be read ends it before PostgreSQL is started", async () => {
  const dev = startDev({ PORT: "abc" });
  expect(await dev.ended).toBe(1);
  expect(dev.output()).toMatch(/^The configuration is not valid:\n {2}- PORT must be a whole number/);
  expect(existsSync(join(folder, ".comanda"))).toBe(false);
});

test("it answers its operator at OPS_PORT, its demo owner has a password, and Ctrl+C ends it and PostgreSQL without another word", async () => {
  const [port, opsPort] = [await freePort(), await freePort()];
  const dev = startDev({ PORT: String(port), OPS_PORT: String(opsPort) });
  await dev.says("Stop with Ctrl+C");
  expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
  expect(postgresPid()).not.toBeNull();
  expect(dev.output()).toMatch(/export TOKEN='\d+\|svc_sbx_\w+'/);
  // Some pages ask the owner of the demo for a password.
  const [, password] = /asks? for her password: (.+)/.exec(dev.output()) ?? [];
  const address = `http://127.0.0.1:${port}`;
  const signedIn = await fetch(`${address}/console/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: address },
    body: JSON.stringify({ email: "nina@example.com", password }),
  });
  expect([signedIn.status, await signedIn.text()]).toEqual([201, expect.stringContaining("Nina")]);
  // A busy machine may have logged a warning by now.
  const before = dev.output();
  process.kill(-dev.pid, "SIGINT");
  // npm forwards the signal that the terminal has already sent.
  process.kill(dev.pid, "SIGINT");
  expect(await dev.ended).toBe(0);
  expect(dev.output()).toBe(before);
  expect(postgresPid()).toBeNull();
});

test("a database of other migrations is refused, and replaced on request", async () => {
  const environment = { PORT: String(await freePort()) };
  // The start before left this database.
  const postgres = await startPostgres({ folder: join(folder, ".comanda/postgres"), durable: false });
  const client = new pg.Client({ connectionString: Object.assign(new URL(postgres.adminUrl), { pathname: "/comanda" }).href });
  await client.connect();
  await client.query("update app.migrations set checksum = 'of a preview' where name = (select min(name) from app.migrations)");
  await client.end();
  await postgres.stop();
  const refused = startDev(environment);
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain("npm run dev -- --start-over");
  const replaced = startDev(environment, ["--start-over"]);
  // Migrations and service are there.
  await replaced.says("Loading the sample venues");
  process.kill(replaced.pid, "SIGINT");
  expect(await replaced.ended).toBe(0);
});

test("when it fails after PostgreSQL was started, PostgreSQL is stopped", async () => {
  const key = `other:${Buffer.alloc(32, 1).toString("base64")}`;
  const dev = startDev({ PORT: String(await freePort()), ENCRYPTION_KEYS: key });
  expect(await dev.ended).toBe(1);
  expect(dev.output()).toContain("ENCRYPTION_KEYS");
  expect(postgresPid()).toBeNull();
  expect(existsSync(join(folder, ".comanda/running.json"))).toBe(false);
});

test("Ctrl+C while PostgreSQL starts leaves none behind", async () => {
  const dev = startDev({ PORT: String(await freePort()) });
  await dev.says("Starting PostgreSQL");
  while (postgresPid() === null) await sleep(5);
  process.kill(-dev.pid, "SIGINT");
  expect(await dev.ended).toBe(0);
  // The process does not wait for PostgreSQL then: it ends when it has started, which takes as long as the machine needs.
  await expect.poll(postgresPid, { timeout: START_MS_MAX }).toBeNull();
});
