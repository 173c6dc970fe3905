import { expect, test } from "vitest";
import { migrationFiles } from "./migrate.ts";

/** The files whose number is not the next one. */
const misnumbered = (names: string[]): string[] =>
  names.filter((name, index) => !name.startsWith(`${String(index + 1).padStart(4, "0")}_`));

test("migrations are numbered from 0001, without a gap and each number once", () => {
  expect(misnumbered(migrationFiles().map(({ name }) => name))).toEqual([]);
});

test("planted: a number that comes twice and a number that is left out are found", () => {
  expect(misnumbered(["0001_cell.sql", "0001_venues.sql"])).toEqual(["0001_venues.sql"]);
  expect(misnumbered(["0001_cell.sql", "0003_team.sql"])).toEqual(["0003_team.sql"]);
});
