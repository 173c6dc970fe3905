/** `npm run conformance`: a fresh service on a fresh database, and the kit against it; or against CONFORMANCE_TARGET. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openThrowaway } from "../server/src/dev/throwaway.ts";

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

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const untilReady = async (opsUrl: string): Promise<void> => {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await fetch(`${opsUrl}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error("The service did not become ready within 20 seconds");
};

const runKit = (target: string): Promise<string> =>
  run(["vitest", "run", "--config", "conformance/vitest.config.ts"], { ...process.env, CONFORMANCE_TARGET: target }, "inherit").done;

const runAgainstFreshService = async (): Promise<void> => {
  const database = await openThrowaway("conformance");
  const folder = mkdtempSync(join(tmpdir(), "comanda-conformance-"));
  const [port, opsPort] = await Promise.all([freePort(), freePort()]);
  const rootUrl = `http://127.0.0.1:${port}`;
  const ports = { PORT: String(port), OPS_PORT: String(opsPort) };
  const environment = { ...process.env, DATABASE_URL: database.appUrl, ...ports, PUBLIC_URL: rootUrl, LOG_LEVEL: "warn" };
  const service = run(["node", "server/src/main.ts"], environment, "inherit");
  try {
    await untilReady(`http://127.0.0.1:${opsPort}`);
    const target = join(folder, "target.json");
    writeFileSync(target, await run(["node", "server/src/cli/main.ts", "demo", "--json"], environment, "pipe").done);
    await runKit(target);
  } finally {
    service.child.kill("SIGTERM");
    await service.done.catch(() => undefined);
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const given = process.env.CONFORMANCE_TARGET;
await (given ? runKit(given) : runAgainstFreshService()).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
