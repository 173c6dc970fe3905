import { expect, test } from "vitest";
import { codeFaultOf } from "./code-fault.ts";

test.each(["7K4D92Q7", "7k4d 92q7", " 7K4D-92Q7 ", "٧k٤d ٩٢q٧", "۷k۴d۹۲q۷"])("%j is the code that the screen shows", (typed) => {
  expect(codeFaultOf(typed, true)).toBeNull();
});

test.each(["7K4D92Q8", "7K4D29Q7", "7K4D 92Q77", "7K4D92Qش"])("%j is told as mistyped while it is typed", (typed) => {
  expect(codeFaultOf(typed, false)).toBe("screens.codeMistyped");
});

test("a code that is not complete is told when it is sent", () => {
  expect([codeFaultOf("7K4D", false), codeFaultOf("7K4D", true), codeFaultOf("", true)]).toEqual([
    null,
    "screens.codeMissing",
    "screens.codeMissing",
  ]);
});

test("look-alikes are read", () => {
  expect(codeFaultOf("m3x8ho54", true)).toBeNull();
});
