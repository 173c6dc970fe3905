import { expect, test } from "vitest";
import { concernsScreen } from "./screen-stream.ts";

test("a screen reads again when tickets, screens or everything changed", () => {
  expect(['["tickets"]', '["menu","screens"]', '["all"]', "", "null"].map(concernsScreen)).toEqual([true, true, true, true, true]);
  expect(['["menu"]', "[]"].map(concernsScreen)).toEqual([false, false]);
});
