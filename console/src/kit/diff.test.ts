import { expect, test } from "vitest";
import { diffOf, formatPlain } from "./diff.ts";

test("a changed field has both values, a new one only the new", () => {
  expect(diffOf({ price_minor: 900 }, { price_minor: 950, is_available: true })).toEqual([
    { path: "price_minor", kind: "changed", from: "900", to: "950" },
    { path: "is_available", kind: "added", from: null, to: "true" },
  ]);
});

test("a field that is missing in after is context", () => {
  expect(diffOf({ url: "https://a.example/", description: null }, { description: "Till" })).toEqual([
    { path: "url", kind: "context", from: "https://a.example/", to: null },
    { path: "description", kind: "changed", from: "–", to: "Till" },
  ]);
});

test("without before all fields are added, without after all are removed", () => {
  expect(diffOf(null, { url: "x" })).toEqual([{ path: "url", kind: "added", from: null, to: "x" }]);
  expect(diffOf({ url: "x" }, null)).toEqual([{ path: "url", kind: "removed", from: "x", to: null }]);
  expect(diffOf(null, null)).toEqual([]);
});

test("objects are compared by leaf, lists by added and removed entries", () => {
  expect(diffOf({ name: { en: "Soup", it: "Zuppa" } }, { name: { en: "Broth", it: "Zuppa" } })).toEqual([
    { path: "name.en", kind: "changed", from: "Soup", to: "Broth" },
    { path: "name.it", kind: "context", from: "Zuppa", to: null },
  ]);
  expect(diffOf({ events: ["a", "b"] }, { events: ["a", "b", "c"] })).toEqual([{ path: "events", kind: "added", from: null, to: "c" }]);
  expect(diffOf({ events: ["a", "b"] }, { events: ["c", "b"] })).toEqual([{ path: "events", kind: "changed", from: "a", to: "c" }]);
  expect(diffOf({ events: ["a", "b"] }, { events: ["b", "a"] })).toEqual([{ path: "events", kind: "changed", from: "a, b", to: "b, a" }]);
});

test("values are formatted for people", () => {
  expect([null, "", 0, false, [1, 2], [{ a: 1 }]].map(formatPlain)).toEqual(["–", "“”", "0", "false", "1, 2", '[{"a":1}]']);
});
