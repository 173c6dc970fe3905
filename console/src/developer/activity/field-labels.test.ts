import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { en } from "#compose/texts.en.ts";
import { formatMoney } from "#kit/number-format.ts";
import { enLogs } from "../texts-logs.en.ts";
import { actionKey } from "./activity-labels.ts";
import { fieldLabelOf, formatFieldValue } from "./field-labels.ts";

const t = i18next.t.bind(i18next);
beforeAll(() => i18next.init({ lng: "en", resources: { en: { translation: { ...en, ...enLogs } } } }));

test("amounts are formatted in their currency and its smallest unit", () => {
  expect([formatMoney(950, "EUR"), formatMoney(1250, "KWD"), formatMoney(800, "JPY")].map((text) => text.replaceAll(/\s/g, " "))).toEqual([
    "€9.50",
    "KWD 1.250",
    "¥800",
  ]);
  expect(formatFieldValue(t, "EUR")("price_minor", 900)).toBe("€9.00");
  expect(formatFieldValue(t, "EUR")("party_size", 900)).toBe("900");
});

test("fields, statuses and booleans have labels; unknown ones show their own name", () => {
  expect(["price_minor", "name.it", "some_field"].map((path) => fieldLabelOf(t, path))).toEqual(["Price", "Name (it)", "some field"]);
  const write = formatFieldValue(t, "EUR");
  expect([write("status", "no_show"), write("is_available", false), write("status", "eaten")]).toEqual(["no-show", "no", "eaten"]);
});

test("a status change has its own sentence", () => {
  expect(actionKey({ action: "order.moved", after: { status: "ready" } })).toBe("activity.actions.order.moved_ready");
  expect(actionKey({ action: "order.moved", after: { status: "eaten" } })).toBe("activity.actions.order.moved");
  expect(actionKey({ action: "item.availability_changed", after: { is_available: false } })).toBe(
    "activity.actions.item.availability_changed_false",
  );
  expect(actionKey({ action: "order.eaten", after: null })).toBeNull();
});
