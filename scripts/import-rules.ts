/** Import rules for dependency-cruiser. `npm run check` applies them, ARCHITECTURE.md explains them and lists the modules. */
import { readFileSync } from "node:fs";
import type { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser";

/** The modules of the tree in ARCHITECTURE.md, in the order of dependency: a module uses services of modules above it, never below. */
export const modulesOf = (page: string): string[] => {
  const [, tree = ""] = page.split("```");
  const modules: string[] = [];
  let layer = "";
  for (const line of tree.split("\n")) {
    const [, indent = "", name = ""] = /^( +)([a-z-]+)\/ /.exec(line) ?? [];
    if (indent.length === 2) layer = name;
    if (indent.length === 4) modules.push(`${layer}/${name}`);
  }
  return modules;
};

export const MODULES = modulesOf(readFileSync(new URL("../ARCHITECTURE.md", import.meta.url), "utf8"));

const SERVER = "^server/src";
const LIB = `${SERVER}/lib/`;
const DB = `${SERVER}/db/`;
const CONTRACT = "^contract/src/";
const OWN = `${SERVER}/$1/`;
const RULES = `${SERVER}/(platform|venue)/[^/]+/rules(/|[.]ts)`;
/** `platform/users` is only rows, so the modules around it call its store. */
const OTHER_SERVICES = `${SERVER}/((platform|venue)/[^/]+/(service|venue-file)([.]ts$|/)|platform/users/store[.]ts$)`;
const OURS = "^(server|contract|cells|console|sdk|cli|conformance)/";

/** A file of this role may import, of our own code, only what `allowed` matches. */
const role = (name: string, file: string, allowed: string[]): IForbiddenRuleType => ({
  name: `module-${name}`,
  severity: "error",
  from: { path: `${SERVER}/((?:platform|venue)/[^/]+)/${file}([.]ts$|/)` },
  to: { path: OURS, pathNot: allowed },
});

const folder = (name: string, path: string, allowed: string[]): IForbiddenRuleType => ({
  name: `folder-${name}`,
  severity: "error",
  from: { path },
  to: { path: OURS, pathNot: allowed },
});

const below = (module: string, index: number): IForbiddenRuleType => ({
  name: `order-${module.replace("/", "-")}`,
  comment: `${module} uses only modules above it.`,
  severity: "error",
  // Rules are pure functions without a place in the order.
  from: { path: `${SERVER}/${module}/` },
  to: { path: `${SERVER}/(${MODULES.slice(index + 1).join("|")})/`, pathNot: RULES },
});

export const importRules: IForbiddenRuleType[] = [
  { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
  folder("contract", CONTRACT, [CONTRACT]),
  folder("lib", LIB, [CONTRACT, LIB, `${DB}query[.]ts$`]),
  folder("db", DB, [CONTRACT, LIB, DB]),
  folder("http", `${SERVER}/http/`, [CONTRACT, LIB, DB, `${SERVER}/http/`, `${SERVER}/(config|settings|deps)[.]ts$`]),
  folder("server", `${SERVER}/(?!cli/commands[.]ts)`, [CONTRACT, `${SERVER}/`]),
  folder("compose", `${SERVER}/compose/`, [CONTRACT, `${SERVER}/(?!cli/)`]),
  folder("cells", "^cells/src/", [CONTRACT, LIB, DB, "^cells/src/", `${SERVER}/(cli|dev)/`, `${SERVER}/(config|settings)[.]ts$`, RULES]),
  folder("sdk", "^sdk/src/", ["^sdk/src/"]),
  // It asks the service as any client does.
  folder("cli", "^cli/src/", ["^cli/src/", "^sdk/(src|dist)/index[.](ts|js)$"]),
  role("rules", "rules", [CONTRACT, LIB, RULES]),
  role("store", "store", [CONTRACT, LIB, DB, OWN]),
  role("present", "present", [CONTRACT, LIB, OWN]),
  role("venue-file", "venue-file", [CONTRACT, LIB, DB, OWN]),
  role("service", "service", [CONTRACT, LIB, `${DB}(query|commit-horizon|idempotency-keys|kept-answers)[.]ts$`, OWN, OTHER_SERVICES]),
  role("jobs", "jobs", [CONTRACT, LIB, DB, OWN, OTHER_SERVICES]),
  role("routes", "routes", [CONTRACT, LIB, `${SERVER}/http/`, OWN]),
  role("console-routes", "console-routes", [CONTRACT, LIB, `${SERVER}/http/`, OWN, OTHER_SERVICES]),
  role("sign", "sign", []),
  role("send", "send", [LIB, OWN]),
  ...MODULES.slice(0, -1).map(below),
];

export const cruiseOptions: ICruiseOptions = {
  parser: "swc",
  tsPreCompilationDeps: true,
  exclude: { path: "[.]test[.]ts$|/test/|^console/e2e/" },
  doNotFollow: { path: "node_modules" },
  enhancedResolveOptions: { extensions: [".ts", ".tsx", ".json"], exportsFields: ["exports"], conditionNames: ["import", "node"] },
};
