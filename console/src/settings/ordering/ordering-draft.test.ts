import { expect, test } from "vitest";
import { changeType, hasZoneGaps, offerType, readPlaces, setMinutes } from "./ordering-draft.ts";

const TYPES = [{ type: "pickup", minimum_minor: 500, preparation_minutes: 25 } as const];

test("a type is offered and taken away; the others stay as they are", () => {
  expect(offerType(TYPES, "delivery", true)).toEqual([...TYPES, { type: "delivery", minimum_minor: 0 }]);
  expect(offerType(TYPES, "pickup", false)).toEqual([]);
  expect(changeType(TYPES, "pickup", { minimum_minor: 700 })).toEqual([{ type: "pickup", minimum_minor: 700, preparation_minutes: 25 }]);
  expect(changeType(TYPES, "delivery", { minimum_minor: 700 })).toEqual(TYPES);
});

test("without minutes the member is missing, so that the usual time counts", () => {
  expect(setMinutes(TYPES, "pickup", null)).toEqual([{ type: "pickup", minimum_minor: 500 }]);
  expect(setMinutes(TYPES, "pickup", 0)).toEqual([{ type: "pickup", minimum_minor: 500, preparation_minutes: 0 }]);
});

test("places come one on a line or in a pasted list, each once", () => {
  expect(readPlaces("Labtown\n Old Harbour , Labtown;;\n00186\n")).toEqual(["Labtown", "Old Harbour", "00186"]);
});

test("a zone without a name or a place is not complete", () => {
  const rules = { types: [], schedule_days_max: 1, delivery_fee_minor: 0, delivery_zones: [] };
  const zone = { name: "Town", cities: ["Labtown"], fee_minor: 0, minimum_minor: null };
  expect(hasZoneGaps({ ...rules, delivery_zones: [zone] })).toBe(false);
  expect(hasZoneGaps({ ...rules, delivery_zones: [zone, { ...zone, name: " " }] })).toBe(true);
  expect(hasZoneGaps({ ...rules, delivery_zones: [{ ...zone, cities: [] }] })).toBe(true);
});
