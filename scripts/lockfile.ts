/**
 * `npm run lockfile`: completes package-lock.json after `npm install`. A registry that does not show the builds for other systems makes npm
 * leave them out, and `npm ci` then refuses the file on every system. They are written back by name, with the hash of their content where
 * the registry has it.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";

type LockfileEntry = {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};
type Lockfile = { packages: Record<string, LockfileEntry> };

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** Another folder's, when it is named. */
const PATH = new URL(`../${process.argv[2] ?? "."}/package-lock.json`, import.meta.url);
const lockfile = JSON.parse(readFileSync(PATH, "utf8")) as Lockfile;

/** What the name says of the system it is for, so that others skip it. */
const systemOf = (name: string): Pick<LockfileEntry, "os" | "cpu" | "libc"> => {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => words.includes(system) || (system === "win32" && words.includes("windows")));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const libc = name.includes("musl") ? ["musl"] : name.endsWith("-gnu") || name.includes("gnueabihf") ? ["glibc"] : [];
  return {
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(os.length > 0 ? { os } : {}),
    ...(libc.length > 0 && os[0] === "linux" ? { libc } : {}),
  };
};

/** True when the package at `path` finds it: in its own folder, or in one of those around it. */
const isThere = (path: string, name: string): boolean => {
  if (lockfile.packages[`${path === "" ? "" : `${path}/`}node_modules/${name}`]) return true;
  return path !== "" && isThere(path.includes("/node_modules/") ? path.replace(/\/node_modules\/(?!.*\/node_modules\/).*$/, "") : "", name);
};

const missing: [string, LockfileEntry][] = Object.entries(lockfile.packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isThere(path, name))
    .map(([name, version]): [string, LockfileEntry] => [
      `node_modules/${name}`,
      { version: version.replace(/^[^\d]*/, ""), ...systemOf(name), ...(entry.dev ? { dev: true } : {}), optional: true },
    ]),
);
for (const [path, entry] of missing) lockfile.packages[path] = entry;

const askRegistry = async (nameAndVersion: string): Promise<string | null> => {
  const { stdout } = await promisify(execFile)("npm", ["view", nameAndVersion, "dist.integrity"]).catch(() => ({ stdout: "" }));
  return stdout.trim() === "" ? null : stdout.trim();
};

const hashless = Object.entries(lockfile.packages).filter(
  ([path, { link, integrity }]) => path.includes("node_modules/") && !link && integrity === undefined,
);
let hashed = 0;
for (const [path, entry] of hashless) {
  const integrity = await askRegistry(`${path.split("node_modules/").at(-1)}@${entry.version}`);
  if (integrity === null) continue;
  entry.integrity = integrity;
  hashed++;
}
lockfile.packages = Object.fromEntries(Object.entries(lockfile.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(PATH, `${JSON.stringify(lockfile, null, 2)}\n`);
process.stdout.write(`${missing.length} packages for other systems were added.\n`);
process.stdout.write(`${hashed} hashes were added; ${hashless.length - hashed} packages are not shown by this registry.\n`);
