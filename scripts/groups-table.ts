/** Writes the tables of groups in ARCHITECTURE.md. */
import { CONSOLE_GROUPS, LAYERS } from "./groups.ts";
import { splitAt, table } from "./settings-table.ts";

const BEGIN = "<!-- made by `npm run generate` from scripts/groups.ts -->";
const CONSOLE_BEGIN = "<!-- the console's, made by `npm run generate` from scripts/groups.ts -->";
const CONSOLE_END = "<!-- end of the console's groups -->";
const END = "<!-- end of what is made -->";

const moduleTable = (): string => {
  const rows = Object.entries(LAYERS).flatMap(([layer, groups]) =>
    groups.flatMap(({ name, about, modules }) =>
      Object.entries(modules).map(([module, does], index) => [
        index === 0 ? `\`${layer}/${name}\`` : "",
        index === 0 ? about : "",
        `\`${module}\``,
        does,
      ]),
    ),
  );
  return table([["group", "about", "module", "what it does"], ...rows]);
};

const consoleTable = (): string =>
  table([["group of the console", "about"], ...Object.entries(CONSOLE_GROUPS).map(([name, about]) => [`\`${name}\``, about])]);

const withTable = (page: string, [begin, end]: [begin: string, end: string], made: string): string => {
  const [before, after] = splitAt(page, begin, end);
  return `${before}${begin}\n\n${made}\n\n${after}`;
};

export const withGroups = (page: string): string =>
  withTable(withTable(page, [BEGIN, END], moduleTable()), [CONSOLE_BEGIN, CONSOLE_END], consoleTable());
