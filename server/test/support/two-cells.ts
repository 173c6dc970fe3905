/** Two cells, each with a database and processes of its own, and the real proxy in front of them. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { type CellProcess, type ProxyFiles, writeProxyFiles } from "../../../cells/src/proxy-config.ts";
import { forVenue } from "../../src/admin/command-context.ts";
import { importVenue } from "../../src/compose/import-venue.ts";
import { readConfig } from "../../src/config.ts";
import { type Deps, openDeps, openLog } from "../../src/deps.ts";
import { openThrowaway } from "../../src/dev/throwaway.ts";
import { createToken } from "../../src/platform/programs/tokens/service.ts";
import { cloneDatabase, openTestDatabase, type TestDatabase } from "./database.ts";
import { createFleet, end, type Fleet, freePort, spawnUntilExit, until } from "./processes.ts";
import { readSample, type SampleName, type TestVenue } from "./test-app.ts";

export const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

export const hasProxy = spawnSync("haproxy", ["-v"]).status === 0;

export type TestCell = {
  number: number;
  database: TestDatabase;
  deps: Deps;
  fleet: Fleet;
  venue(sample: SampleName, changes?: (file: VenueFile) => void): Promise<TestVenue>;
  token(slug: string): Promise<string>;
  close(): Promise<void>;
};

const UNLIMITED = 100_000_000;

/** Cell 0 is in the server that all tests share; any other has a server of its own. */
const databaseOf = async (cell: number): Promise<TestDatabase> => {
  if (cell === 0) return cloneDatabase();
  const { close, ...urls } = await openThrowaway(`cell${cell}`, { cell });
  return openTestDatabase(urls, close);
};

export const openCell = async (number: number, environment: Record<string, string> = {}): Promise<TestCell> => {
  const database = await databaseOf(number);
  const settings = {
    CELL: String(number),
    ENCRYPTION_KEYS,
    UNAUTHENTICATED_RATE_PER_MINUTE: "1000000",
    OAUTH_RATE_PER_MINUTE: "100000",
    TRUSTED_PROXIES: "127.0.0.1",
    SHUTDOWN_GRACE_MS: "0",
    ...environment,
  };
  const config = readConfig({ DATABASE_URL: database.appUrl, LOG_LEVEL: "fatal", ...settings });
  const deps = await openDeps(config, { log: openLog(config.logLevel) });
  const fleet = await createFleet(database.appUrl, settings);
  const token = (slug: string) =>
    forVenue(deps, slug, async (ctx) => {
      const wanted = { kind: "api", name: "test", scopes: ALL_SCOPES as Scope[], ratePerMinute: UNLIMITED, expiresAt: null } as const;
      return (await createToken(ctx, wanted)).token;
    });
  return {
    number,
    database,
    deps,
    fleet,
    token,
    async venue(name, changes) {
      const file = readSample(name);
      changes?.(file);
      const { slug, restaurant_id } = await importVenue(deps, file);
      return { slug, id: restaurant_id, token: await token(slug) };
    },
    async close() {
      await fleet.close();
      await deps.close();
      await database.drop();
    },
  };
};

export type TestProxy = {
  port: number;
  socket: string;
  folder: string;
  /** As an operator does it: another process reads the files and takes over, and this one ends. */
  reload(): Promise<void>;
  stop(): Promise<void>;
  /** Over its own socket. */
  command(text: string): Promise<string>;
  movedMap(): Promise<string>;
};

/** `planted` changes what was written before the proxy reads it. `pem` is a certificate with its key: the proxy then listens for TLS. */
export const startProxy = async (
  cells: readonly CellProcess[],
  planted: (files: ProxyFiles) => ProxyFiles = (files) => files,
  pem: string | null = null,
): Promise<TestProxy> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "comanda-proxy-"));
  const socket = join(folder, "admin.sock");
  const certificate = pem === null ? null : join(folder, "proxy.pem");
  if (certificate !== null) writeFileSync(certificate, pem ?? "");
  const wanted = { cells, bind: `127.0.0.1:${port}`, defaultCell: 0, folder, certificate, socket };
  for (const [name, text] of Object.entries(planted(writeProxyFiles(wanted)))) writeFileSync(join(folder, name), text);
  // HAProxy listens on its port before it creates the socket file, so a failed connection means "not ready yet".
  const probe = (text: string): Promise<string> => command(socket, text).catch(() => "");
  const start = async (...more: string[]): Promise<ChildProcess> => {
    const started = spawnUntilExit("haproxy", ["-db", "-f", join(folder, "haproxy.cfg"), ...more], { stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    started.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await until(
      started,
      async () =>
        (await answers(port)) &&
        // The process that it takes over from still answers, so the process id must be the new one.
        (await probe("show info")).includes(`Pid: ${started.pid}\n`) &&
        (await probe("show servers state")).split("\n").filter((line) => / 2 0 1 /.test(line)).length > 0,
      () => output,
    );
    return started;
  };
  let child = await start();
  return {
    port,
    socket,
    folder,
    async reload() {
      const before = child;
      child = await start("-sf", String(before.pid));
      await end(before, "SIGTERM");
    },
    async stop() {
      await end(child, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
    command: (text) => command(socket, text),
    movedMap: () => command(socket, `show map ${join(folder, "moved.map")}`),
  };
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(port, "127.0.0.1", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });

const command = (socket: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const line = connect(socket, () => line.end(`${text}\n`));
    line.on("data", (part) => (answer += part.toString()));
    line.once("error", reject);
    line.once("close", () => resolve(answer));
  });

export const cellAt = ({ number, fleet }: TestCell): CellProcess => ({
  number,
  address: `127.0.0.1:${fleet.port}`,
  opsPort: fleet.opsPort,
});
