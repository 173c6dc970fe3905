/** The structure that ARCHITECTURE.md describes. Each rule is shown to find a planted fault. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, test } from "vitest";
import { importsOf, readConsoleImports } from "../../../scripts/console-imports.ts";
import { MODULE_FILES, MODULES } from "../../../scripts/groups.ts";
import { consoleFaults, cruiseOptions, importRules } from "../../../scripts/import-rules.ts";
import {
  foreignImports,
  impureRules,
  modulesWithFiles,
  nestedTransactions,
  ROOT,
  type SourceFile,
  sourceFiles,
  strayFiles,
  straySenders,
} from "../support/import-rules.ts";
import { foreignStatements, needlessExceptions, tableOwners, tableUses } from "../support/table-owners.ts";

const server = sourceFiles("server/src");
const SOURCES = ["server/src", "contract/src", "cells/src", "sdk/src", "cli/src"];

/** The names of the violated rules. */
const violations = async (root: string, folders: string[]): Promise<string[]> => {
  const { output } = await cruise(folders, { ...cruiseOptions, baseDir: root, validate: true, ruleSet: { forbidden: importRules } });
  return (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
};

test("imports go in one direction, without circles", async () => {
  expect(server.length).toBeGreaterThan(40);
  expect(await violations(ROOT, SOURCES)).toEqual([]);
}, 60_000);

test("each import rule finds a planted fault", async () => {
  const root = mkdtempSync(join(tmpdir(), "comanda-imports-"));
  const files: Record<string, string> = {
    "server/src/db/pool.ts": "export const x = 1;",
    "server/src/http/reply.ts": 'import { x } from "../venue/menu/service.ts"; export const y = x;',
    "server/src/lib/money.ts": 'import { y } from "../http/reply.ts"; export const z = y;',
    "server/src/platform/activity/audit/service.ts": 'import { x } from "../../../venue/menu/service.ts"; export const a = x;',
    "server/src/platform/activity/audit/store.ts": "export const s = 1;",
    "server/src/venue/menu/service.ts": 'import { s } from "../../platform/activity/audit/store.ts"; export const x = s;',
    "server/src/venue/menu/store.ts": 'import { w } from "./item-counts/store.ts"; export const m = w;',
    "server/src/venue/menu/item-counts/store.ts": "export const w = 1;",
    "server/src/venue/menu/item-counts/service.ts": 'import { d } from "../menu-today/service.ts"; export const e = d;',
    "server/src/venue/menu/menu-today/service.ts": "export const d = 1;",
    "server/src/venue/settings/rules.ts": 'import { g } from "../guests/rules.ts"; export const u = g;',
    "server/src/venue/guests/rules.ts": "export const g = 1;",
    "server/src/venue/menu/rules.ts": 'import { x } from "../../db/pool.ts"; export const r = x;',
    "server/src/venue/stock/service.ts": 'import { x } from "../menu/service.ts"; export const g = x;',
    "server/src/venue/kitchen/store.ts": 'import { t } from "./service.ts"; export const k = t;',
    "server/src/venue/kitchen/service.ts": 'import { k } from "./store.ts"; export const t = k;',
  };
  const folders: Record<string, [string, string]> = {
    contract: ["contract/src/menu.ts", "../../server/src/compose/planted.ts"],
    cells: ["cells/src/moves.ts", "../../server/src/compose/planted.ts"],
    sdk: ["sdk/src/client.ts", "../../contract/src/menu.ts"],
    cli: ["cli/src/main.ts", "../../contract/src/menu.ts"],
    compose: ["server/src/compose/api.ts", "../admin/planted.ts"],
    db: ["server/src/db/migrate.ts", "../compose/planted.ts"],
    server: ["server/src/dev/main.ts", "../../../sdk/src/client.ts"],
  };
  for (const [path, target] of Object.values(folders)) files[path] = `import { p } from "${target}"; export const o = p;`;
  for (const name of ["compose", "admin"]) files[`server/src/${name}/planted.ts`] = "export const p = 1;";
  const roles = MODULE_FILES.map((file) => `server/src/venue/shifts/${file}.ts`);
  for (const path of roles) files[path] = `import { p } from "../../compose/planted.ts"; export const o = p;`;
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const found = await violations(root, SOURCES);
    const expected = [
      "folder-http: server/src/http/reply.ts → server/src/venue/menu/service.ts",
      "folder-lib: server/src/lib/money.ts → server/src/http/reply.ts",
      "order-platform-activity-audit: server/src/platform/activity/audit/service.ts → server/src/venue/menu/service.ts",
      "module-service: server/src/venue/menu/service.ts → server/src/platform/activity/audit/store.ts",
      "module-rules: server/src/venue/menu/rules.ts → server/src/db/pool.ts",
      "module-store: server/src/venue/menu/store.ts → server/src/venue/menu/item-counts/store.ts",
      "order-venue-menu-item-counts: server/src/venue/menu/item-counts/service.ts → server/src/venue/menu/menu-today/service.ts",
      "group-venue-settings: server/src/venue/settings/rules.ts → server/src/venue/guests/rules.ts",
    ];
    expect(found).toEqual(expect.arrayContaining(expected));
    const named = found.map((line) => line.split(" → ")[0]);
    for (const file of MODULE_FILES) expect(named).toContain(`module-${file}: server/src/venue/shifts/${file}.ts`);
    for (const [name, [path]] of Object.entries(folders)) expect(named).toContain(`folder-${name}: ${path}`);
    expect(found.some((line) => line.startsWith("no-circle: server/src/venue/kitchen/"))).toBe(true);
    expect(found.filter((line) => line.includes("venue/stock"))).toEqual([]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}, 60_000);

test("the console's groups import in one direction; planted: a part that knows the shell and a page that loads another's are found", () => {
  const imports = readConsoleImports();
  expect(imports.length).toBeGreaterThan(2000);
  expect(consoleFaults(imports)).toEqual([]);
  const planted: [path: string, text: string][] = [
    ["console/src/kit/dialog.tsx", 'import type { V } from "#shell/venue.ts"; export const n = (v: V) => <b>{v}</b>;'],
    ["console/src/orders/board.ts", 'export const load = () => import("../bookings/day.ts");'],
    ["console/src/shell/page.tsx", 'export { Board } from "#orders/orders.tsx";'],
    ["console/src/orders/orders.tsx", 'import { n } from "#kit/dialog.tsx"; import "./board.css"; export const o = n;'],
  ];
  expect(consoleFaults(planted.flatMap(([path, text]) => importsOf(path, text)))).toEqual([
    "console/src/kit/dialog.tsx must not import console/src/shell/venue.ts",
    "console/src/orders/board.ts must not import console/src/bookings/day.ts",
    "console/src/shell/page.tsx must not import console/src/orders/orders.tsx",
  ]);
}, 60_000);

test("every listed module has files, and modules hold only a module's files", () => {
  expect(modulesWithFiles(server).toSorted()).toEqual(MODULES.toSorted());
  expect(strayFiles(server)).toEqual([]);
});

test("rules are pure, services never open a transaction, and no sender bypasses the switch", () => {
  expect(impureRules(server)).toEqual([]);
  expect(nestedTransactions(server)).toEqual([]);
  expect(straySenders(server)).toEqual([]);
});

const TABLES = [...readFileSync(join(ROOT, "server/src/db/tables.generated.ts"), "utf8").matchAll(/^ {2}(\w+): \{$/gm)].map(
  ([, name = ""]) => name,
);

test("statements on a table stand in the store of its module, and the exceptions are needed", () => {
  const uses = tableUses(server, TABLES);
  expect(foreignStatements(uses)).toEqual([]);
  expect(needlessExceptions(uses)).toEqual([]);
  expect([...tableOwners(uses)].map((owned) => owned.join(" "))).toEqual(
    expect.arrayContaining([
      "tokens platform/programs/tokens",
      "users platform/people/users",
      "deliveries platform/events/webhook-deliveries",
      "orders venue/orders",
    ]),
  );
});

test("a statement on a foreign table is found, written as SQL or with the builder", () => {
  const foundIn = (path: string, text: string) => foreignStatements(tableUses([...server, { path: `server/src/${path}`, text }], TABLES));
  const faults: [string, string, string][] = [
    ["venue/menu/store.ts", "sql`select id from orders where true`", "reads orders of venue/orders"],
    ["venue/menu/store.ts", "sql`select 1 from items i, guests g`", "reads guests of venue/guests"],
    ["venue/menu/store.ts", "sql`delete from payments`", "writes payments of venue/orders/payments"],
    ["platform/activity/audit/store.ts", "sql`update tokens set name = ''`", "writes tokens of platform/programs/tokens"],
    ["platform/programs/apps/store.ts", 'builder.selectFrom("staff")', "reads staff of platform/people/memberships"],
    ["platform/programs/tokens/service.ts", "sql`select from tokens`", "reads tokens of platform/programs/tokens"],
    ["compose/console.ts", "sql`select max(id) from request_log`", "reads request_log of platform/activity/request-log"],
  ];
  for (const [path, text, fault] of faults) expect(foundIn(path, text)).toEqual([`server/src/${path} ${fault}`]);
});

test("contract, conformance and console stand alone", () => {
  const pages = sourceFiles("console/src");
  expect(pages.length).toBeGreaterThan(20);
  expect(foreignImports(pages)).toEqual([]);
  const planted = [
    'import { apiError } from "../../../server/src/lib/errors.ts";',
    'import { x } from "@comanda/server/x.ts";',
    'import { EVENTS } from "@comanda/contract/events/envelope.ts";',
  ];
  for (const text of planted) expect(foreignImports([{ path: "console/src/shell/page.tsx", text }])).toHaveLength(1);
  const contract = sourceFiles("contract/src");
  const kit = sourceFiles("conformance");
  expect(contract.filter(({ text }) => /from "(?!\.{1,2}\/|typebox")/.test(text)).map(({ path }) => path)).toEqual([]);
  expect(kit.filter(({ text }) => /from "[^"]*server/.test(text)).map(({ path }) => path)).toEqual([]);
});

test("each other rule finds a planted fault", () => {
  const plant = (path: string, text: string): SourceFile[] => [{ path: `server/src/${path}`, text }];
  expect(strayFiles(plant("venue/menu/helpers.ts", ""))).toHaveLength(1);
  expect(strayFiles(plant("venue/cellar/service.ts", ""))).toHaveLength(1);
  expect(impureRules(plant("venue/menu/rules.ts", "const now = Date.now();"))).toHaveLength(1);
  expect(nestedTransactions(plant("venue/menu/service.ts", "await withTenant(deps, access, work);"))).toHaveLength(1);
  expect(straySenders(plant("compose/api.ts", "const sender = createSender();"))).toHaveLength(1);
});
