import type { DeliveryRow } from "@comanda/contract/console-webhooks.ts";
import { expect, test } from "vitest";
import { type DeliveryPages, mergeNewest } from "./live.ts";

const row = (id: number, state: DeliveryRow["state"] = "done") => ({ id, state }) as DeliveryRow;
const rows = (...ids: number[]) => ids.map((id) => row(id));
const loaded = (...pages: [DeliveryRow[], number | null][]): DeliveryPages => ({
  pages: pages.map(([data, next]) => ({ data, next })),
  pageParams: pages.map((_, index) => index),
});
const ids = ({ pages }: DeliveryPages) => pages.map(({ data }) => data.map(({ id }) => id));

test("new rows come on top, changed ones in their place, older pages stay", () => {
  const merged = mergeNewest(loaded([rows(9, 8, 7), 7], [rows(6, 5, 4), null]), { data: [row(10), row(9, "failed"), row(8)], next: 8 });
  expect(ids(merged)).toEqual([
    [10, 9, 8, 7],
    [6, 5, 4],
  ]);
  expect(merged.pages[0]?.data[1]?.state).toBe("failed");
  expect(merged.pages[1]?.next).toBeNull();
});

test("what no longer fits the filter is gone", () => {
  expect(ids(mergeNewest(loaded([rows(9, 8, 7), 7], [rows(6, 5), null]), { data: rows(9, 7, 6), next: 6 }))).toEqual([[9, 7, 6], [5]]);
});

test("more news than a page holds: reading starts anew", () => {
  expect(ids(mergeNewest(loaded([rows(9, 8), 8], [rows(7), null]), { data: rows(30, 29), next: 29 }))).toEqual([[30, 29]]);
});

test("a page that is everything there is replaces what was", () => {
  expect(ids(mergeNewest(loaded([rows(9, 8), 8], [rows(7), null]), { data: rows(9), next: null }))).toEqual([[9]]);
  expect(ids(mergeNewest(loaded([rows(9), null]), { data: [], next: null }))).toEqual([[]]);
});
