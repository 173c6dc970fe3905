import { expect, test } from "vitest";
import { diffOf, written } from "./diff.ts";

test("a changed field has both values, a new one only the new", () => {
  expect(diffOf({ price_minor: 900 }, { price_minor: 950, is_available: true })).toEqual([
    { path: "price_minor", kind: "changed", from: "900", to: "950" },
    { path: "is_available", kind: "added", from: null, to: "true" },
  ]);
});

test("what is not named again stood beside the change", () => {
  expect(diffOf({ url: "https://a.example/", description: null }, { description: "Till" })).toEqual([
    { path: "url", kind: "context", from: "https://a.example/", to: null },
    { path: "description", kind: "changed", from: "–", to: "Till" },
  ]);
});

test("nothing before is all new, nothing after is all gone, nothing at all is nothing", () => {
  expect(diffOf(null, { url: "x" })).toEqual([{ path: "url", kind: "added", from: null, to: "x" }]);
  expect(diffOf({ url: "x" }, null)).toEqual([{ path: "url", kind: "removed", from: "x", to: null }]);
  expect(diffOf(null, null)).toEqual([]);
});

test("trees are compared leaf by leaf, lists by what came and went", () => {
  expect(diffOf({ name: { en: "Soup", it: "Zuppa" } }, { name: { en: "Broth", it: "Zuppa" } })).toEqual([
    { path: "name.en", kind: "changed", from: "Soup", to: "Broth" },
    { path: "name.it", kind: "context", from: "Zuppa", to: null },
  ]);
  expect(diffOf({ events: ["a", "b"] }, { events: ["a", "b", "c"] })).toEqual([{ path: "events", kind: "added", from: null, to: "c" }]);
  expect(diffOf({ events: ["a", "b"] }, { events: ["c", "b"] })).toEqual([{ path: "events", kind: "changed", from: "a", to: "c" }]);
  expect(diffOf({ events: ["a", "b"] }, { events: ["b", "a"] })).toEqual([{ path: "events", kind: "changed", from: "a, b", to: "b, a" }]);
});

test("values as people read them", () => {
  expect([null, "", 0, false, [1, 2], [{ a: 1 }]].map(written)).toEqual(["–", "“”", "0", "false", "1, 2", '[{"a":1}]']);
});
