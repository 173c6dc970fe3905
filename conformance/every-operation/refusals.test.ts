/** The common shape of all errors. The client checks the shape; these tests cause each kind. */
import { CONSOLE_ERROR_CODES, ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { pathParameters } from "@comanda/contract/operation.ts";
import { operationEntries, operations } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import type { CheckedAnswer, JsonValues } from "../answer-check.ts";
import { call } from "../client.ts";
import { perform, unknownPath } from "../examples.ts";
import { errorOf, expectRefused } from "../expectations.ts";
import { lab, lapsed, suspended } from "../target.ts";

const expectErrorShape = (answer: CheckedAnswer): void => {
  expect(Object.keys(answer.body as JsonValues)).toEqual(["error"]);
  const error = errorOf(answer);
  expect(Object.keys(error).sort()).toEqual(["code", "details", "message"]);
  expect(typeof error.code).toBe("string");
  expect(error.message.trim()).not.toBe("");
  expect(error.details).toBeTypeOf("object");
  expect(Array.isArray(error.details)).toBe(false);
};

const expectCommonHeaders = ({ headers }: CheckedAnswer): void => {
  expect(headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
  expect(headers.get("x-ratelimit-limit")).toMatch(/^\d+$/);
};

const full = lab.tokens.full;

for (const [id, operation] of operationEntries)
  describe(id, () => {
    const { method } = operation;

    test(`RX-03 RX-04 RX-05 R2.9-02 ${id}: 401, 403 and 405 have the error shape and the common headers`, async () => {
      const refusals: [CheckedAnswer, ErrorCode][] = [
        [await call(null, method, unknownPath(operation)), "unauthenticated"],
        [await call(lapsed.tokens.no_scopes, method, unknownPath(operation)), "plan_lapsed"],
        [await call(lapsed.tokens.full, method, unknownPath(operation)), "plan_lapsed"],
        [await call(full, "DELETE", unknownPath(operation)), "method_not_allowed"],
      ];
      if (operation.scope !== null) refusals.push([await call(lab.tokens.no_scopes, method, unknownPath(operation)), "insufficient_scope"]);
      for (const [answer, code] of refusals) {
        expectRefused(answer, code);
        expectErrorShape(answer);
        expectCommonHeaders(answer);
      }
    });

    if (pathParameters(operation.path).length > 0)
      test(`RX-03 RX-04 RX-05 R7.1-06 ${id}: 404 is not_found, without details`, async () => {
        const answer = await call(full, method, unknownPath(operation));
        expectRefused(answer, "not_found");
        expectErrorShape(answer);
        expectCommonHeaders(answer);
        expect(errorOf(answer).details).toEqual({});
      });

    if (operation.body)
      test(`RX-03 RX-04 RX-05 R7.1-06 ${id}: 422 is validation_failed, with details`, async () => {
        const answer = await perform(id, lab, { rawBody: "[1]" });
        expectRefused(answer, "validation_failed");
        expectErrorShape(answer);
        expectCommonHeaders(answer);
        expect(errorOf(answer).details).not.toEqual({});
      });

    if (method !== "GET")
      test(`RX-03 RX-04 RX-05 ${id}: 403 of a suspended restaurant`, async () => {
        const answer = await call(suspended.tokens.full, method, unknownPath(operation));
        expectRefused(answer, "restaurant_suspended");
        expectErrorShape(answer);
        expectCommonHeaders(answer);
      });
  });

test("R7.1-06 422 is idempotency_key_reused only for a key used before with another body", async () => {
  const headers = { "idempotency-key": crypto.randomUUID() };
  await perform("createItem", lab, { headers });
  const { method, path } = operations.createItem;
  expectRefused(await call(full, method, path, { headers, body: { name: "Other" } }), "idempotency_key_reused");
});

test("R7.1-06 the contract itself knows no other code on 404, 409 and 422", () => {
  const codesOf = (status: number) =>
    Object.entries(ERRORS)
      .filter(([code, error]) => error.status === status && !CONSOLE_ERROR_CODES.includes(code as ErrorCode))
      .map(([code]) => code);
  expect(codesOf(404)).toEqual(["not_found"]);
  expect(codesOf(409).sort()).toEqual(["idempotency_key_in_use", "invalid_transition"]);
  expect(codesOf(422).sort()).toEqual(["idempotency_key_reused", "validation_failed"]);
});
