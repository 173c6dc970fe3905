/** The Dockerfile carried out without an engine: each stage is a folder, RUN is a shell in it, COPY is a copy. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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
  cpSync(join(from, name), target, { recursive: true, verbatimSymlinks: true, filter });
};

/** Written by tests and builds, never by `npm ci`. */
const CACHES = [".cache", ".vite", ".vite-temp", ".vitest-cache"];

/**
 * The libraries are those that are installed here: they come from the same lockfile. They are linked where the file system allows it,
 * because a copy of all packages takes most of this test's time. npm rewrites its own list in place, so that one file is copied.
 */
const install = (project: string, folder: string): void => {
  for (const place of [".", "contract", "server", "cells", "console", "conformance", "sdk"]) {
    const [source, target] = [join(project, place, "node_modules"), join(folder, place, "node_modules")];
    if (!existsSync(source)) continue;
    if (spawnSync("cp", ["--archive", "--link", source, target]).status !== 0) {
      rmSync(target, { recursive: true, force: true });
      cpSync(source, target, { recursive: true, verbatimSymlinks: true });
    }
    for (const cache of CACHES) rmSync(join(target, cache), { recursive: true, force: true });
    const list = ".package-lock.json";
    if (!existsSync(join(source, list))) continue;
    rmSync(join(target, list));
    cpSync(join(source, list), join(target, list));
  }
};

/** Gives back the folder of the last stage, which is what an image would hold. */
export const followRecipe = (project: string): string => {
  const root = mkdtempSync(join(tmpdir(), "comanda-image-"));
  chmodSync(root, 0o755);
  const folders = new Map<string, string>();
  let folder = "";
  for (const { as, instructions } of stagesOf(readFileSync(join(project, "Dockerfile"), "utf8"))) {
    folder = join(root, as || "final");
    folders.set(as, folder);
    mkdirSync(folder);
    for (const { name, rest } of instructions) {
      if (name === "RUN" && rest.startsWith("npm ci")) install(project, folder);
      else if (name === "RUN") execFileSync("sh", ["-c", rest], { cwd: folder, stdio: "pipe" });
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
