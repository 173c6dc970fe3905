import { expect, test } from "vitest";
import { describeError, errorText, tellableError } from "./described-error.ts";

const GUEST = "Canaria Vogelsang";

const ofDatabase = (code: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { name: "error", severity: "ERROR", code, ...more });

test("of PostgreSQL's error the codes and the names of the schema are told, and no value", () => {
  const error = ofDatabase("23514", 'new row for relation "guests" violates check constraint "guests_name"', {
    detail: `Failing row contains (1, ${GUEST}).`,
    hint: GUEST,
    where: `unnamed portal parameter $1 = '${GUEST}'`,
    internalQuery: `select '${GUEST}'`,
    table: "guests",
    constraint: "guests_name",
    dataType: GUEST,
    client: { password: GUEST },
  });
  const { stack = "", ...told } = describeError(error);
  expect(told).toEqual({
    type: "error",
    message: 'new row for relation "guests" violates check constraint "guests_name"',
    severity: "ERROR",
    code: "23514",
    table: "guests",
    constraint: "guests_name",
  });
  expect(stack).toContain("described-error.test.ts");
  expect(JSON.stringify([told, stack])).not.toContain(GUEST);
});

test.each([
  ["22P02", `invalid input syntax for type integer: "${GUEST}"`, 'invalid input syntax for type integer: "…"'],
  ["22007", `invalid value "${GUEST}" for "YYYY"`, 'invalid value "…"'],
  ["22P02", `malformed array literal: "{"${GUEST}"\n    at evil}"`, 'malformed array literal: "…"'],
  ["42601", `syntax error at or near "${GUEST}"`, 'syntax error at or near "…"'],
  ["P0001", `The name "${GUEST}" is taken`, 'The name "…" is taken'],
])("%s %s is told without the value", (code, message, told) => {
  const error = ofDatabase(code, message);
  expect(describeError(error).message).toBe(told);
  expect(errorText(error)).not.toContain(GUEST);
  expect(errorText(error)).toContain("described-error.test.ts");
  expect(errorText(error)).not.toContain("at evil");
});

test("causes and several errors are told in the same way, and a circle of causes ends", () => {
  const inner = ofDatabase("22P02", `invalid input syntax for type uuid: "${GUEST}"`, { detail: GUEST });
  const outer: Error & { cause?: unknown } = new AggregateError([inner], "It failed");
  outer.cause = outer;
  const told = describeError(outer);
  expect(told.errors?.[0]?.message).toBe('invalid input syntax for type uuid: "…"');
  expect(told.cause?.cause?.cause?.type).toBe("AggregateError");
  expect(told.cause?.cause?.cause?.cause).toBeUndefined();
  expect(JSON.stringify(told)).not.toContain(GUEST);
});

test("addresses of people, passwords of addresses, and what a terminal would obey are left out", () => {
  expect(describeError(new Error("550 <anna@example.test> is unknown")).message).toBe("550 <…@…> is unknown");
  expect(describeError(new Error("connect postgres://app:secret@db.internal/x failed")).message).not.toContain("secret");
  expect(describeError(new Error("a\u001b[2J\u009b31m\u202eb\nc")).message).toBe("a [2J 31mb c");
  expect(describeError(new Error("x".repeat(9000))).message).toHaveLength(500);
});

test("JSON.parse repeats what it read, and this does not", () => {
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      return error;
    }
  };
  const error = parse(`{"name": ${GUEST}}`);
  expect(String(error)).toContain("Canaria");
  expect(errorText(error)).not.toContain("Canaria");
});

test.each([GUEST, null, undefined, { detail: GUEST }, [GUEST]])("a thrown value that is no error is not told", (value) => {
  expect(JSON.stringify(describeError(value))).not.toContain(GUEST);
});

test("what is stored as a whole has nothing else", () => {
  const error = tellableError(
    ofDatabase("23505", 'duplicate key value violates unique constraint "k"', { detail: GUEST, constraint: "k" }),
  );
  expect({ ...error, message: error.message, name: error.name }).toEqual({
    name: "error",
    message: 'duplicate key value violates unique constraint "k"',
    severity: "ERROR",
    code: "23505",
    constraint: "k",
  });
  expect(error.stack).toContain("described-error.test.ts");
  expect(error.stack).not.toContain(GUEST);
});
