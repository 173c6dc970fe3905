/** Every action in the server's source has a label. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AREAS, isKnownAction } from "./activity-labels.ts";

test("every kind of change of the menu is known", () => {
  const kinds = ["menu", "category", "item", "modifier_group", "happy_hour"];
  const actions = kinds.flatMap((kind) => [`${kind}.created`, `${kind}.removed`, kind === "item" ? "item.updated" : `${kind}.changed`]);
  expect(actions.filter((action) => !isKnownAction(action))).toEqual([]);
});

test("every recorded action is known", () => {
  const source = globSync("server/src/{platform,venue}/**/{service,rules,jobs,console,service/*}.ts").map((path) =>
    readFileSync(path, "utf8"),
  );
  const written = source.flatMap((text) => [
    ...[...text.matchAll(/action: "([a-z_]+\.[a-z_]+)"/g)].map(([, action = ""]) => action),
    ...[...text.matchAll(/"((?:item|webhook)\.[a-z_]+)"/g)].map(([, action = ""]) => action),
  ]);
  const actions = [...new Set(written)].filter((action) => action !== "webhook.failing");
  expect(actions.length).toBeGreaterThan(20);
  expect(actions.filter((action) => !isKnownAction(action))).toEqual([]);
  expect(actions.filter((action) => !AREAS.some((area) => action.startsWith(`${area}.`)))).toEqual([]);
});
