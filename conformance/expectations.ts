/** What the tests say about an answer, in one line each. */
import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { expect } from "vitest";
import type { Answer, JsonObject } from "./answer-check.ts";

export type ErrorOfAnswer = { code: ErrorCode; message: string; details: JsonObject };

export const errorOf = (answer: Answer): ErrorOfAnswer => (answer.body as { error: ErrorOfAnswer }).error;

export const expectStatus = (answer: Answer, status: number): void => {
  expect(answer.status, answer.text.slice(0, 600)).toBe(status);
};

export const expectRefused = (answer: Answer, code: ErrorCode): void => {
  expectStatus(answer, ERRORS[code].status);
  expect(errorOf(answer).code).toBe(code);
};

/** 422 `validation_failed` naming at least these fields. */
export const expectInvalid = (answer: Answer, ...fields: string[]): void => {
  expectRefused(answer, "validation_failed");
  expect(Object.keys(errorOf(answer).details)).toEqual(expect.arrayContaining(fields));
};

/** Where two spellings of the field's path are both right, one of them is named. */
export const expectInvalidAny = (answer: Answer, ...fields: string[]): void => {
  expectRefused(answer, "validation_failed");
  const named = Object.keys(errorOf(answer).details);
  expect(
    named.some((field) => fields.includes(field)),
    `${named} names none of ${fields}`,
  ).toBe(true);
};

/** Distinct in every run, so that a test can find what it made on a server that is never emptied. */
export const uniqueName = (word: string): string => `${word} ${crypto.randomUUID()}`;
