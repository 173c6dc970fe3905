import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { en } from "../../texts/en.ts";
import { labelOf, writeMoney, writeValue } from "./fields.ts";
import { actionKey } from "./words.ts";

const t = i18next.t.bind(i18next);
beforeAll(() => i18next.init({ lng: "en", resources: { en: { translation: en } } }));

test("amounts are written in their currency, whatever its smallest unit is", () => {
  expect([writeMoney(950, "EUR"), writeMoney(1250, "KWD"), writeMoney(800, "JPY")].map((text) => text.replaceAll(/\s/g, " "))).toEqual([
    "€9.50",
    "KWD 1.250",
    "¥800",
  ]);
  expect(writeValue(t, "EUR")("price_minor", 900)).toBe("€9.00");
  expect(writeValue(t, "EUR")("party_size", 900)).toBe("900");
});

test("fields, states and yes or no have words; what has none is shown as it is called", () => {
  expect(["price_minor", "name.it", "some_field"].map((path) => labelOf(t, path))).toEqual(["Price", "Name (it)", "some field"]);
  const write = writeValue(t, "EUR");
  expect([write("status", "no_show"), write("is_available", false), write("status", "eaten")]).toEqual(["no-show", "no", "eaten"]);
});

test("an order that became ready has a sentence of its own", () => {
  expect(actionKey({ action: "order.moved", after: { status: "ready" } })).toBe("activity.actions.order.moved_ready");
  expect(actionKey({ action: "order.moved", after: { status: "eaten" } })).toBe("activity.actions.order.moved");
  expect(actionKey({ action: "item.availability_changed", after: { is_available: false } })).toBe(
    "activity.actions.item.availability_changed_false",
  );
  expect(actionKey({ action: "order.eaten", after: null })).toBeNull();
});
