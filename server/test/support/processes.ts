/** Real processes for tests that kill, restart and starve them: servers that share one port, and a Redis of our own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundled } from "./shared-by-files.ts";

/** What to run, and what it writes once it is at work. */
export type Program = { file: string; parameters?: string[]; readySign: string; openFilesMax?: number };

export const API: Program = {
  file: fileURLToPath(new URL("../../src/main.ts", import.meta.url)),
  parameters: ["api"],
  readySign: "Server listening at",
};
/** The API without connection scheduling: first come, first served. */
export const UNSCHEDULED_API: Program = {
  file: fileURLToPath(new URL("./unscheduled-server.ts", import.meta.url)),
  readySign: "Server listening at",
};
/** The API with one of its read layers replaced by what `pg` does by itself. */
export const readVariantApi = (variant: "unbatched" | "in-transactions" | "described"): Program => ({
  file: fileURLToPath(new URL("./read-variant-server.ts", import.meta.url)),
  parameters: [variant],
  readySign: "Server listening at",
});
/** The service's worker, whose sender knows the test's receivers. */
export const WORKER: Program = { file: fileURLToPath(new URL("./worker-process.ts", import.meta.url)), readySign: "working" };

/**
 * The environment of processes that a test starts with their own settings only. Compiled modules are shared, which halves the time of a
 * start.
 */
export const CHILD_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

const START_MS_MAX = 120_000;
const STOP_MS_MAX = 60_000;

const running = new Set<ChildProcess>();
// A test run that dies must not leave its processes behind.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export const spawnUntilExit = (...[command, parameters, options]: Parameters<typeof spawn>): ChildProcess => {
  const child = spawn(command, parameters, options);
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
};

export type ServerProcess = {
  pid: number;
  /** Where it answers /livez, /readyz and /metrics. */
  opsUrl: string;
  isRunning(): boolean;
  /** SIGTERM, and the exit code once it has ended by itself. */
  stop(): Promise<number | null>;
  /** SIGKILL: no chance to tidy up. */
  kill(): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Everything it has written to stdout and stderr. */
  output(): string;
};

export type Fleet = {
  port: number;
  /** One API process at a time has this port, such as for a proxy; each other one has a port of its own. */
  opsPort: number;
  start(environment?: Record<string, string>, program?: Program): Promise<ServerProcess>;
  /** Ends whatever still runs. */
  close(): Promise<void>;
};

/** Servers for one database on one port (SO_REUSEPORT), and the workers beside them. */
export const createFleet = async (databaseUrl: string, shared: Record<string, string> = {}): Promise<Fleet> => {
  const [port, opsPort] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), "comanda-fleet-"));
  const all: ServerProcess[] = [];
  let started = 0;
  let isOpsPortTaken: () => boolean = () => false;
  return {
    port,
    opsPort,
    async start(environment = {}, program = API) {
      const takesOpsPort = program.file === API.file && !isOpsPortTaken();
      if (takesOpsPort) isOpsPortTaken = () => true;
      const settings = {
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        OPS_PORT: String(takesOpsPort ? opsPort : await freePort()),
        REUSE_PORT: "true",
        LOG_LEVEL: "info",
        ...shared,
        ...environment,
      };
      const server = await startServer(program, join(folder, `${started++}.log`), settings);
      all.push(server);
      if (takesOpsPort) isOpsPortTaken = server.isRunning;
      return server;
    },
    async close() {
      await Promise.all(all.map((server) => server.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const startServer = async (program: Program, logFile: string, environment: Record<string, string>): Promise<ServerProcess> => {
  // A file, not a pipe: a busy test must not be able to hold the server up.
  const log = openSync(logFile, "a");
  const command = [process.execPath, await bundled(program.file), ...(program.parameters ?? [])];
  const limit = program.openFilesMax === undefined ? "" : `ulimit -n ${program.openFilesMax} && `;
  const child = spawnUntilExit("sh", ["-c", `${limit}exec "$@"`, "sh", ...command], {
    env: { ...CHILD_ENVIRONMENT, HOST: "127.0.0.1", ...environment },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const output = () => readFileSync(logFile, "utf8");
  // The port is shared, so only the process itself can say that it listens.
  await until(child, () => Promise.resolve(output().includes(program.readySign)), output);
  return {
    pid: child.pid ?? 0,
    opsUrl: `http://127.0.0.1:${environment.OPS_PORT}`,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => end(child, "SIGTERM"),
    kill: async () => void (await end(child, "SIGKILL")),
    signal: (signal) => void child.kill(signal),
    output,
  };
};

export type RedisServer = {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Sends one command in its inline form and waits for the answer. */
  command(text: string): Promise<string>;
};

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Keeps nothing on disk: each start is an empty one. */
export const createRedis = async (): Promise<RedisServer> => {
  const port = await freePort();
  let child: ChildProcess | null = null;
  const redis: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
      const started = spawnUntilExit("redis-server", settings, { cwd: tmpdir(), stdio: "ignore" });
      child = started;
      const answers = async () => (await redis.command("PING").catch(() => "")).startsWith("+PONG");
      await until(started, answers, () => "");
    },
    async stop() {
      if (!child) return;
      child.kill("SIGCONT");
      await end(child, "SIGTERM");
    },
    signal: (signal) => void child?.kill(signal),
    command: (text) => inlineCommand(port, text),
  };
  return redis;
};

const inlineCommand = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${text}\r\n`));
    socket.once("error", reject);
    socket.once("data", (answer) => {
      socket.destroy();
      resolve(answer.toString());
    });
  });

export const until = async (child: ChildProcess, isReady: () => Promise<boolean>, output: () => string): Promise<void> => {
  const name = child.spawnargs.slice(0, 3).join(" ");
  for (const deadline = Date.now() + START_MS_MAX; Date.now() < deadline; await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${output()}`);
    if (await isReady()) return;
  }
  child.kill("SIGKILL");
  throw new Error(`${name} was not ready within ${START_MS_MAX / 1000} s:\n${output()}`);
};

export const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const tooLate = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
  const code = await ended;
  clearTimeout(tooLate);
  return code;
};

const PORT_MIN = 20_000;
const PORT_COUNT = 12_000;

/**
 * Below the ports for outgoing connections: a client that keeps calling a server that is down would otherwise be
 * given the very port it calls sooner or later, and talk to itself.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = PORT_MIN + randomInt(PORT_COUNT);
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
