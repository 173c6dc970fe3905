/** `npm run check`: types, format, lint, unused code, import rules, words, generated files. All run, as many at once as there are cores; all faults are shown. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

const CHECKS: Record<string, string[]> = {
  types: ["tsc", "-p", "."],
  "types of the SDK": ["tsc", "-p", "sdk", "--noEmit"],
  "types of the SDK's walk": ["tsc", "-p", "sdk/runtimes"],
  "types of the command line": ["tsc", "-p", "cli"],
  "types of the console": ["tsc", "-p", "console"],
  "types of the console's tests": ["tsc", "-p", "console/e2e"],
  "types of the documentation site": ["tsc", "-p", "docs/site"],
  "format and lint": ["biome", "ci", "--error-on-warnings", "."],
  "typed lint and limits": ["oxlint", "--type-aware", "--deny-warnings"],
  "unused code": ["knip"],
  "import rules": ["vitest", "run", "server/test/guarantees/import-rules.test.ts"],
  words: ["node", "scripts/vocabulary.ts"],
  guarantees: ["node", "scripts/guarantees.ts", "--check"],
  "key of the guessing game": ["node", "scripts/guessing-game.ts", "check"],
  "generated files": ["node", "scripts/generate.ts", "--check"],
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
