/** The shell blocks of one page as one script, so that later blocks know what earlier ones have set. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, EXPECTED, findShown, ROOT } from "./blocks.ts";
import type { House } from "./house.ts";
import { PART_HEADER } from "./witness.ts";

/** The same commands are started again and again: what was compiled once starts a third faster. */
const COMPILED = join(ROOT, ".comanda", "guides-compiled");

type Part = { name: string; lines: string[]; shown: string[] };

/** A block is cut behind each output that it shows. */
const partsOf = (block: Block): Part[] => {
  const parts: Part[] = [];
  let part: Part | null = null;
  for (const line of block.text.split("\n")) {
    const shown = EXPECTED.exec(line)?.[1];
    if (shown !== undefined) part?.shown.push(shown);
    else {
      if (part === null || part.shown.length > 0) {
        part = { name: `${block.line}-${parts.length}`, lines: [], shown: [] };
        parts.push(part);
      }
      part.lines.push(line);
    }
  }
  return parts;
};

/**
 * Commands are run without npm between them: it would only start the same thing more slowly. Before a replay the hours pass in which
 * a delivery fails. The owner's browser stands behind the one placeholder that only an owner can fill.
 */
const PREAMBLE = `set -euo pipefail
curl() { command curl -H "${PART_HEADER}: $PART" "$@"; }
npm() {
  [ "$1 $2 $3 $4" = "run -s comanda --" ] || { echo "a page may run no other npm command: $*" >&2; return 1; }
  shift 4
  [ "$1 $2" != "webhook replay" ] || node "$ROOT/docs/test/give-up.ts"
  node "$ROOT/server/src/cli/main.ts" "$@"
}
owner_allows() { node "$ROOT/docs/test/owner.ts" "$CLIENT_ID" "$CHALLENGE" "$STATE"; }
cd "$FOLDER"
`;

/** The reader's own address and secrets in place of the page's; what is left open after that cannot be run. */
export const fillIn = (text: string, { values, rootUrl, opsUrl }: House): string => {
  let filled = text
    .replaceAll("http://127.0.0.1:4000", rootUrl)
    .replaceAll("http://127.0.0.1:4001", opsUrl)
    .replaceAll("'svc_ac_…'", '"$(owner_allows)"');
  for (const [shown, value] of Object.entries(values)) filled = filled.replaceAll(shown, value);
  const open = filled.split("\n").find((line) => /…/.test(line.replace(/(^|\s)(#|\/\/) .*$/, "")));
  if (open !== undefined) throw new Error(`there is no value for the … in: ${open}`);
  return filled;
};

const scriptOf = (parts: Part[], house: House): string =>
  [PREAMBLE, ...parts.map(({ name, lines }) => `PART=${name}\n{\n${fillIn(lines.join("\n"), house)}\n:; } >"$OUT/${name}"\n`)].join("\n");

const statusOf = (shown: string): { status: number | null; text: string } => {
  const [, status, text = ""] = /^([2-5]\d\d)\b\s*(.*)$/.exec(shown) ?? [];
  return status === undefined ? { status: null, text: shown } : { status: Number(status), text };
};

/** What is wrong with one part: a refusal that the page does not show, or something shown that did not come. */
const faultsOfPart = ({ name, shown }: Part, house: House, out: string): string[] => {
  const calls = house.seen.filter(({ part }) => part === name);
  const output = readFileSync(join(out, name), "utf8").replaceAll("\r", "");
  const allowed = shown.map(statusOf);
  const faults = calls
    .filter(({ status }) => status >= 400 && !allowed.some((entry) => entry.status === status))
    .map(({ method, path, status }) => `${method} ${path} answered ${status}: ${output.slice(0, 400)}`);
  let from = 0;
  for (const { status, text } of allowed) {
    if (status !== null && !calls.some((call) => call.status === status)) faults.push(`no call answered ${status}`);
    const next = findShown(output, text, from);
    if (next === -1) faults.push(`the page shows "${text}", but what came is: ${output.slice(0, 600)}`);
    else from = next;
  }
  return faults;
};

/** The parts of a page that are about what the service does not know: only there may a page send such a thing. */
export const partsAboutIgnored = (blocks: Block[]): string[] =>
  blocks
    .flatMap(partsOf)
    .filter(({ shown }) => shown.some((line) => line.includes("Service-Ignored: ")))
    .map(({ name }) => name);

export const runShell = async (blocks: Block[], house: House): Promise<string[]> => {
  const parts = blocks.flatMap(partsOf);
  if (parts.length === 0) return [];
  const out = mkdtempSync(join(house.folder, "shell-"));
  const script = join(out, "guide.sh");
  writeFileSync(script, scriptOf(parts, house));
  const environment = { PATH: process.env.PATH, HOME: house.folder, NODE_COMPILE_CACHE: COMPILED, ROOT, OUT: out, FOLDER: house.folder };
  const failed = await new Promise<string | null>((resolve) => {
    execFile("bash", [script], { env: { ...environment, ...house.environment }, timeout: 110_000 }, (error, _stdout, stderr) =>
      resolve(error === null ? null : `${error.message}\n${stderr}`),
    );
  });
  const ran = parts.filter(({ name }) => hasOutput(join(out, name)));
  const faults = ran.flatMap((part) => faultsOfPart(part, house, out));
  return failed === null ? faults : [...faults, `ended in the block part ${ran.at(-1)?.name}: ${failed}`];
};

const hasOutput = (path: string): boolean => {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
};
