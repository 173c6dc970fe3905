/** Every refusal of the API says what to do, and an id that is not in the log says why. */
import { CONSOLE_ERROR_CODES, ERRORS, type ErrorCode, PARSER_ERROR_CODES } from "@comanda/contract/errors.ts";
import { expect, test } from "vitest";
import { advisedCode } from "./advice.ts";
import { explainMissing, findRequestId } from "./request-id.ts";

test("every error code that the log of requests can have has advice", () => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ![...CONSOLE_ERROR_CODES, ...PARSER_ERROR_CODES].includes(code));
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect([code, advisedCode({ code, route: "/orders" })]).not.toContain(null);
});

const ID = "01a1db39-58b8-75e1-8860-a981f2727a6a";
const MADE_AT = 0x01a1db3958b8;

test("an id is found in what people paste", () => {
  for (const text of [ID, ` ${ID}\n`, `X-Request-Id: ${ID.toUpperCase()}`, `"request_id": "${ID}"`]) expect(findRequestId(text)).toBe(ID);
  for (const text of ["", "01a1db39", ID.slice(1), ID.replace("-75", "-45")]) expect(findRequestId(text)).toBeNull();
});

test("an id that is not in the log says why", () => {
  const after = (ms: number) => explainMissing(ID, MADE_AT + ms).reason;
  expect([after(1000), after(60_000), after(2 * 86_400_000), after(2 * 86_400_000 + 1)]).toEqual(["new", "elsewhere", "elsewhere", "old"]);
  expect(explainMissing("01a1db39", MADE_AT)).toEqual({ reason: "incomplete", at: null });
});
