/** The house as ARCHITECTURE.md describes it. Each rule is shown to bite on a planted fault. */
import { expect, test } from "vitest";
import {
  forbiddenImports,
  impureRules,
  nestedTransactions,
  readDirections,
  readDocument,
  readRooms,
  type SourceFile,
  sourceFiles,
  strangeImports,
  strayFiles,
  straySenders,
} from "./architecture.ts";

const document = readDocument();
const server = sourceFiles("server/src");

test("the document names every room and every role", () => {
  expect(readRooms(document)).toContain("venue/menu");
  expect(readRooms(document).length).toBeGreaterThan(7);
  expect([...readDirections(document).keys()]).toEqual([
    "contract",
    "lib",
    "db",
    "http",
    "rules.ts",
    "store.ts",
    "present.ts",
    "file.ts",
    "service.ts",
    "jobs.ts",
    "routes.ts",
    "console.ts",
    "sign.ts",
    "send.ts",
    "composition",
  ]);
});

test("imports go in one direction only", () => {
  expect(server.length).toBeGreaterThan(40);
  expect(forbiddenImports(server, document)).toEqual([]);
});

test("rooms hold only the files of a room", () => {
  expect(strayFiles(server, document)).toEqual([]);
});

test("rules are pure and services never open a transaction", () => {
  expect(impureRules(server)).toEqual([]);
  expect(nestedTransactions(server)).toEqual([]);
});

test("nothing is sent past the switch", () => {
  expect(straySenders(server)).toEqual([]);
  expect(straySenders([{ path: "server/src/app.ts", text: "const sender = createSender();" }])).toHaveLength(1);
});

test("contract, conformance and console stand alone", () => {
  const pages = sourceFiles("console/src");
  expect(pages.length).toBeGreaterThan(20);
  expect(strangeImports(pages)).toEqual([]);
  const planted = [
    'import { fail } from "../../server/src/lib/errors.ts";',
    'import { x } from "@comanda/server/x.ts";',
    'import { EVENTS } from "@comanda/contract/events.ts";',
  ];
  for (const text of planted) expect(strangeImports([{ path: "console/src/ui/page.tsx", text }])).toHaveLength(1);
  const contract = sourceFiles("contract/src");
  const kit = sourceFiles("conformance");
  expect(contract.filter(({ text }) => /from "(?!\.\/|typebox")/.test(text)).map(({ path }) => path)).toEqual([]);
  expect(kit.filter(({ text }) => /from "[^"]*server/.test(text)).map(({ path }) => path)).toEqual([]);
});

test("each rule finds a planted fault", () => {
  const plant = (path: string, text: string): SourceFile[] => [{ path: `server/src/${path}`, text }];
  expect(forbiddenImports(plant("platform/audit/service.ts", 'import { x } from "#venue/menu/service.ts";'), document)).toHaveLength(1);
  expect(forbiddenImports(plant("venue/menu/service.ts", 'import { x } from "#venue/guests/service.ts";'), document)).toHaveLength(1);
  expect(forbiddenImports(plant("venue/menu/service.ts", 'import { x } from "#platform/audit/store.ts";'), document)).toHaveLength(1);
  expect(forbiddenImports(plant("http/bind.ts", 'import { x } from "#venue/menu/service.ts";'), document)).toHaveLength(1);
  expect(forbiddenImports(plant("venue/menu/rules.ts", 'import { x } from "#db/pool.ts";'), document)).toHaveLength(1);
  expect(forbiddenImports(plant("venue/guests/service.ts", 'import { x } from "#venue/menu/service.ts";'), document)).toEqual([]);
  expect(strayFiles(plant("venue/menu/helpers.ts", ""), document)).toHaveLength(1);
  expect(strayFiles(plant("venue/cellar/service.ts", ""), document)).toHaveLength(1);
  expect(impureRules(plant("venue/menu/rules.ts", "const now = Date.now();"))).toHaveLength(1);
  expect(nestedTransactions(plant("venue/menu/service.ts", "await transaction(pool, 1, work);"))).toHaveLength(1);
});
