import { expect, test } from "vitest";
import { actionOfKey, canLearn, DEFAULT_BINDINGS, keyLabel, learnKey, placeOf, readBindings, writeBindings } from "./key-bindings.ts";

test("digits bump the ticket of their place, on the number pad too", () => {
  expect(actionOfKey(DEFAULT_BINDINGS, "Digit1")).toBe("bump_1");
  expect(actionOfKey(DEFAULT_BINDINGS, "Numpad9")).toBe("bump_9");
  expect(actionOfKey(DEFAULT_BINDINGS, "NumpadEnter")).toBe("bump");
  expect(actionOfKey(DEFAULT_BINDINGS, "KeyQ")).toBeNull();
  expect([placeOf("bump_1"), placeOf("bump_9"), placeOf("bump")]).toEqual([0, 8, null]);
});

test("a learned key has one action: the action that had it before loses it", () => {
  const learned = learnKey(DEFAULT_BINDINGS, "recall", "Digit3");
  expect(actionOfKey(learned, "Digit3")).toBe("recall");
  expect(learned.bump_3).toBeNull();
  expect(actionOfKey(learned, "Backspace")).toBeNull();
});

test("the number pad can be learned apart from the digits", () => {
  const learned = learnKey(DEFAULT_BINDINGS, "page_next", "Numpad3");
  expect(actionOfKey(learned, "Numpad3")).toBe("page_next");
  expect(actionOfKey(learned, "Digit3")).toBe("bump_3");
});

test("keys that a page needs are not learned", () => {
  expect(["Escape", "Tab", "ShiftLeft", "ControlRight", ""].filter(canLearn)).toEqual([]);
  expect(learnKey(DEFAULT_BINDINGS, "bump", "Escape")).toBe(DEFAULT_BINDINGS);
});

test("stored keys are read again, and what cannot be read is left as it was", () => {
  const learned = learnKey(DEFAULT_BINDINGS, "bump", "KeyB");
  expect(readBindings(writeBindings(learned))).toEqual(learned);
  expect(readBindings(null)).toEqual(DEFAULT_BINDINGS);
  expect(readBindings("{")).toEqual(DEFAULT_BINDINGS);
  expect(readBindings('{"bump":5,"unknown":"KeyX"}')).toEqual(DEFAULT_BINDINGS);
});

test("keys are named as they are printed", () => {
  expect(["Digit4", "KeyB", "ArrowLeft", "PageDown"].map(keyLabel)).toEqual(["4", "B", "←", "PageDown"]);
});
