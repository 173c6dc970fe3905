import { expect, test } from "vitest";
import { CallError } from "#kit/api.ts";
import { readRuleErrors } from "#kit/error-text.ts";
import { addStay, chooseGuarantee } from "./rules-draft.ts";

test("a new row of stays comes before the row for any party, for a larger one than the rows before it", () => {
  expect(addStay([{ party_size_max: null, minutes: 90 }])).toEqual([
    { party_size_max: 2, minutes: 90 },
    { party_size_max: null, minutes: 90 },
  ]);
  expect(addStay([{ party_size_max: 4, minutes: 75 }])).toEqual([
    { party_size_max: 4, minutes: 75 },
    { party_size_max: null, minutes: 75 },
  ]);
});

test("a deposit becomes a card with the same amount, and nothing is nothing", () => {
  const deposit = chooseGuarantee(null, "deposit");
  expect(deposit).toEqual({ type: "deposit", amount_minor: 0, per_person: true, party_size_min: 1, hours: null });
  expect(chooseGuarantee(deposit && { ...deposit, amount_minor: 900 }, "card")).toMatchObject({ type: "card", amount_minor: 900 });
  expect(chooseGuarantee(deposit, "none")).toBeNull();
});

test("errors are found by the path of the rule", () => {
  const details = { "rules.turn_times.0.minutes": ["Must be at least 15."], seen_version: ["Is required."] };
  expect(readRuleErrors(new CallError("validation_failed", "", { details }))).toEqual({
    "turn_times.0.minutes": "Must be at least 15.",
    seen_version: "Is required.",
  });
});
