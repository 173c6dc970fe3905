/** Runs the shell blocks of one page as one script, so that later blocks see variables of earlier ones. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, EXPECTED, findShown, ROOT } from "./blocks.ts";
import { PART_HEADER } from "./checking-proxy.ts";
import type { GuideEnvironment } from "./guide-environment.ts";

type Part = { name: string; lines: string[]; shown: string[] };

/** A block is split after each expected output. */
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
 * Commands run in the test's process, which `admin-commands.test.ts` compares with a process of their own. Before a replay all due deliveries are
 * marked as failed, as after nine hours. `owner_allows` fills the placeholder of the code that an owner's consent returns.
 */
const PREAMBLE = `set -euo pipefail
curl() { command curl -H "${PART_HEADER}: $PART" "$@"; }
npm() {
  [ "$1 $2 $3 $4" = "run -s comanda-admin --" ] || { echo "a page may run no other npm command: $*" >&2; return 1; }
  shift 4
  [ "$1 $2" != "webhook replay" ] || node "$ROOT/docs/test/fail-due-deliveries.ts"
  local code
  code=$({ printf '%s\\0' "$PWD" "$#" "$@"; env -0; } | command curl -sS --data-binary @- "$COMMANDS_URL")
  cat "$OUT/.stderr" >&2
  cat "$OUT/.stdout"
  return "$code"
}
owner_allows() { node "$ROOT/docs/test/allow-app.ts" "$CLIENT_ID" "$CHALLENGE" "$STATE"; }
cd "$FOLDER"
`;

/** Replaces the page's address and secrets by those of the environment; a remaining … is a fault. */
export const fillIn = (text: string, { values, rootUrl, opsUrl, receiverUrl }: GuideEnvironment): string => {
  let filled = text
    .replaceAll(/http:\/\/127\.0\.0\.1:4000(?!\d)/g, rootUrl)
    .replaceAll(/http:\/\/127\.0\.0\.1:4001(?!\d)/g, opsUrl)
    .replaceAll("http://localhost:3000", receiverUrl)
    .replaceAll("'svc_ac_…'", '"$(owner_allows)"');
  for (const [shown, value] of Object.entries(values)) filled = filled.replaceAll(shown, value);
  const open = filled.split("\n").find((line) => /…/.test(line.replace(/(^|\s)(#|\/\/) .*$/, "")));
  if (open !== undefined) throw new Error(`there is no value for the … in: ${open}`);
  return filled;
};

const scriptOf = (parts: Part[], environment: GuideEnvironment): string =>
  [PREAMBLE, ...parts.map(({ name, lines }) => `PART=${name}\n{\n${fillIn(lines.join("\n"), environment)}\n:; } >"$OUT/${name}"\n`)].join(
    "\n",
  );

export const statusOf = (shown: string): { status: number | null; text: string } => {
  const [, status, text = ""] = /^([2-5]\d\d)\b\s*(.*)$/.exec(shown) ?? [];
  return status === undefined ? { status: null, text: shown } : { status: Number(status), text };
};

/** Faults of one part: an error that the page does not show, or expected output that is missing. */
const faultsOfPart = ({ name, shown }: Part, environment: GuideEnvironment, out: string): string[] => {
  const calls = environment.calls.filter(({ part }) => part === name);
  const output = readFileSync(join(out, name), "utf8").replaceAll("\r", "");
  const allowed = shown.map(statusOf);
  const faults = calls
    .filter(({ status }) => status >= 400 && !allowed.some((entry) => entry.status === status))
    .map(({ method, path, status }) => `${method} ${path} answered ${status}: ${output.slice(0, 400)}`);
  let from = 0;
  for (const { status, text } of allowed) {
    if (status !== null && !calls.some((call) => call.status === status)) faults.push(`no call answered ${status}`);
    const next = findShown(output, text, from);
    if (next === -1) faults.push(`the page shows "${text}", but the output is: ${output.slice(0, 600)}`);
    else from = next;
  }
  return faults;
};

/** The parts of a page that show `Service-Ignored`: only they may send unknown names. */
export const partsAboutIgnored = (blocks: Block[]): string[] =>
  blocks
    .flatMap(partsOf)
    .filter(({ shown }) => shown.some((line) => line.includes("Service-Ignored: ")))
    .map(({ name }) => name);

export const shellVariables = ({ folder, commandsUrl, variables }: GuideEnvironment): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  COMMANDS_URL: commandsUrl,
  ROOT,
  FOLDER: folder,
  ...variables,
});

/** A script that runs one block and prints the variables afterwards, in its last line. */
export const scriptOfBlock = (text: string, environment: GuideEnvironment): string =>
  `${PREAMBLE}PART=command\n${fillIn(text, environment)}\njq -nc env\n`;

export const runShell = async (blocks: Block[], environment: GuideEnvironment): Promise<string[]> => {
  const parts = blocks.flatMap(partsOf);
  if (parts.length === 0) return [];
  const out = mkdtempSync(join(environment.folder, "shell-"));
  const script = join(out, "guide.sh");
  writeFileSync(script, scriptOf(parts, environment));
  const env = { ...shellVariables(environment), OUT: out };
  const failed = await new Promise<string | null>((resolve) => {
    execFile("bash", [script], { env, timeout: 280_000 }, (error, _stdout, stderr) =>
      resolve(error === null ? null : `${error.message}\n${stderr}`),
    );
  });
  const ran = parts.filter(({ name }) => hasOutput(join(out, name)));
  const faults = ran.flatMap((part) => faultsOfPart(part, environment, out));
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
