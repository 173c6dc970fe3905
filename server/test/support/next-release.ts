/** The release that comes next: a copy of the server with more migrations, whose `comanda-admin` a test runs like an operator. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHILD_ENVIRONMENT } from "./processes.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export type MigrationRun = { code: number | null; output: string; seconds: number };

export type NextRelease = { migrate(ownerUrl: string): Promise<MigrationRun>; remove(): void };

/** Migrations by their file names. */
export const prepareRelease = (migrations: Record<string, string>): NextRelease => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-release-"));
  mkdirSync(join(folder, "server"));
  for (const part of ["server/src", "server/package.json", "cells/src", "cells/package.json"])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const [name, sql] of Object.entries(migrations)) writeFileSync(join(folder, "server/src/db/migrations", name), sql);
  return {
    migrate: (ownerUrl) =>
      new Promise((resolve) => {
        const [begin, parts] = [performance.now(), [] as Buffer[]];
        const environment = { ...CHILD_ENVIRONMENT, MIGRATION_DATABASE_URL: ownerUrl };
        const child = spawn(process.execPath, [join(folder, "server/src/admin/main.ts"), "migrate"], { env: environment });
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => parts.push(part));
        child.once("close", (code) =>
          resolve({ code, output: Buffer.concat(parts).toString(), seconds: (performance.now() - begin) / 1000 }),
        );
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
