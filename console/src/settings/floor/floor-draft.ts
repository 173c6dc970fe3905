/** What the manager has changed on the plan of one branch and not saved yet. Every function returns a new draft. */
import type { PlanTable, VenueFloor, WantedFloor } from "@comanda/contract/console/floor.ts";
import type { TablePlace } from "@comanda/contract/venue-file/restaurant.ts";
import { placeTables } from "#kit/floor-layout.ts";

/** A new table has a negative id until it is saved. */
export type DraftTable = Omit<PlanTable, "key" | "branch_id">;
/** Tables that can be pushed together, and how many sit there then. */
export type DraftJoin = { tableIds: number[]; seats: number };
export type FloorDraft = { tables: DraftTable[]; joins: DraftJoin[] };

export const SEATS_MAX = 100;
const NEW_SEATS = 4;

export const draftOf = ({ tables, combinations }: VenueFloor, branchId: number): FloorDraft => {
  const own = tables.filter(({ branch_id }) => branch_id === branchId);
  const ids = new Set(own.map(({ id }) => id));
  return {
    tables: own.map(({ key: _key, branch_id: _branch, ...table }) => table),
    joins: combinations
      .filter(({ table_ids }) => table_ids.every((id) => ids.has(id)))
      .map(({ table_ids, seats }) => ({ tableIds: table_ids, seats })),
  };
};

export const isSameDraft = (one: FloorDraft, other: FloorDraft): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Every table gets the place where it is shown now, so that the others stay when one is moved or added. */
const withPlaces = ({ tables, joins }: FloorDraft): FloorDraft => {
  const places = placeTables(tables);
  return { joins, tables: tables.map((table) => ({ ...table, place: places.get(table.id) ?? table.place })) };
};

const clamp = (value: number): number => Math.min(100, Math.max(0, Math.round(value)));

export const moveTable = (draft: FloorDraft, id: number, { x, y }: TablePlace): FloorDraft => {
  const { tables, joins } = withPlaces(draft);
  return { joins, tables: tables.map((table) => (table.id === id ? { ...table, place: { x: clamp(x), y: clamp(y) } } : table)) };
};

export const changeTable = ({ tables, joins }: FloorDraft, id: number, change: Partial<DraftTable>): FloorDraft => ({
  joins,
  tables: tables.map((table) => (table.id === id ? { ...table, ...change } : table)),
});

/** The highest number at the end of a name goes on, with the words before it: after "Terrace 4" comes "Terrace 5". */
export const nextName = (names: readonly string[]): string => {
  const numbered = names.flatMap((name) => {
    const [, words = "", digits = ""] = /^(.*?)(\d{1,6})$/.exec(name) ?? [];
    return digits === "" ? [] : [{ words, number: Number(digits) }];
  });
  const words = numbered.at(-1)?.words ?? "";
  const numbers = numbered.filter((one) => one.words === words).map(({ number }) => number);
  let number = Math.max(0, ...numbers) + 1;
  while (names.includes(`${words}${number}`)) number++;
  return `${words}${number}`;
};

const nextId = (tables: readonly DraftTable[]): number => Math.min(0, ...tables.map(({ id }) => id)) - 1;

/** The table is last in the list. */
export const addTable = (draft: FloorDraft): FloorDraft => {
  const { tables, joins } = withPlaces(draft);
  const added: DraftTable = {
    id: nextId(tables),
    name: nextName(tables.map(({ name }) => name)),
    code: null,
    seats: NEW_SEATS,
    is_active: true,
    place: null,
    shape: "square",
  };
  return withPlaces({ joins, tables: [...tables, added] });
};

export const removeTable = (draft: FloorDraft, id: number): FloorDraft => {
  const { tables, joins } = withPlaces(draft);
  return { tables: tables.filter((table) => table.id !== id), joins: joins.filter(({ tableIds }) => !tableIds.includes(id)) };
};

/** A table that cannot be removed comes back with its joins. */
export const restoreTable = (draft: FloorDraft, saved: FloorDraft, id: number): FloorDraft => {
  const table = saved.tables.find((one) => one.id === id);
  if (!table || draft.tables.some((one) => one.id === id)) return draft;
  const tables = [...draft.tables, table];
  const isWhole = ({ tableIds }: DraftJoin): boolean => tableIds.every((one) => tables.some((known) => known.id === one));
  return withPlaces({ tables, joins: [...draft.joins, ...saved.joins.filter((join) => join.tableIds.includes(id) && isWhole(join))] });
};

export const seatsTogether = (tables: readonly DraftTable[], ids: readonly number[]): number =>
  tables.filter(({ id }) => ids.includes(id)).reduce((sum, { seats }) => sum + seats, 0);

export const addJoin = ({ tables, joins }: FloorDraft, tableIds: number[]): FloorDraft => ({
  tables,
  joins: [...joins, { tableIds, seats: seatsTogether(tables, tableIds) }],
});

export const changeJoin = ({ tables, joins }: FloorDraft, at: number, seats: number): FloorDraft => ({
  tables,
  joins: joins.map((join, index) => (index === at ? { ...join, seats } : join)),
});

export const removeJoin = ({ tables, joins }: FloorDraft, at: number): FloorDraft => ({
  tables,
  joins: joins.filter((_join, index) => index !== at),
});

/** What is saved. Only spaces as code is no code. */
export const bodyOf = ({ tables, joins }: FloorDraft, branch: { id: number; version: string }): WantedFloor => ({
  branch_id: branch.id,
  seen_version: branch.version,
  tables: tables.map(({ id, name, code, ...table }) => ({
    ...table,
    id: id < 0 ? null : id,
    name: name.trim(),
    code: code?.trim() ? code.trim() : null,
  })),
  combinations: joins.map(({ tableIds, seats }) => ({
    tables: tableIds.map((id) => tables.findIndex((table) => table.id === id)),
    seats,
  })),
});
