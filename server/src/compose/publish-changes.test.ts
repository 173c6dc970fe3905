import { expect, test } from "vitest";
import { readPublished } from "./publish-changes.ts";

test("a text that is no message of ours is ignored", () => {
  const change = { restaurantId: 1, number: 2, areas: ["orders"] };
  expect(readPublished(JSON.stringify([change]))).toEqual([change]);
  for (const text of ["", "{", "null", "7", "{}", "[null, 1, {}]", '[{"restaurantId":"1"}]']) expect(readPublished(text)).toEqual([]);
});
