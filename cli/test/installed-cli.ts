/** The built command beside the built SDK, as a package manager installs them, and its runs as processes. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSC = join(ROOT, "node_modules/.bin/tsc");

/** A place in a built file, and what is written there instead. */
export type BuiltFault = { file: string; from: string; to: string };
export type CommandOutcome = { code: number | null; stdout: string; stderr: string };

export type InstalledCli = {
  folder: string;
  /** The packages as they will be packed. */
  packages: { sdk: string; cli: string };
  /** A copy with a fault in it; returns its main file. */
  withFault(fault: BuiltFault): string;
  main: string;
  /** A folder for PATH with `comanda` in it. */
  programs: string;
  remove(): void;
};

const run = async (command: string, parameters: string[], cwd: string): Promise<void> => {
  await promisify(execFile)(command, parameters, { cwd, timeout: 250_000 }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${command} failed: ${`${error.stdout}${error.stderr}`.slice(0, 2000)}`);
  });
};

/** The build has a folder of its own: another file of tests may build at the same moment. */
export const buildCli = async (folder: string): Promise<InstalledCli["packages"]> => {
  const [sdk, cli] = [join(folder, "node_modules/@comanda/sdk"), join(folder, "node_modules/@comanda/cli")];
  for (const [name, place] of [
    ["sdk", sdk],
    ["cli", cli],
  ] as const) {
    mkdirSync(place, { recursive: true });
    for (const file of ["package.json", "README.md", "LICENSE"]) cpSync(join(ROOT, name, file), join(place, file));
  }
  await run(TSC, ["-p", join(ROOT, "sdk"), "--outDir", join(sdk, "dist")], ROOT);
  // The sources beside the built SDK, so that its types are those that are published.
  const stage = join(folder, "stage");
  cpSync(join(ROOT, "cli/src"), join(stage, "src"), { recursive: true });
  cpSync(join(cli, "package.json"), join(stage, "package.json"));
  const compilerOptions = { rootDir: "src", outDir: join(cli, "dist"), typeRoots: [join(ROOT, "node_modules/@types")] };
  writeFileSync(
    join(stage, "tsconfig.json"),
    JSON.stringify({ extends: join(ROOT, "cli/tsconfig.build.json"), compilerOptions, include: ["src"] }),
  );
  await run(TSC, ["-p", stage], stage);
  rmSync(stage, { recursive: true });
  chmodSync(join(cli, "dist/main.js"), 0o755);
  return { sdk, cli };
};

export const installCli = async (): Promise<InstalledCli> => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-cli-"));
  const packages = await buildCli(folder);
  const [main, programs] = [join(packages.cli, "dist/main.js"), join(folder, "programs")];
  mkdirSync(programs);
  symlinkSync(main, join(programs, "comanda"));
  return {
    folder,
    packages,
    main,
    programs,
    withFault({ file, from, to }) {
      const place = mkdtempSync(join(folder, "planted-"));
      cpSync(packages.cli, join(place, "cli"), { recursive: true });
      mkdirSync(join(place, "node_modules/@comanda"), { recursive: true });
      symlinkSync(packages.sdk, join(place, "node_modules/@comanda/sdk"));
      const path = join(place, "cli/dist", file);
      const text = readFileSync(path, "utf8");
      expect(text).toContain(from);
      writeFileSync(path, text.replace(from, to));
      return join(place, "cli/dist/main.js");
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** One person's machine: where login and positions are stored. */
export type Machine = { home: string; environment: Record<string, string> };

export const newMachine = (folder: string): Machine => {
  const home = mkdtempSync(join(folder, "machine-"));
  return { home, environment: { PATH: process.env.PATH ?? "", HOME: home } };
};

type CommandOptions = { input?: string; environment?: Record<string, string>; program?: string };

/** A command that ends by itself. */
export const runCommand = (main: string, { environment }: Machine, args: string[], options: CommandOptions = {}): Promise<CommandOutcome> =>
  new Promise((resolve) => {
    const child = execFile(
      options.program ?? process.execPath,
      [main, ...args],
      { env: { ...environment, ...options.environment }, timeout: 60_000, killSignal: "SIGKILL" },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end(options.input ?? "");
  });

const EACH = `
const [commands, list] = process.argv.slice(2);
const { runCommand } = await import(commands);
const outcomes = [];
for (const args of JSON.parse(list)) {
  const outcome = { code: null, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) process[name].write = (text) => Boolean((outcome[name] += text));
  outcomes.push(Object.assign(outcome, { code: await runCommand(args) }));
  for (const name of ["stdout", "stderr"]) delete process[name].write;
}
process.stdout.write(JSON.stringify(outcomes));
`;

/** Commands that end by themselves, one after the other in one process: the start of a process takes longer than they do. */
export const runEach = async (main: string, machine: Machine, list: readonly string[][]): Promise<CommandOutcome[]> => {
  const program = join(machine.home, "each.mjs");
  writeFileSync(program, EACH);
  const { stdout, stderr } = await runCommand(program, machine, [join(dirname(main), "commands.js"), JSON.stringify(list)]);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as CommandOutcome[];
};

export type RunningCommand = {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<number | null>;
};

/** A command that runs until a signal. */
export const startCommand = (main: string, { environment }: Machine, args: string[], program = process.execPath): RunningCommand => {
  const child = spawn(program, [main, ...args], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
  return { child, stdout: () => output, stderr: () => errors, ended };
};
