/** What tables and their combinations must satisfy, in a venue file and in the console. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { collectErrors, keysIn } from "#lib/collect-errors.ts";
import type { FieldErrors } from "#lib/errors.ts";

type FloorPart = { branches: readonly { key: string }[] } & Pick<VenueFile, "tables" | "table_combinations">;

/** References to branches and tables that exist, codes that occur once, and tables of one branch in a combination. */
export const tableErrors = ({ branches, tables, table_combinations }: FloorPart): FieldErrors =>
  collectErrors((report) => {
    const branchKeys = keysIn(branches);
    const branchOf = new Map(tables.map(({ key, branch }) => [key, branch]));
    const codes = new Set<string>();
    for (const [index, { branch, code }] of tables.entries()) {
      if (!branchKeys.has(branch)) report(`tables.${index}.branch`, `There is no branch ${branch}.`);
      if (code !== null && codes.has(code)) report(`tables.${index}.code`, "Another table has this code.");
      if (code !== null) codes.add(code);
    }
    for (const [index, combination] of table_combinations.entries()) {
      for (const key of combination.tables)
        if (!branchOf.has(key)) report(`table_combinations.${index}.tables`, `There is no table ${key}.`);
      if (new Set(combination.tables.map((key) => branchOf.get(key))).size > 1)
        report(`table_combinations.${index}.tables`, "Tables that are pushed together stand in one branch.");
    }
  });

type FileTable = VenueFile["tables"][number];
type FileTableWithPlace = FileTable & Required<Pick<FileTable, "place" | "shape">>;

/**
 * A table of a file that has no code keeps the one that the service made, because it is printed on the table. One that says nothing about the plan
 * keeps its place and shape: files from before there was a plan are still imported, and
 * other systems that write files do not know it.
 */
export const withPlaces = (tables: readonly FileTable[], stored: readonly FileTable[]): FileTableWithPlace[] => {
  const known = new Map(stored.map(({ key, place, shape, code }) => [key, { place, shape, code }]));
  return tables.map(({ place, shape, code, ...table }) => {
    const kept = known.get(table.key);
    return {
      ...table,
      code: code ?? kept?.code ?? null,
      place: place === undefined ? (kept?.place ?? null) : place,
      shape: shape ?? kept?.shape ?? "square",
    };
  });
};
