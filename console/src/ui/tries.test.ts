import { expect, test } from "vitest";
import { createTries } from "./tries.ts";

const cash = { method: "cash", amount_minor: 500 };

test("without an answer the same tap has the same key and body, whatever the page has seen since", () => {
  const tries = createTries<typeof cash, { seen_paid_minor: number }>();
  const first = tries.begin(cash, { seen_paid_minor: 0 });
  expect(tries.begin(cash, { seen_paid_minor: 500 })).toEqual(first);
  expect(first.body).toEqual({ ...cash, seen_paid_minor: 0 });
});

test("without an answer another amount has a new key and still names what was seen first", () => {
  const tries = createTries<typeof cash, { seen_paid_minor: number }>();
  const first = tries.begin(cash, { seen_paid_minor: 0 });
  const second = tries.begin({ ...cash, amount_minor: 700 }, { seen_paid_minor: 500 });
  expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
  expect(second.body).toEqual({ method: "cash", amount_minor: 700, seen_paid_minor: 0 });
});

test("after an answer the next tap is another payment", () => {
  const tries = createTries<typeof cash, { seen_paid_minor: number }>();
  const first = tries.begin(cash, { seen_paid_minor: 0 });
  tries.end();
  const second = tries.begin(cash, { seen_paid_minor: 500 });
  expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
  expect(second.body.seen_paid_minor).toBe(500);
});
