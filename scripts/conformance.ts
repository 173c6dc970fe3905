/** `npm run conformance`: a fresh service on a fresh database, and the kit against it; or against CONFORMANCE_TARGET. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openThrowaway } from "../server/src/dev/throwaway.ts";
import { type Certificate, createAuthority, createCertificate } from "../server/test/support/certificates.ts";
import { freePort } from "../server/test/support/processes.ts";

const run = (args: string[], environment: NodeJS.ProcessEnv, stdio: "inherit" | "pipe"): { child: ChildProcess; done: Promise<string> } => {
  const child = spawn(args[0] ?? "", args.slice(1), {
    env: environment,
    stdio: ["ignore", stdio === "pipe" ? "pipe" : "inherit", "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const done = new Promise<string>((resolve, reject) =>
    child.on("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`${args.join(" ")} ended with ${code}`)))),
  );
  return { child, done };
};

/** A browser may use the machine meanwhile. */
const START_MS_MAX = 120_000;

const untilReady = async (opsUrl: string): Promise<void> => {
  for (const deadline = Date.now() + START_MS_MAX; Date.now() < deadline; await sleep(100)) {
    const answer = await fetch(`${opsUrl}/readyz`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error("The service did not become ready within two minutes");
};

const runKit = (target: string, environment: NodeJS.ProcessEnv): Promise<string> =>
  run(["vitest", "run", "--config", "conformance/vitest.config.ts"], { ...environment, CONFORMANCE_TARGET: target }, "inherit").done;

const COMANDA_ADMIN = ["node", "server/src/admin/main.ts"];
const comandaAdmin = async (environment: NodeJS.ProcessEnv, ...args: string[]): Promise<object> =>
  JSON.parse(await run([...COMANDA_ADMIN, ...args, "--json"], environment, "pipe").done) as object;

const EVENTS_VENUE = "lab";
const RECEIVER_HOST = "events.test";

/** A sandbox of its own, whose address leads to the kit: other tests read the sandbox of the target as it is on its first day. */
const prepareEvents = async (environment: NodeJS.ProcessEnv, tls: Certificate): Promise<object> => {
  const port = await freePort();
  const { restaurant_id } = (await comandaAdmin(environment, "sandbox", "create", EVENTS_VENUE)) as { restaurant_id: number };
  const address = ["--url", `https://${RECEIVER_HOST}:${port}/`];
  const { secret } = (await comandaAdmin(environment, "webhook", "add", `${EVENTS_VENUE}.sandbox`, ...address)) as { secret: string };
  return { restaurant_id, trigger: [...COMANDA_ADMIN, "sandbox", "trigger", EVENTS_VENUE], receiver: { port, secret, tls } };
};

const runAgainstFreshService = async (): Promise<void> => {
  const database = await openThrowaway("conformance");
  const folder = mkdtempSync(join(tmpdir(), "comanda-conformance-"));
  const [port, opsPort] = await Promise.all([freePort(), freePort()]);
  const rootUrl = `http://127.0.0.1:${port}`;
  const ports = { PORT: String(port), OPS_PORT: String(opsPort) };
  const ENCRYPTION_KEYS = `conformance:${randomBytes(32).toString("base64")}`;
  const environment = { ...process.env, DATABASE_URL: database.appUrl, ...ports, PUBLIC_URL: rootUrl, ENCRYPTION_KEYS, LOG_LEVEL: "warn" };
  const authority = createAuthority();
  const { cert, key } = createCertificate([RECEIVER_HOST], { issuer: authority });
  const service = run(["node", "server/src/main.ts", "api"], environment, "inherit");
  // No setting lets the service send to this machine (open point D179), so the worker is that of tests, whose sender knows the receiver.
  const worker = run(["node", "server/test/support/worker-process.ts"], { ...environment, AUTHORITY: authority.cert }, "pipe");
  const ended = Promise.allSettled([service.done, worker.done]);
  try {
    await untilReady(`http://127.0.0.1:${opsPort}`);
    const demo = await comandaAdmin(environment, "demo");
    const target = join(folder, "target.json");
    writeFileSync(target, JSON.stringify({ ...demo, events: await prepareEvents(environment, { cert, key }) }));
    await runKit(target, environment);
  } finally {
    for (const { child } of [service, worker]) child.kill("SIGTERM");
    await ended;
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const given = process.env.CONFORMANCE_TARGET;
await (given ? runKit(given, process.env) : runAgainstFreshService()).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
