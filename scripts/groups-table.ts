/** Writes the table of groups and modules in ARCHITECTURE.md. */
import { LAYERS } from "./groups.ts";
import { splitAt, table } from "./settings-table.ts";

const BEGIN = "<!-- made by `npm run generate` from scripts/groups.ts -->";
const END = "<!-- end of what is made -->";

export const withGroups = (page: string): string => {
  const [before, after] = splitAt(page, BEGIN, END);
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
  return `${before}${BEGIN}\n\n${table([["group", "about", "module", "what it does"], ...rows])}\n\n${after}`;
};
