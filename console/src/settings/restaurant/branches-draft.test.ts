import type { VenueBranch } from "@comanda/contract/console/venue-settings.ts";
import { expect, test } from "vitest";
import { addCard, cardsOf, changeCard, isSameCards, makeDefault, mergeCards, moveUp, removeCard } from "./branches-draft.ts";

const branch = (key: string, changes: Partial<VenueBranch> = {}): VenueBranch => ({
  id: key.length,
  key,
  name: { en: key },
  is_default: false,
  address: null,
  hours: null,
  closing_days: [],
  ...changes,
});
const LUNCH = [{ days: ["mon" as const], from: "12:00", to: "15:00" }];
const MAIN = branch("main", { is_default: true, hours: LUNCH, closing_days: [{ date: "2026-12-25", reason: null }] });
const ANNEX = branch("annex");
const BEGUN = cardsOf([MAIN, ANNEX]);

test("a changed branch keeps hours and closing days as they are now, also those that were changed meanwhile", () => {
  const merge = mergeCards(changeCard(BEGUN, "annex", { address: "  3 Quay " }), BEGUN);
  const now = { ...ANNEX, closing_days: [{ date: "2026-11-18", reason: "flood" }] };
  const { id: _, ...kept } = now;
  expect(merge([MAIN, now])?.[1]).toEqual({ ...kept, address: "3 Quay" });
});

test("what another person changed of names, addresses or order is not overwritten", () => {
  const merge = mergeCards(changeCard(BEGUN, "annex", { address: "3 Quay" }), BEGUN);
  expect(merge([MAIN, { ...ANNEX, name: { en: "Harbour" } }])).toBeNull();
  expect(merge([ANNEX, MAIN])).toBeNull();
  expect(merge([MAIN])).toBeNull();
});

test("a new branch has no key and the hours of the default one; a removed one is left out", () => {
  const named = changeCard(addCard(BEGUN, "new-1"), "new-1", { name: { en: "Garden" }, address: " " });
  expect(mergeCards(removeCard(named, "annex"), BEGUN)([MAIN, ANNEX])).toEqual([
    { key: "main", name: { en: "main" }, is_default: true, address: null, hours: LUNCH, closing_days: MAIN.closing_days },
    { key: null, name: { en: "Garden" }, is_default: false, address: null, hours: LUNCH, closing_days: [] },
  ]);
});

test("a new branch that is removed is gone; a stored one stays until it is saved, and can be kept", () => {
  expect(removeCard(addCard(BEGUN, "new-1"), "new-1")).toEqual(BEGUN);
  const removed = removeCard(BEGUN, "annex");
  expect(removed).toHaveLength(2);
  expect(isSameCards(changeCard(removed, "annex", { isRemoved: false }), BEGUN)).toBe(true);
});

test("exactly one branch is the default, and the first one cannot move up", () => {
  expect(makeDefault(BEGUN, "annex").map(({ is_default }) => is_default)).toEqual([false, true]);
  expect(moveUp(BEGUN, "annex").map(({ key }) => key)).toEqual(["annex", "main"]);
  expect(moveUp(BEGUN, "main")).toEqual(BEGUN);
});
