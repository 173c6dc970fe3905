/** Two programs are called `comanda`: the operator's and the integrators'. How a page writes a command says which of them it is. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pagePaths, ROOT } from "./blocks.ts";

/** What follows the name in the integrators' program. */
const integrators = new Set(
  [...readFileSync(`${ROOT}/cli/src/commands.ts`, "utf8").matchAll(/^ {2}(\w+): \w+Command,$/gm)].map(([, name]) => name),
);

/** Commands: in code, or at the beginning of a line of a block. */
const COMMAND =
  /(npm run (?:-s )?comanda -- |docker compose run --rm (?:-T )?comanda |`comanda |^(?:\$ )?comanda |\$\(comanda |" \| comanda )([a-z-]+)/gm;

const unclear = (page: string, text: string): string[] =>
  [...text.matchAll(COMMAND)].flatMap(([whole, program = "", name = ""]) => {
    const isOperators = /^npm|^docker/.test(program);
    return !name.startsWith("-") && isOperators === integrators.has(name) ? [`${page}: ${whole}`] : [];
  });

test("a page writes the operator's commands with npm run, and the integrators' without", () => {
  expect(integrators.size).toBeGreaterThan(7);
  const pages = [
    ...pagePaths(),
    ...readdirSync(`${ROOT}/cli`)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `cli/${name}`),
  ];
  expect(pages.flatMap((page) => unclear(page, readFileSync(`${ROOT}/${page}`, "utf8")))).toEqual([]);
  expect(unclear("planted", "Run `comanda venue list`, then `npm run comanda -- listen`, and `comanda events`.\ncomanda migrate")).toEqual([
    "planted: `comanda venue",
    "planted: npm run comanda -- listen",
    "planted: comanda migrate",
  ]);
});
