/** The Dockerfile carried out without an engine: each stage is a folder, RUN is a shell in it, COPY is a copy. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

export type Instruction = { name: string; rest: string };
export type Stage = { as: string; image: string; instructions: Instruction[] };

export const stagesOf = (dockerfile: string): Stage[] => {
  const stages: Stage[] = [];
  for (const line of dockerfile.replaceAll("\\\n", " ").split("\n")) {
    const [, name, rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === undefined) continue;
    if (name === "FROM") {
      const [image = "", , as = ""] = rest.split(/\s+/);
      stages.push({ as, image, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
};

/** What stands in .dockerignore never reaches an engine. */
const ignored = (project: string): ((path: string) => boolean) => {
  const lines = readFileSync(join(project, ".dockerignore"), "utf8").split("\n").filter(Boolean);
  const patterns = lines.map(
    (line) =>
      new RegExp(
        `^${line
          .replaceAll(".", "\\.")
          .replaceAll("**/", "(.*/)?")
          .replaceAll(/(?<!\.)\*/g, "[^/]*")}(/|$)`,
      ),
  );
  return (path) => patterns.some((pattern) => pattern.test(path));
};

type Copying = { from: string; into: string; isIgnored: (path: string) => boolean };

const copy = ({ from, into, isIgnored }: Copying, name: string, to: string): void => {
  const target = to.endsWith("/") ? join(into, to, basename(name)) : join(into, to);
  mkdirSync(dirname(target), { recursive: true });
  const filter = (source: string) => !isIgnored(source.slice(from.length + 1));
  if (basename(name) === "node_modules") linkFiles(join(from, name), target);
  else cpSync(join(from, name), target, { recursive: true, verbatimSymlinks: true, filter });
};

/** Every folder with packages of its own. */
const WORKSPACES = [".", "contract", "server", "cells", "console", "conformance", "sdk"];
/** npm's own list. It rewrites it in place. */
const LIST = ".package-lock.json";

/** What a folder of packages holds, scopes opened; caches of tests and builds begin with a dot, but so do the commands and the list. */
const entriesOf = (source: string): string[] =>
  readdirSync(source).flatMap((name) => {
    if (name === ".bin" || name === LIST) return [name];
    if (name.startsWith(".")) return [];
    return name.startsWith("@") ? readdirSync(join(source, name)).map((inScope) => join(name, inScope)) : [name];
  });

/**
 * The libraries are those that are installed here: they come from the same lockfile. Each is a link, because a copy of all packages takes
 * most of this test's time. Our own packages are links already, to the folders of the stage.
 */
const install = (project: string, folder: string): void => {
  for (const place of WORKSPACES) {
    const [source, target] = [join(project, place, "node_modules"), join(folder, place, "node_modules")];
    if (!existsSync(source)) continue;
    for (const name of entriesOf(source)) {
      const [from, to] = [join(source, name), join(target, name)];
      mkdirSync(dirname(to), { recursive: true });
      if (name.startsWith(".") || lstatSync(from).isSymbolicLink()) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
      else symlinkSync(from, to);
    }
  }
};

type Installed = { packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean }> };

/** Files are linked where the file system allows it. */
const linkFiles = (from: string, to: string, isWanted: (name: string) => boolean = () => true): void => {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!isWanted(entry.name)) continue;
    if (entry.isDirectory()) linkFiles(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
};

const linkFile = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
};

/** What `npm prune` works on: each package that it must keep is whole, and of each that it must remove there is the description. */
const prepareToPrune = (project: string, folder: string): void => {
  const list = JSON.parse(readFileSync(join(project, "node_modules", LIST), "utf8")) as Installed;
  const kept = Object.entries(list.packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  for (const place of WORKSPACES) {
    const packages = join(folder, place, "node_modules");
    if (!existsSync(packages)) continue;
    for (const name of entriesOf(packages)) if (isLinkTo(project, join(packages, name))) rmSync(join(packages, name));
  }
  for (const [path, { dev, optional, devOptional }] of kept) {
    const [from, to] = [join(project, path), join(folder, path)];
    const isRemoved = dev === true || optional === true || devOptional === true;
    linkFiles(from, to, (name) => (isRemoved ? name === "package.json" : name !== "node_modules"));
  }
};

const isLinkTo = (project: string, path: string): boolean =>
  lstatSync(path).isSymbolicLink() && readlinkSync(path).startsWith(join(project, "/"));

/** The parts of `npm run build` that take long, with what they build. */
const LONG_BUILDS = new Map([
  ["vite build console --logLevel warn", "console"],
  ["node docs/site/build.ts", "docs/site"],
]);

/**
 * What the checkout has built already is linked, after everything that this part of the build reads is found in the stage. The long form, and a
 * checkout that is not built, build in the stage.
 */
const runBuild = (project: string, folder: string): void => {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { scripts: { build: string } };
  const env = { ...process.env, PATH: `${join(folder, "node_modules/.bin")}:${process.env.PATH}` };
  for (const part of scripts.build.split(" && ")) {
    const built = LONG_BUILDS.get(part);
    if (built === undefined || process.env.TEST_STRESS || !existsSync(join(project, built, "dist")))
      execFileSync("sh", ["-c", part], { cwd: folder, env, stdio: "pipe" });
    else {
      execFileSync(process.execPath, [join(import.meta.dirname, "build-inputs.ts"), built], { cwd: folder, stdio: "pipe" });
      linkFiles(join(project, built, "dist"), join(folder, built, "dist"));
    }
  }
};

/** Gives back the folder of the last stage, which is what an image would hold. */
export const followRecipe = (project: string, root: string, dockerfile: string): string => {
  chmodSync(root, 0o755);
  const folders = new Map<string, string>();
  let folder = "";
  for (const { as, instructions } of stagesOf(dockerfile)) {
    folder = join(root, as || "final");
    folders.set(as, folder);
    mkdirSync(folder);
    for (const { name, rest } of instructions) {
      if (name === "RUN" && rest.startsWith("npm ci")) install(project, folder);
      else if (name === "RUN" && rest === "npm run build") runBuild(project, folder);
      else if (name === "RUN") {
        if (rest.startsWith("npm prune")) prepareToPrune(project, folder);
        execFileSync("sh", ["-c", rest], { cwd: folder, stdio: "pipe" });
      }
      if (name !== "COPY") continue;
      const words = rest.split(/\s+/);
      const stage = words[0]?.startsWith("--from=") ? words.shift()?.slice("--from=".length) : undefined;
      const to = words.pop() ?? "";
      const from = stage === undefined ? project : (folders.get(stage) ?? "");
      const copying = { from, into: folder, isIgnored: stage === undefined ? ignored(project) : () => false };
      for (const word of words) copy(copying, word.replace(/^\/app\//, ""), to);
    }
  }
  return folder;
};
