import type { VenueFloor } from "@comanda/contract/console/floor.ts";
import { expect, test } from "vitest";
import { CallError } from "#kit/api.ts";
import {
  addJoin,
  addTable,
  bodyOf,
  changeTable,
  draftOf,
  isSameDraft,
  moveTable,
  nextName,
  removeTable,
  restoreTable,
} from "./floor-draft.ts";
import { readFloorErrors } from "./floor-errors.ts";

const table = (id: number, branch_id: number, name: string) => ({
  id,
  key: `k${id}`,
  branch_id,
  name,
  code: null,
  seats: 4,
  is_active: true,
  place: null,
  shape: "square" as const,
});
const PLAN: VenueFloor = {
  branches: [{ id: 1, name: { en: "One" }, version: "v1" }],
  tables: [table(11, 1, "T1"), table(12, 1, "T2"), table(21, 2, "B1")],
  combinations: [
    { table_ids: [11, 12], seats: 9 },
    { table_ids: [21, 22], seats: 9 },
  ],
};
const DRAFT = draftOf(PLAN, 1);
const BRANCH = { id: 1, version: "v1" };

test("a draft has the tables and joins of its branch, and is sent back as it came", () => {
  expect(DRAFT.tables.map(({ id }) => id)).toEqual([11, 12]);
  expect(bodyOf(DRAFT, BRANCH)).toMatchObject({
    branch_id: 1,
    seen_version: "v1",
    tables: [{ id: 11 }, { id: 12 }],
    combinations: [{ tables: [0, 1], seats: 9 }],
  });
  expect(isSameDraft(DRAFT, draftOf(PLAN, 1))).toBe(true);
});

test("a table moves inside the plan; the others get the place where they were shown", () => {
  const moved = moveTable(DRAFT, 11, { x: 120, y: -4.4 });
  expect(moved.tables[0]?.place).toEqual({ x: 100, y: 0 });
  expect(moved.tables[1]?.place).not.toBeNull();
  expect(moveTable(moved, 12, { x: 33.4, y: 33.6 }).tables.map(({ place }) => place)).toEqual([
    { x: 100, y: 0 },
    { x: 33, y: 34 },
  ]);
});

test("a new table has the next name, a place of its own, and no id when it is sent", () => {
  const added = addTable(addTable(DRAFT));
  expect(added.tables.map(({ id, name }) => [id, name])).toEqual([
    [11, "T1"],
    [12, "T2"],
    [-1, "T3"],
    [-2, "T4"],
  ]);
  expect(new Set(added.tables.map(({ place }) => JSON.stringify(place))).size).toBe(4);
  const joined = addJoin(added, [12, -2]);
  expect(bodyOf(joined, BRANCH)).toMatchObject({
    tables: [{}, {}, { id: null }, { id: null }],
    combinations: [{}, { tables: [1, 3], seats: 8 }],
  });
});

test("names go on with the last number and its words", () => {
  expect(nextName([])).toBe("1");
  expect(nextName(["Terrace 4", "Bar", "Terrace 9"])).toBe("Terrace 10");
  expect(nextName(["T1", "T3", "B1"])).toBe("B2");
  expect(nextName(["Window"])).toBe("1");
});

test("a removed table takes its joins with it, and brings them back when it cannot be removed", () => {
  const removed = removeTable(DRAFT, 11);
  expect([removed.tables.map(({ id }) => id), removed.joins]).toEqual([[12], []]);
  const restored = restoreTable(removed, DRAFT, 11);
  expect([restored.tables.map(({ id }) => id), restored.joins]).toEqual([[12, 11], DRAFT.joins]);
});

test("a code of spaces is no code", () => {
  expect(bodyOf(changeTable(DRAFT, 11, { code: "  ", name: " T9 " }), BRANCH).tables[0]).toMatchObject({ code: null, name: "T9" });
});

test("errors are found at their tables, also those of removed ones", () => {
  const details = {
    "tables.1.name": ["Another table has this name."],
    "tables.0.is_active": ["Table T1 has 2 bookings to come."],
    "removed.13": ["Table T3 has 1 booking to come."],
    "combinations.0.tables": ["There is no such table."],
  };
  const { byTable, removedIds, others } = readFloorErrors(new CallError("validation_failed", "", { details }), DRAFT.tables);
  expect([...byTable]).toEqual([
    [12, [{ field: "name", sentence: "Another table has this name.", booked: null }]],
    [11, [{ field: "is_active", sentence: "Table T1 has 2 bookings to come.", booked: 2 }]],
    [13, [{ field: "removed", sentence: "Table T3 has 1 booking to come.", booked: 1 }]],
  ]);
  expect([removedIds, others]).toEqual([[13], ["There is no such table."]]);
});
