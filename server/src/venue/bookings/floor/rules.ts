/** A floor plan as a manager wants it: whether it can be stored, and what it changes. */
import { bookingsToCome } from "@comanda/contract/console/bookings-to-come.ts";
import type { PlanCombination, PlanTable, WantedFloor } from "@comanda/contract/console/floor.ts";
import { VENUE_TABLES_MAX } from "@comanda/contract/venue-limits.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { tooManyEntries } from "#lib/schema.ts";
import { sha256 } from "#lib/token-format.ts";
import { tableErrors } from "#venue/settings/rules/tables.ts";

export type StoredFloor = { tables: readonly PlanTable[]; combinations: readonly PlanCombination[] };

/** Hashes what was read from the database, which gives the same members in the same order. */
export const versionOf = (state: unknown): string => sha256(JSON.stringify(state)).toString("base64url");

/** The tables of one branch and their combinations. The tables of a combination stand in one branch. */
export const floorOf = ({ tables, combinations }: StoredFloor, branchId: number): StoredFloor => {
  const own = tables.filter(({ branch_id }) => branch_id === branchId);
  const ids = new Set(own.map(({ id }) => id));
  return { tables: own, combinations: combinations.filter(({ table_ids: [first] }) => first !== undefined && ids.has(first)) };
};

const wantedFields = ({ name, code, seats, is_active, place, shape }: Omit<WantedFloor["tables"][number], "id">) => ({
  name,
  code,
  seats,
  is_active,
  place: place === null ? null : { x: place.x, y: place.y },
  shape,
});

const fileTable = ({ key, branch_id, ...table }: PlanTable) => ({ key, branch: String(branch_id), ...wantedFields(table) });

/** The lists of the venue after the change: the tables of other branches stay, and those of this branch follow. */
export type FloorAfter = { others: StoredFloor; tables: PlanTable[]; combinations: PlanCombination[] };

type WrittenKeys = { tables: string[]; seats: number };

/** Ids and keys of new tables are in `fresh`, in their order. */
export const floorAfter = (stored: StoredFloor, wanted: WantedFloor, fresh: readonly { id: number; key: string }[]): FloorAfter => {
  const mine = floorOf(stored, wanted.branch_id);
  const ids = new Set(mine.tables.map(({ id }) => id));
  const isOther = ({ table_ids: [first] }: PlanCombination): boolean => first === undefined || !ids.has(first);
  const others = { tables: stored.tables.filter(({ id }) => !ids.has(id)), combinations: stored.combinations.filter(isOther) };
  const keys = new Map(mine.tables.map(({ id, key }) => [id, key]));
  const names = [...fresh];
  const tables = wanted.tables.map((table) => {
    const { id, key } = table.id === null ? (names.shift() ?? { id: 0, key: "" }) : { id: table.id, key: keys.get(table.id) ?? "" };
    return { id, key, branch_id: wanted.branch_id, ...wantedFields(table) };
  });
  const combinations = wanted.combinations.map(({ tables: positions, seats }) => ({
    table_ids: positions.map((position) => tables[position]?.id ?? 0),
    seats,
  }));
  return { others, tables, combinations };
};

/** The tables of other branches keep their order, and those of this branch stay where its first one was. */
export const allTables = (stored: StoredFloor, { others, tables }: FloorAfter): PlanTable[] => {
  const own = new Set(others.tables.map(({ id }) => id));
  const at = stored.tables.findIndex(({ id }) => !own.has(id));
  const before = at === -1 ? others.tables.length : at;
  return [...others.tables.slice(0, before), ...tables, ...others.tables.slice(before)];
};

/** Names the tables by their keys, as a venue file does. */
export const allCombinations = (stored: StoredFloor, { others, tables, combinations }: FloorAfter): WrittenKeys[] => {
  const keys = new Map([...stored.tables, ...tables].map(({ id, key }) => [id, key]));
  return [...others.combinations, ...combinations].map(({ table_ids, seats }) => ({
    tables: table_ids.flatMap((id) => keys.get(id) ?? []),
    seats,
  }));
};

