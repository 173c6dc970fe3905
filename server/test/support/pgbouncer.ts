/** The real pgbouncer in front of the tests' PostgreSQL. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { end, freePort, spawnUntilExit, until } from "./processes.ts";

export const hasPgbouncer = spawnSync("pgbouncer", ["--version"]).status === 0;

/** It refuses to run as root. */
const UNPRIVILEGED_ID = 65_534;

export type Pgbouncer = {
  /** Returns the address of the pooler for this database. */
  through(url: string): string;
  stop(): Promise<void>;
};

export const startPgbouncer = async (url: string, settings: Record<string, string | number>): Promise<Pgbouncer> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "comanda-pgbouncer-"));
  const { hostname, port: serverPort, username, password } = new URL(url);
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: join(folder, "users.txt"),
    max_client_conn: 200,
    default_pool_size: 50,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(join(folder, "users.txt"), `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    ["[databases]", `* = host=${hostname} port=${serverPort}`, "[pgbouncer]", ...lines, ""].join("\n"),
  );
  chmodSync(folder, 0o755);
  const asRoot = process.getuid?.() === 0;
  if (asRoot) for (const name of ["", "users.txt", "pgbouncer.ini"]) chownSync(join(folder, name), UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  const child = spawnUntilExit("pgbouncer", [join(folder, "pgbouncer.ini")], {
    ...(asRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await until(
    child,
    () => answers(port),
    () => output,
  );
  return {
    through: (direct) => {
      const through = new URL(direct);
      through.host = `127.0.0.1:${port}`;
      return through.href;
    },
    async stop() {
      await end(child, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
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
