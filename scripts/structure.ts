/** `npm run structure`: the groups of the server and of the console, what each imports from others, and the size of the code without its tests. */
import { globSync, readFileSync } from "node:fs";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { type ImportEdge, readConsoleImports } from "./console-imports.ts";
import { CONSOLE_GROUPS, GROUP_FOLDERS, LAYERS } from "./groups.ts";
import { cruiseOptions } from "./import-rules.ts";

const SOURCE_FOLDERS = ["server/src", "console/src"];
const LONGEST_SHOWN = 5;

type GroupArrow = { from: string; to: string };

const CONSOLE = Object.keys(CONSOLE_GROUPS);
const FOLDERS: readonly string[] = [...GROUP_FOLDERS, ...CONSOLE.map((name) => `console/${name}`)];

/** The layers and the names of their groups, in the order of dependency. */
const LAYER_GROUPS = {
  platform: LAYERS.platform.map(({ name }) => name),
  venue: LAYERS.venue.map(({ name }) => name),
  console: CONSOLE,
} as const;
type Layer = keyof typeof LAYER_GROUPS;

/** Nearly all groups of the console use them, so their arrows say nothing. */
const SHARED = ["console/kit", "console/shell"];

/** The group of a file, as `venue/menu` or `console/orders`. */
const groupOf = (path: string): string | null => {
  const [, server, area] = /^(?:server\/src\/((?:platform|venue)\/[^/]+)|console\/src\/([^/]+))\//.exec(path) ?? [];
  const folder = server ?? `console/${area}`;
  return FOLDERS.includes(folder) ? folder : null;
};

/** Each pair of groups of which one imports from the other, once. */
export const arrowsBetween = (imports: readonly ImportEdge[], layer: Layer): GroupArrow[] => {
  const pairs = new Map<string, GroupArrow>();
  for (const edge of imports) {
    const [from, to] = [groupOf(edge.from), groupOf(edge.to)];
    if (from === null || to === null || from === to) continue;
    if (from.startsWith(`${layer}/`) && to.startsWith(`${layer}/`)) pairs.set(`${from} ${to}`, { from, to });
  }
  return [...pairs.values()];
};

/** Arrows to a group further below in the order. */
export const upward = (arrows: readonly GroupArrow[]): GroupArrow[] =>
  arrows.filter(({ from, to }) => FOLDERS.indexOf(to) > FOLDERS.indexOf(from));

/** Arrows between areas: what all use, and what knows all, left out. */
export const betweenAreas = (arrows: readonly GroupArrow[]): GroupArrow[] =>
  arrows.filter(({ from, to }) => from !== "console/compose" && !SHARED.includes(to));

export const readImports = async (): Promise<ImportEdge[]> => {
  const { output } = await cruise(["server/src"], cruiseOptions);
  const { modules } = output as ICruiseResult;
  const server = modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })));
  return [...server, ...readConsoleImports()];
};

const sourcesIn = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx}`).filter((path) => !/[.](test|generated|d)[.]tsx?$/.test(path));

const nameIn = (folder: string): string => folder.slice(folder.indexOf("/") + 1);

const layerLines = (layer: Layer, imports: readonly ImportEdge[]): string[] => {
  const arrows = arrowsBetween(imports, layer);
  const shown = betweenAreas(arrows);
  const groups = LAYER_GROUPS[layer].map((name) => {
    const targets = shown.filter(({ from }) => from === `${layer}/${name}`).map(({ to }) => nameIn(to));
    return `  ${name.padEnd(14)} ${targets.join(" ")}`.trimEnd();
  });
  const wrong = upward(arrows).map(({ from, to }) => `  upward: ${from} imports from ${to}`);
  return [`${layer}: ${groups.length} groups, ${shown.length} arrows between them, ${wrong.length} upward`, ...groups, ...wrong, ""];
};

const linesOf = (path: string): number => readFileSync(new URL(`../${path}`, import.meta.url), "utf8").split("\n").length - 1;

const sizeLines = (): string[] => {
  const sizes = SOURCE_FOLDERS.map((folder) => sourcesIn(folder).map((path) => ({ path, lines: linesOf(path) })));
  const totals = sizes.map(
    (own, index) => `${SOURCE_FOLDERS[index]}: ${own.length} files, ${own.reduce((sum, { lines }) => sum + lines, 0)} lines`,
  );
  const longest = sizes
    .flat()
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, LONGEST_SHOWN);
  return [...totals, `longest: ${longest.map(({ path, lines }) => `${path} (${lines})`).join(", ")}`];
};

if (import.meta.main) {
  const imports = await readImports();
  const lines = [...(["platform", "venue", "console"] as const).flatMap((layer) => layerLines(layer, imports)), ...sizeLines()];
  process.stdout.write(`${lines.join("\n")}\n`);
}