/** A path names the position of the table in the wanted list, as the page sent it. */
export const floorErrors = (stored: StoredFloor, wanted: WantedFloor, { others, tables }: FloorAfter): FieldErrors => {
  const own = new Set(floorOf(stored, wanted.branch_id).tables.map(({ id }) => id));
  const errors: FieldErrors = {};
  const report = (path: string, sentence: string): void => {
    errors[path] = [...(errors[path] ?? []), sentence];
  };
  const count = others.tables.length + tables.length;
  if (count > VENUE_TABLES_MAX && count > stored.tables.length) report("tables", tooManyEntries(VENUE_TABLES_MAX).sentence);
  const [ids, names] = [new Set<number>(), new Set<string>()];
  for (const [index, { id, name }] of wanted.tables.entries()) {
    if (id !== null && (!own.has(id) || ids.has(id))) report(`tables.${index}.id`, "There is no such table.");
    if (id !== null) ids.add(id);
    if (names.has(name.trim())) report(`tables.${index}.name`, "Another table has this name.");
    names.add(name.trim());
  }
  for (const [index, { tables: positions }] of wanted.combinations.entries())
    if (positions.some((position) => position >= wanted.tables.length)) report(`combinations.${index}.tables`, "There is no such table.");
  return { ...errors, ...sharedErrors(wanted, others, tables) };
};

/** The checks of the venue file, on the lists as a file would have them. */
const sharedErrors = (wanted: WantedFloor, others: StoredFloor, tables: readonly PlanTable[]): FieldErrors => {
  const all = [...others.tables, ...tables];
  const branches = [...new Set(all.map(({ branch_id }) => branch_id))].map((id) => ({ key: String(id) }));
  const combinations = wanted.combinations.map(({ tables: positions, seats }) => ({
    tables: positions.flatMap((position) => tables[position]?.key ?? []),
    seats,
  }));
  const found = tableErrors({ branches, tables: all.map(fileTable), table_combinations: combinations });
  return Object.fromEntries(
    Object.entries(found).map(([path, sentences]) => [
      path
        .replace(/^tables\.(\d+)/, (_path, index: string) => `tables.${Number(index) - others.tables.length}`)
        .replace(/^table_combinations/, "combinations"),
      sentences,
    ]),
  );
};

export type WithdrawnTable = { id: number; name: string; path: string };

/** Tables that bookings can no longer use: removed, or switched off. */
export const withdrawnTables = (before: StoredFloor, wanted: WantedFloor): WithdrawnTable[] =>
  before.tables.flatMap(({ id, name, is_active }) => {
    const position = wanted.tables.findIndex((table) => table.id === id);
    if (position === -1) return [{ id, name, path: `removed.${id}` }];
    return is_active && wanted.tables[position]?.is_active === false ? [{ id, name, path: `tables.${position}.is_active` }] : [];
  });

export const withdrawalErrors = (withdrawn: readonly WithdrawnTable[], bookings: ReadonlyMap<number, number>): FieldErrors =>
  Object.fromEntries(
    withdrawn.flatMap(({ id, name, path }) => {
      const count = bookings.get(id) ?? 0;
      return count === 0 ? [] : [[path, [bookingsToCome(`Table ${name}`, count)]]];
    }),
  );

type FloorChange = { before: Record<string, unknown>; after: Record<string, unknown> };

const tableText = ({ id, key, branch_id, ...table }: PlanTable): string => JSON.stringify([id, key, branch_id, wantedFields(table)]);
const joinTexts = ({ combinations }: StoredFloor): string => JSON.stringify(combinations.map(({ table_ids, seats }) => [table_ids, seats]));

/** Only what differs, for the activity log. Null: nothing does. */
export const floorChange = (before: StoredFloor, after: StoredFloor): FloorChange | null => {
  const [old, fresh] = [before.tables.map(tableText), after.tables.map(tableText)];
  const isJoinChanged = joinTexts(before) !== joinTexts(after);
  if (!isJoinChanged && old.join() === fresh.join()) return null;
  const part = ({ tables, combinations }: StoredFloor, others: readonly string[]) => {
    const known = new Set(others);
    return {
      tables: tables.filter((table) => !known.has(tableText(table))).map(({ id, ...table }) => ({ id, ...wantedFields(table) })),
      ...(isJoinChanged ? { combinations } : {}),
    };
  };
  return { before: part(before, fresh), after: part(after, old) };
};
