/** A write with a key of its own for each press is found by the lint, wherever in the console it is written. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "comanda-lint-"));
// Its patterns are relative to the folder in which it lies.
copyFileSync(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FAULTS = [
  "export const key = (): string => crypto.randomUUID();\n",
  'import { callWithKey } from "#kit/keyed-call.ts";\n\nexport const send = callWithKey;\n',
  'import { newKey } from "#kit/new-key.ts";\n\nexport const key = newKey;\n',
  'import { sendCall } from "#kit/api.ts";\n\nexport const send = sendCall;\n',
];

const faultsIn = (path: string, text: string): number => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const { stdout, status } = spawnSync("oxlint", [path], { cwd: folder, encoding: "utf8" });
  const faults = stdout.split("A write has one effect").length - 1;
  expect(status).toBe(faults === 0 ? 0 : 1);
  return faults;
};

test.each(FAULTS)("planted: a page that makes or sends a key itself is found: %#", (text) => {
  expect(faultsIn("console/src/stock/move-dialog.tsx", text)).toBe(1);
  expect(faultsIn("console/src/kit/write.ts", text)).toBe(0);
});
