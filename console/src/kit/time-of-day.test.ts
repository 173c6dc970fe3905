import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isWholeTime, readTimeOfDay } from "./time-of-day.ts";

test("a time is read as people write it", () => {
  const written = {
    "18:30": ["18:30", "1830", "18.30", "18h30", "18 30", "6:30 pm", "6.30PM", "630p", "6:30 p.m.", "١٨:٣٠", "۱۸۳۰", "٦:٣٠ م", " 18:30 "],
    "18:00": ["18", "18h", "18 Uhr", "6pm", "6 p.m."],
    "09:05": ["9:05", "905", "0905", "9.05 am"],
    "00:15": ["0:15", "0015", "12:15 am"],
    "12:15": ["12:15", "12:15 pm"],
  };
  for (const [time, texts] of Object.entries(written)) expect(texts.map(readTimeOfDay)).toEqual(texts.map(() => time));
});

test("what is no time is not made one", () => {
  for (const text of ["", "24:00", "25", "18:60", "13 pm", "0 am", "half past six", "18:3", "12345", "-5"])
    expect([text, readTimeOfDay(text)]).toEqual([text, null]);
});

test("while it is typed, only a whole time counts: 18 may become 18:30", () => {
  expect(["1", "18", "183", "18:3", "18:30", "6:30"].map(isWholeTime)).toEqual([false, false, false, false, true, true]);
});

const CLOCK_OF_BROWSER = /type="(?:time|datetime-local)"/;

test("no field shows the clock of the browser, which may be another one than the page's; planted: one that does is found", () => {
  const root = join(import.meta.dirname, "..");
  const files = globSync("**/*.tsx", { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((path) => CLOCK_OF_BROWSER.test(readFileSync(join(root, path), "utf8")))).toEqual([]);
  expect(CLOCK_OF_BROWSER.test('<TextInput type="time" label="At" />')).toBe(true);
});
