/** Assertions about answers. */
import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { expect } from "vitest";
import type { CheckedAnswer, JsonValues } from "./answer-check.ts";

export type ErrorOfAnswer = { code: ErrorCode; message: string; details: JsonValues };

export const errorOf = (answer: CheckedAnswer): ErrorOfAnswer => (answer.body as { error: ErrorOfAnswer }).error;

export const expectStatus = (answer: CheckedAnswer, status: number): void => {
  expect(answer.status, answer.text.slice(0, 600)).toBe(status);
};

export const expectRefused = (answer: CheckedAnswer, code: ErrorCode): void => {
  expectStatus(answer, ERRORS[code].status);
  expect(errorOf(answer).code).toBe(code);
};

/** 422 `validation_failed` naming at least these fields. */
export const expectInvalid = (answer: CheckedAnswer, ...fields: string[]): void => {
  expectRefused(answer, "validation_failed");
  expect(Object.keys(errorOf(answer).details)).toEqual(expect.arrayContaining(fields));
};

/** The refusal names one of the fields, because some paths have two valid spellings. */
export const expectInvalidAny = (answer: CheckedAnswer, ...fields: string[]): void => {
  expectRefused(answer, "validation_failed");
  const named = Object.keys(errorOf(answer).details);
  expect(
    named.some((field) => fields.includes(field)),
    `${named} names none of ${fields}`,
  ).toBe(true);
};

/** Unique in every run, so that a test finds its own rows on a server that is never emptied. */
export const uniqueName = (word: string): string => `${word} ${crypto.randomUUID()}`;
