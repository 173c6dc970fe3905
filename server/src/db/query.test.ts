/** Statements that are compiled once: each call has its own values, in the places where they were written. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { precompiled, prepared } from "./query.ts";

test("the text is that of the statement itself, and every call has its own values, whatever they are", () => {
  const write = (id: number, from: Date | null, ids: number[]) => sql`select ${id}, ${"fixed"}, ${from}, ${id}, ${ids}`;
  const stands = precompiled(write);
  const calls: Parameters<typeof write>[] = [
    [1, new Date(5), [1, 2]],
    [2, null, []],
  ];
  const asked = calls.map((values) => stands(...values));
  expect(asked.map(prepared)).toEqual(calls.map((values) => prepared(write(...values))));
});

test("a value that is changed on its way into the statement is refused: it would stay what it was the first time", () => {
  expect(() => prepared(precompiled((from: Date) => sql`select ${{ from }}`)(new Date()))).toThrow("must use its values unchanged");
});
