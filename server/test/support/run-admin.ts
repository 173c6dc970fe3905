/** Runs commands of `comanda-admin` inside the test's own process, which takes a tenth of the time of a process of their own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { addCommands } from "../../src/admin/commands.ts";
import { explain } from "../../src/lib/described-error.ts";
import { bundled } from "./shared-by-files.ts";

export type AdminRun = { code: number; stdout: string; stderr: string };

const MAIN = fileURLToPath(new URL("../../src/admin/main.ts", import.meta.url));

type StreamWrite = typeof process.stdout.write;

let last: Promise<unknown> = Promise.resolve();

/** One after the other: they share what a process has once, its environment and its output. */
export const comandaAdmin = (args: readonly string[], environment: Record<string, string>): Promise<AdminRun> => {
  const outcome = last.then(() => runHere(args, environment));
  last = outcome.catch(() => undefined);
  return outcome;
};

const runHere = async (args: readonly string[], environment: Record<string, string>): Promise<AdminRun> => {
  const outcome: AdminRun = { code: 0, stdout: "", stderr: "" };
  const [kept, writes] = [process.env, [process.stdout.write, process.stderr.write] as const];
  const into =
    (stream: "stdout" | "stderr"): StreamWrite =>
    (chunk: string | Uint8Array) => {
      outcome[stream] += chunk.toString();
      return true;
    };
  process.env = { ...kept, ...environment };
  process.stdout.write = into("stdout");
  process.stderr.write = into("stderr");
  try {
    await addCommands(new Command("comanda-admin").exitOverride()).parseAsync(args, { from: "user" });
  } catch (error) {
    // The parser has written its sentence itself.
    if (!(error instanceof CommanderError)) outcome.stderr += explain(error);
    outcome.code = error instanceof CommanderError ? error.exitCode : 1;
  } finally {
    process.env = kept;
    [process.stdout.write, process.stderr.write] = writes;
  }
  return outcome;
};

/** As a person or a script runs it. */
export const comandaAdminProcess = async (args: readonly string[], environment: Record<string, string>): Promise<AdminRun> => {
  const main = await bundled(MAIN);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...environment } });
    const outcome: AdminRun = { code: 0, stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (outcome.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (outcome.stderr += chunk.toString()));
    child.on("close", (code) => resolve({ ...outcome, code: code ?? 1 }));
  });
};
