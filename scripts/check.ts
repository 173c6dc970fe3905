/** `npm run check`: types, format, lint, unused code, import rules, words, comments, generated files. All run, as many at once as there are cores; all faults are shown. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Several checkers of one program do the same work again, and all checks together use every core already. */
const types = (project: string, ...more: string[]): string[] => ["tsc", "-p", project, "--checkers", "1", ...more];

/** The longest first: the last one to end keeps the other cores waiting. */
const CHECKS: Record<string, string[]> = {
  "typed lint and limits": ["oxlint", "--type-aware", "--deny-warnings"],
  "types of the console's tests": types("console/e2e"),
  "types of the console": types("console"),
  types: types("."),
  "unused code": ["knip"],
  "format and lint": ["biome", "ci", "--error-on-warnings", "."],
  "import rules": ["vitest", "run", "server/test/guarantees/import-rules.test.ts"],
  "generated files": ["node", "scripts/generate.ts", "--check"],
  "types of the documentation site": types("docs/site"),
  guarantees: ["node", "scripts/guarantees.ts", "--check"],
  words: ["node", "scripts/vocabulary.ts"],
  comments: ["node", "scripts/comment-openings.ts"],
  "types of the command line": types("cli"),
  "types of the SDK": types("sdk", "--noEmit"),
  "types of the SDK's walk": types("sdk/runtimes"),
  "key of the guessing game": ["node", "scripts/guessing-game.ts", "check"],
};

const run = (command: string[]): Promise<{ code: number; output: string; seconds: number }> =>
  new Promise((resolve) => {
    const startedAt = Date.now();
    const [program = "", ...args] = command;
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("close", (code) => resolve({ code: code ?? 1, output, seconds: (Date.now() - startedAt) / 1000 }));
  });

let isClean = true;
const report = (name: string, { code, output, seconds }: Awaited<ReturnType<typeof run>>): void => {
  process.stdout.write(`${code === 0 ? "ok    " : "FAULT "} ${name} (${seconds.toFixed(1)} s)\n`);
  if (code === 0) return;
  isClean = false;
  process.stdout.write(`${output}\n`);
};

const waiting = Object.entries(CHECKS);
const runNext = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) report(next[0], await run(next[1]));
};
await Promise.all(Array.from({ length: availableParallelism() }, runNext));
process.exit(isClean ? 0 : 1);
