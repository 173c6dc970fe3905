/** The command keeps its files by the XDG rules, and writes them so: whole or not at all, readable by their owner only. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { CommandError, EXIT } from "./errors.ts";

/** A relative path is ignored, as the XDG rules ask. */
const folderOf = (variable: "XDG_CONFIG_HOME" | "XDG_STATE_HOME", fallback: string): string => {
  const given = process.env[variable] ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), fallback), "comanda");
};

export const configFolder = (): string => folderOf("XDG_CONFIG_HOME", ".config");
export const stateFolder = (): string => folderOf("XDG_STATE_HOME", ".local/state");

/** The file is on the disk before it gets its name, so that a power cut leaves the one before. */
export const writePrivateFile = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}.new`;
  const file = openSync(beside, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
};

/** Null when there is no file. */
export const readJsonFile = (path: string): Record<string, unknown> | null => {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // The error below names the file.
  }
  throw new CommandError(EXIT.failed, `${path} is damaged. Delete it and run the command again.`);
};
