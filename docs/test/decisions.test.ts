/** Every decision has the same layout: title with its number, status, context, decision, consequences. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "./blocks.ts";

const FOLDER = `${ROOT}/docs/decisions`;
const HEADINGS = ["## Context", "## Decision", "## Consequences"];

const faultsOf = (name: string, text: string): string[] => {
  const [title = "", , status = ""] = text.split("\n");
  const headings = [...text.matchAll(/^## .+$/gm)].map(([heading]) => heading);
  return [
    ...(title.startsWith(`# ${name.slice(0, 4)} `) ? [] : [`${name}: the title does not begin with its number`]),
    ...(/^\*\*Status:\*\* (accepted|replaced)/.test(status) ? [] : [`${name}: no status`]),
    ...(headings.join() === HEADINGS.join() ? [] : [`${name}: the headings are ${headings.join(", ")}`]),
  ];
};

test("every decision has title, status, context, decision and consequences", () => {
  const names = globSync("*.md", { cwd: FOLDER });
  expect(names.flatMap((name) => faultsOf(name, readFileSync(`${FOLDER}/${name}`, "utf8")))).toEqual([]);
  expect(names.length).toBeGreaterThan(30);
});

test("planted: another number, no status and a missing part are found", () => {
  const right = `# 0099 A title\n\n**Status:** accepted\n\n${HEADINGS.join("\n\ntext\n\n")}\n`;
  expect(faultsOf("0099-a-title.md", right)).toEqual([]);
  expect(faultsOf("0098-a-title.md", right)).toHaveLength(1);
  expect(faultsOf("0099-a-title.md", right.replace("**Status:** accepted", "text"))).toHaveLength(1);
  expect(faultsOf("0099-a-title.md", right.replace("## Context", "text"))).toHaveLength(1);
});
