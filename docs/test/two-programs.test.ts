/** Two programs have commands: `comanda-admin` is the operator's, `comanda` the integrators'. A page calls each command by its own program. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { comandaAdmin } from "../../server/test/support/run-admin.ts";
import { pagePaths, ROOT } from "./blocks.ts";

const PROGRAMS: Record<string, ReadonlySet<string>> = {
  comanda: new Set(
    [...readFileSync(`${ROOT}/cli/src/commands.ts`, "utf8").matchAll(/^ {2}(\w+): \w+Command,$/gm)].map(([, name = ""]) => name),
  ),
  "comanda-admin": new Set([...(await comandaAdmin(["--help"], {})).stdout.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name)),
};

/** Commands: in code, at the beginning of a line of a block, after npm or Docker. */
const COMMAND = /(?:npm run (?:-s )?|docker compose run --rm (?:-T )?|`|^(?:\$ )?|\$\(|" \| )(comanda(?:-admin)?) (?:-- )?([a-z][a-z-]*)/gm;

const wrong = (page: string, text: string): string[] =>
  [...text.matchAll(COMMAND)].flatMap(([whole, program = "", name = ""]) => {
    const isByNpm = /^(npm|docker)/.test(whole);
    return PROGRAMS[program]?.has(name) && !(isByNpm && program === "comanda") ? [] : [`${page}: ${whole}`];
  });

test("a page calls the operator's commands comanda-admin, and the integrators' comanda", () => {
  expect(PROGRAMS.comanda?.size).toBeGreaterThan(7);
  expect(PROGRAMS["comanda-admin"]?.size).toBeGreaterThan(20);
  const pages = [
    ...pagePaths(),
    ...readdirSync(`${ROOT}/cli`)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `cli/${name}`),
  ];
  expect(pages.flatMap((page) => wrong(page, readFileSync(`${ROOT}/${page}`, "utf8")))).toEqual([]);
  expect(
    wrong(
      "planted",
      "Run `comanda venue list`, then `npm run comanda -- listen`, `comanda-admin listen` and `comanda events`.\ncomanda migrate\nnpm run comanda-admin -- migrate",
    ),
  ).toEqual([
    "planted: `comanda venue",
    "planted: npm run comanda -- listen",
    "planted: `comanda-admin listen",
    "planted: comanda migrate",
  ]);
});
