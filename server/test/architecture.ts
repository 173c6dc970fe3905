/** Reads the rules of the house out of ARCHITECTURE.md and holds the source files against them. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export type SourceFile = { path: string; text: string };

export const readDocument = (): string => readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");

export const sourceFiles = (folder: string): SourceFile[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("node_modules") && !path.includes(".generated."))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(ROOT, folder, path), "utf8") }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

const tableAfter = (document: string, heading: string): string[][] => {
  const section = document.slice(document.indexOf(heading));
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  const end = rows.findIndex((row, index) => index > 1 && /^\|\s*-/.test(row));
  return rows.slice(2, end === -1 ? undefined : end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

/** Who may import whom, by the name of the file's role. */
export const readDirections = (document: string): Map<string, string[]> =>
  new Map(
    tableAfter(document, "## Who may import whom").map(([from = "", allowed = ""]) => [
      from.replaceAll("`", ""),
      [...allowed.matchAll(/other `rules\.ts`|`([^`]+)`( above)?|own|anything/g)].map((match) => match[0].replaceAll("`", "")),
    ]),
  );

/** Rooms in the order of the tree, which is the order of dependency. */
export const readRooms = (document: string): string[] => {
  const [, tree = ""] = document.slice(document.indexOf("## The tree")).split("```");
  const rooms: string[] = [];
  let wing = "";
  for (const line of tree.split("\n")) {
    const [, indent = "", name = ""] = /^( +)([a-z]+)\/ /.exec(line) ?? [];
    if (indent.length === 2) wing = name;
    if (indent.length === 4) rooms.push(`${wing}/${name}`);
  }
  return rooms;
};

const ROOM_FILES = [
  "routes.ts",
  "service.ts",
  "rules.ts",
  "store.ts",
  "present.ts",
  "jobs.ts",
  "console.ts",
  "file.ts",
  "sign.ts",
  "send.ts",
];
const COMPOSITION = /^(main|app|worker|upkeep|console|oauth|config|deps|metrics|healthcheck|outbound)\.ts$|^(cells|cli|dev)\//;

const roomOf = (path: string, rooms: string[]): string | undefined => rooms.find((room) => path.startsWith(`${room}/`));

/** `venue/menu/service.ts` plays the role `service.ts`, `http/bind.ts` the role `http`, `cli/venue.ts` is composition. */
const roleOf = (path: string): string => {
  if (COMPOSITION.test(path)) return "composition";
  if (/^(platform|venue)\//.test(path)) return path.includes("/rules/") ? "rules.ts" : (path.split("/").at(-1) ?? "");
  return path.split("/")[0] ?? "";
};

const importsOf = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(/(?:^|\n)(?:import|export)[^;]*?from "([^"]+)"|import\("([^"]+)"\)/g)].flatMap((match) => {
    const specifier = match[1] ?? match[2] ?? "";
    if (specifier.startsWith("#")) return [`server/src/${specifier.slice(1)}`];
    if (specifier.startsWith(".")) return [relative(ROOT, join(ROOT, dirname(path), specifier))];
    const [, workspace] = /^@comanda\/(\w+)/.exec(specifier) ?? [];
    return workspace ? [`${workspace}/`] : [];
  });

const isAllowed = (from: string, to: string, rule: string, rooms: string[]): boolean => {
  const [fromRoom, toRoom] = [roomOf(from, rooms), roomOf(to, rooms)];
  if (rule === "anything") return true;
  if (rule === "own") return fromRoom !== undefined && fromRoom === toRoom;
  if (rule === "other rules.ts") return roleOf(to) === "rules.ts";
  if (rule.endsWith(" above")) {
    const isAbove = toRoom !== undefined && fromRoom !== undefined && rooms.indexOf(toRoom) < rooms.indexOf(fromRoom);
    return isAbove && to.endsWith(`/${rule.replace(" above", "")}`);
  }
  return rule.endsWith(".ts") ? to === rule : to.startsWith(`${rule}/`);
};

/** Every place that makes a sender of its own, past the switch in `outbound.ts`. */
export const straySenders = (files: SourceFile[]): string[] =>
  files
    .filter(({ path, text }) => /\bcreate(Sender|Post)\(/.test(text) && path !== "server/src/outbound.ts" && !path.endsWith(".test.ts"))
    .map(({ path }) => `${path} makes a sender that does not ask whether sending is on`);

/** Every import that the table does not allow, as a sentence. */
export const forbiddenImports = (files: SourceFile[], document: string): string[] => {
  const rooms = readRooms(document);
  const directions = readDirections(document);
  return files
    .filter(({ path }) => !path.endsWith(".test.ts"))
    .flatMap((file) => {
      const from = file.path.replace("server/src/", "");
      const allowed = directions.get(roleOf(from)) ?? [];
      return importsOf(file).flatMap((target) => {
        const to = target.replace("server/src/", "");
        const isSameFolder = roleOf(from) === roleOf(to) && !/^(platform|venue)\//.test(from);
        return isSameFolder || allowed.some((rule) => isAllowed(from, to, rule, rooms)) ? [] : [`${from} must not import ${to}`];
      });
    });
};

/** Files in rooms whose names are not in the table of roles, and rooms that the tree does not show. */
export const strayFiles = (files: SourceFile[], document: string): string[] => {
  const rooms = readRooms(document);
  return files.flatMap(({ path }) => {
    const inside = path.replace("server/src/", "");
    if (!/^(platform|venue)\//.test(inside) || inside.endsWith(".test.ts")) return [];
    if (!roomOf(inside, rooms)) return [`${inside} is in a room that the tree does not show`];
    return ROOM_FILES.includes(roleOf(inside)) ? [] : [`${inside} is not one of a room's files`];
  });
};

/** Parts of the contract that bring no schema library into the browser. */
const PLAIN_CONTRACT = ["scopes.ts", "event-samples.ts", "live.ts"];

/** What the console imports from other workspaces, types and plain tables of the contract excepted. */
export const strangeImports = (files: SourceFile[]): string[] =>
  files
    .filter(({ path }) => !path.endsWith(".test.ts"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:^|\n)(import|export)( type)?[^;]*?from "([^"]+)"/g)]
        .filter(([, , isType, target = ""]) => {
          if (target.startsWith(".")) return !join("/", dirname(path), target).startsWith("/console/src/");
          if (!target.startsWith("@comanda/")) return false;
          return !target.startsWith("@comanda/contract/") || !(isType || PLAIN_CONTRACT.some((name) => target.endsWith(`/${name}`)));
        })
        .map(([, , , target]) => `${path} must not import ${target}`),
    );

/** Rules decide from what they are given: no clock, no randomness, no environment. */
export const impureRules = (files: SourceFile[]): string[] =>
  files
    .filter(({ path }) => /\/rules(\/\w+)?\.ts$/.test(path))
    .filter(({ text }) => /Date\.now\(|new Date\(\)|Math\.random|process\.env|\bawait\b|node:/.test(text))
    .map(({ path }) => `${path} is not pure`);

/** A service that opened a transaction could not be composed with another. */
export const nestedTransactions = (files: SourceFile[]): string[] =>
  files
    .filter(({ path }) => /\/(service|store|present|file|rules(\/\w+)?)\.ts$/.test(path))
    .filter(({ text }) => /\btransaction\(|\binHouse\(|\bbegin\b.*;|openPool|\btenantDb\(/.test(text))
    .map(({ path }) => `${path} opens a transaction`);
