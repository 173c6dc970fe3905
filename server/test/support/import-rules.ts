/** Rules about source files that no linter knows. `scripts/import-rules.ts` has the rules about imports. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { placeOf } from "../../../scripts/groups.ts";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export type SourceFile = { path: string; text: string };

export const sourceFiles = (folder: string): SourceFile[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("node_modules") && !path.includes(".generated."))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(ROOT, folder, path), "utf8") }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

/** Modules that have a file. */
export const modulesWithFiles = (files: readonly SourceFile[]): string[] => [
  ...new Set(files.flatMap(({ path }) => placeOf(path)?.module ?? [])),
];

/** Files in platform/ and venue/ that are not one of a module's files. */
export const strayFiles = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => /^server\/src\/(platform|venue)\//.test(path) && !path.endsWith(".test.ts") && placeOf(path) === null)
    .map(({ path }) => `${path} is not a file of a module in scripts/groups.ts`);

/** Code that creates a sender without the switch in compose/outbound-switch.ts. */
export const straySenders = (files: readonly SourceFile[]): string[] =>
  files
    .filter(
      ({ path, text }) =>
        /\bcreate(Sender|MessageSender)\(/.test(text) && path !== "server/src/compose/outbound-switch.ts" && !path.endsWith(".test.ts"),
    )
    .map(({ path }) => `${path} creates a sender that does not ask whether sending is on`);

/** Parts of the contract that bring no schema library into the browser. */
const PLAIN_CONTRACT = [
  "sandbox-slug.ts",
  "scopes.ts",
  "event-samples.ts",
  "change-areas.ts",
  "digits.ts",
  "minor.ts",
  "guest-kinds.ts",
  "gift-card-codes.ts",
  "checked-codes.ts",
  "pairing-codes.ts",
  "review-limits.ts",
  "stock-kinds.ts",
  "shift-limits.ts",
  "experience-limits.ts",
  "allergens.ts",
  "request-log-days.ts",
];

/** The console imports from other workspaces only types and plain tables of the contract. */
export const foreignImports = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => !path.endsWith(".test.ts"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:^|\n)(import|export)( type)?[^;]*?from "([^"]+)"/g)]
        .filter(([, , isType, target = ""]) => {
          if (target.startsWith(".")) return !join("/", dirname(path), target).startsWith("/console/src/");
          if (!target.startsWith("@comanda/")) return false;
          return !target.startsWith("@comanda/contract/") || !(isType || PLAIN_CONTRACT.some((name) => target.endsWith(`/${name}`)));
        })
        .map(([, , , target]) => `${path} must not import ${target}`),
    );

/** Rules decide from their arguments: no clock, no randomness, no environment, no I/O. */
export const impureRules = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => /\/rules(\/[\w-]+)?\.ts$/.test(path))
    .filter(({ text }) => /Date\.now\(|new Date\(\)|Math\.random|process\.env|\bawait\b|node:/.test(text))
    .map(({ path }) => `${path} is not pure`);

/** A service that opens a transaction cannot be combined with another service in one commit. */
export const nestedTransactions = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => /\/(present|venue-file|(service|store|rules)(\/[\w-]+)?)\.ts$/.test(path))
    .filter(({ text }) => /\btransaction\(|\binGlobalTransaction\(|\bwithTenant\(|\bbegin\b.*;|openPool|\btenantDb\(/.test(text))
    .map(({ path }) => `${path} opens a transaction`);
