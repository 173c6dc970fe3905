/** What this program is, and how its user calls it. */
import { readFileSync } from "node:fs";

/** The compiled files and these are both in a folder beside the package's manifest. */
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };

export const VERSION = manifest.version;

/** What to type in front of a command: npx sets the variable. By the package's name, because without it npx may fetch another's package. */
export const PROGRAM = process.env.npm_command === "exec" ? "npx @comanda/cli" : "comanda";
