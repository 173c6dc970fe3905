/** Where tables stand on a plan that is wider than high, in per cent of the plan. */
import type { TablePlace } from "@comanda/contract/venue-file/restaurant.ts";

type PlacedTable = { id: number; place: TablePlace | null };

/** The plan is 16 wide and 10 high. */
const WIDTH_TO_HEIGHT = 1.6;
/** Finer grids have more free cells. After so many of them, tables are put over others. */
const GRIDS_MAX = 60;

type Grid = { columns: number; rows: number };

const gridFor = (cells: number): Grid => {
  const columns = Math.max(1, Math.ceil(Math.sqrt(cells * WIDTH_TO_HEIGHT)));
  return { columns, rows: Math.max(1, Math.ceil(cells / columns)) };
};

const cellsOf = ({ columns, rows }: Grid): TablePlace[] =>
  Array.from({ length: columns * rows }, (_, index) => ({
    x: Math.round((((index % columns) + 0.5) / columns) * 100),
    y: Math.round(((Math.floor(index / columns) + 0.5) / rows) * 100),
  }));

/** Tables of neighbouring cells do not touch. */
const isNear = (one: TablePlace, other: TablePlace, { columns, rows }: Grid): boolean =>
  Math.abs(one.x - other.x) < 60 / columns && Math.abs(one.y - other.y) < 60 / rows;

const freeCells = (taken: readonly TablePlace[], grid: Grid): TablePlace[] =>
  cellsOf(grid).filter((cell) => !taken.some((place) => isNear(cell, place, grid)));

const findCells = (taken: readonly TablePlace[], count: number): TablePlace[] => {
  for (let more = 0; more < GRIDS_MAX; more++) {
    const free = freeCells(taken, gridFor(taken.length + count + more * 4));
    if (free.length >= count) return free;
  }
  return cellsOf(gridFor(count));
};

/** A table that has a place keeps it. The others get the free cells of a grid, in their order, so that none covers another. */
export const placeTables = (tables: readonly PlacedTable[]): Map<number, TablePlace> => {
  const taken = tables.flatMap(({ place }) => (place === null ? [] : [place]));
  const missing = tables.length - taken.length;
  const cells = missing === 0 ? [] : findCells(taken, missing);
  const next = cells.values();
  return new Map(tables.map(({ id, place }) => [id, place ?? next.next().value ?? { x: 50, y: 50 }]));
};
