/** Import rules for dependency-cruiser. `npm run check` applies them, ARCHITECTURE.md explains them. */
import type { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser";
import type { ImportEdge } from "./console-imports.ts";
import { ANY_MODULE, CONSOLE_GROUPS, GROUP_FOLDERS, MODULE_FILES, MODULES } from "./groups.ts";

const SERVER = "^server/src";
const LIB = `${SERVER}/lib/`;
const DB = `${SERVER}/db/`;
const CONTRACT = "^contract/src/";
const FILES = `(${MODULE_FILES.join("|")})([.]ts$|/)`;
const OWN = `${SERVER}/$1/${FILES}`;
const RULES = `${SERVER}/${ANY_MODULE}/rules([.]ts$|/)`;
/** `platform/people/users` is only rows, so the modules around it call its store. */
const OTHER_SERVICES = `${SERVER}/(${ANY_MODULE}/(service|venue-file)([.]ts$|/)|platform/people/users/store[.]ts$)`;
const OURS = "^(server|contract|cells|console|sdk|cli|conformance)/";

/** A file of this role may import, of our own code, only what `allowed` matches. */
const role = (name: string, file: string, allowed: string[]): IForbiddenRuleType => ({
  name: `module-${name}`,
  severity: "error",
  from: { path: `${SERVER}/${ANY_MODULE}/${file}([.]ts$|/)` },
  to: { path: OURS, pathNot: allowed },
});

const folder = (name: string, path: string, allowed: string[]): IForbiddenRuleType => ({
  name: `folder-${name}`,
  severity: "error",
  from: { path },
  to: { path: OURS, pathNot: allowed },
});

const below = (module: string, index: number): IForbiddenRuleType => ({
  name: `order-${module.replaceAll("/", "-")}`,
  comment: `${module} uses only modules above it.`,
  severity: "error",
  // Rules are pure functions without a place in the order of modules.
  from: { path: `${SERVER}/${module}/${FILES}` },
  to: { path: `${SERVER}/(${MODULES.slice(index + 1).join("|")})/${FILES}`, pathNot: RULES },
});

const groupBelow = (group: string, index: number): IForbiddenRuleType => ({
  name: `group-${group.replace("/", "-")}`,
  comment: `${group} uses only groups above it.`,
  severity: "error",
  from: { path: `${SERVER}/${group}/` },
  to: { path: `${SERVER}/(${GROUP_FOLDERS.slice(index + 1).join("|")})/` },
});

export const importRules: IForbiddenRuleType[] = [
  { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
  folder("contract", CONTRACT, [CONTRACT]),
  folder("lib", LIB, [CONTRACT, LIB, `${DB}query[.]ts$`]),
  folder("db", DB, [CONTRACT, LIB, DB]),
  folder("http", `${SERVER}/http/`, [CONTRACT, LIB, DB, `${SERVER}/http/`, `${SERVER}/(config|settings|deps)[.]ts$`]),
  folder("server", `${SERVER}/(?!admin/commands[.]ts)`, [CONTRACT, `${SERVER}/`]),
  folder("compose", `${SERVER}/compose/`, [CONTRACT, `${SERVER}/(?!admin/)`]),
  folder("cells", "^cells/src/", [CONTRACT, LIB, DB, "^cells/src/", `${SERVER}/(admin|dev)/`, `${SERVER}/(config|settings)[.]ts$`, RULES]),
  folder("sdk", "^sdk/src/", ["^sdk/src/"]),
  // It asks the service as any client does.
  folder("cli", "^cli/src/", ["^cli/src/", "^sdk/(src|dist)/index[.](ts|js)$"]),
  role("rules", "rules", [CONTRACT, LIB, RULES]),
  role("store", "store", [CONTRACT, LIB, DB, OWN]),
  role("present", "present", [CONTRACT, LIB, OWN]),
  role("venue-file", "venue-file", [CONTRACT, LIB, DB, OWN]),
  role("service", "service", [
    CONTRACT,
    LIB,
    `${DB}(query|change-position|commit-horizon|idempotency-keys|kept-answers)[.]ts$`,
    OWN,
    OTHER_SERVICES,
  ]),
  role("jobs", "jobs", [CONTRACT, LIB, DB, OWN, OTHER_SERVICES]),
  role("routes", "routes", [CONTRACT, LIB, `${SERVER}/http/`, OWN]),
  role("console-routes", "console-routes", [CONTRACT, LIB, `${SERVER}/http/`, OWN, OTHER_SERVICES]),
  role("sign", "sign", []),
  role("send", "send", [LIB, OWN]),
  ...MODULES.slice(0, -1).map(below),
  ...GROUP_FOLDERS.slice(0, -1).map(groupBelow),
];

const CONSOLE_FOLDERS = Object.keys(CONSOLE_GROUPS);

/** The place of a file of the console in the order of groups. Files beside the groups stand above all. */
const consolePlace = (path: string): number => {
  const place = CONSOLE_FOLDERS.indexOf(/^console\/src\/([^/]+)\//.exec(path)?.[1] ?? "");
  return place === -1 ? CONSOLE_FOLDERS.length : place;
};

/** A group of the console uses only groups above it. */
export const consoleFaults = (imports: readonly ImportEdge[]): string[] =>
  imports.filter(({ from, to }) => consolePlace(to) > consolePlace(from)).map(({ from, to }) => `${from} must not import ${to}`);

export const cruiseOptions: ICruiseOptions = {
  parser: "swc",
  tsPreCompilationDeps: true,
  exclude: { path: "[.]test[.]ts$|/test/|^console/e2e/" },
  doNotFollow: { path: "node_modules" },
  enhancedResolveOptions: { extensions: [".ts", ".tsx", ".json"], exportsFields: ["exports"], conditionNames: ["import", "node"] },
};
