/** `npm run structure`: the groups of the server's modules, what each imports from others, and the size of the code without its tests. */
import { globSync, readFileSync } from "node:fs";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { GROUP_FOLDERS, LAYERS } from "./groups.ts";
import { cruiseOptions } from "./import-rules.ts";

const SOURCE_FOLDERS = ["server/src", "console/src"];
const LONGEST_SHOWN = 5;

type GroupArrow = { from: string; to: string };
type ImportEdge = { from: string; to: string };

/** The group of a file, as `venue/menu`. */
const groupOf = (path: string): string | null => {
  const folder = /^server\/src\/((?:platform|venue)\/[^/]+)\//.exec(path)?.[1] ?? "";
  return GROUP_FOLDERS.includes(folder) ? folder : null;
};

/** Each pair of groups of which one imports from the other, once. */
export const arrowsBetween = (imports: readonly ImportEdge[], layer: string): GroupArrow[] => {
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
  arrows.filter(({ from, to }) => GROUP_FOLDERS.indexOf(to) > GROUP_FOLDERS.indexOf(from));

export const readImports = async (): Promise<ImportEdge[]> => {
  const { output } = await cruise(["server/src"], cruiseOptions);
  const { modules } = output as ICruiseResult;
  return modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })));
};

const sourcesIn = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx}`).filter((path) => !/[.](test|generated|d)[.]tsx?$/.test(path));

const nameIn = (folder: string): string => folder.slice(folder.indexOf("/") + 1);

const layerLines = (layer: keyof typeof LAYERS, imports: readonly ImportEdge[]): string[] => {
  const arrows = arrowsBetween(imports, layer);
  const groups = LAYERS[layer].map(({ name }) => {
    const targets = arrows.filter(({ from }) => from === `${layer}/${name}`).map(({ to }) => nameIn(to));
    return `  ${name.padEnd(14)} ${targets.join(" ")}`;
  });
  const wrong = upward(arrows).map(({ from, to }) => `  upward: ${from} imports from ${to}`);
  return [`${layer}: ${groups.length} groups, ${arrows.length} arrows between them, ${wrong.length} upward`, ...groups, ...wrong, ""];
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
  const lines = [...(["platform", "venue"] as const).flatMap((layer) => layerLines(layer, imports)), ...sizeLines()];
  process.stdout.write(`${lines.join("\n")}\n`);
}
