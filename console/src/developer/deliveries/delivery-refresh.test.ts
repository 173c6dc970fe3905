import type { DeliverySummary } from "@comanda/contract/console/webhooks.ts";
import { expect, test } from "vitest";
import { type DeliveryPages, mergeNewest } from "./delivery-refresh.ts";

const row = (id: number, state: DeliverySummary["state"] = "done") => ({ id, state }) as DeliverySummary;
const rows = (...ids: number[]) => ids.map((id) => row(id));
const loaded = (...pages: [DeliverySummary[], number | null][]): DeliveryPages => ({
  pages: pages.map(([data, next]) => ({ data, next })),
  pageParams: pages.map((_, index) => index),
});
const ids = ({ pages }: DeliveryPages) => pages.map(({ data }) => data.map(({ id }) => id));

test("new rows are added on top, changed rows stay in place, older pages stay", () => {
  const merged = mergeNewest(loaded([rows(9, 8, 7), 7], [rows(6, 5, 4), null]), { data: [row(10), row(9, "failed"), row(8)], next: 8 });
  expect(ids(merged)).toEqual([
    [10, 9, 8, 7],
    [6, 5, 4],
  ]);
  expect(merged.pages[0]?.data[1]?.state).toBe("failed");
  expect(merged.pages[1]?.next).toBeNull();
});

test("rows that no longer match the filter are removed", () => {
  expect(ids(mergeNewest(loaded([rows(9, 8, 7), 7], [rows(6, 5), null]), { data: rows(9, 7, 6), next: 6 }))).toEqual([[9, 7, 6], [5]]);
});

test("a gap between the newest and the loaded page resets the list", () => {
  expect(ids(mergeNewest(loaded([rows(9, 8), 8], [rows(7), null]), { data: rows(30, 29), next: 29 }))).toEqual([[30, 29]]);
});

test("a single page replaces the loaded pages", () => {
  expect(ids(mergeNewest(loaded([rows(9, 8), 8], [rows(7), null]), { data: rows(9), next: null }))).toEqual([[9]]);
  expect(ids(mergeNewest(loaded([rows(9), null]), { data: [], next: null }))).toEqual([[]]);
});
