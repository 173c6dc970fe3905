/** Striking a line as a pure rule: equal to the order without it, and sensible when the charges have changed since. */
import { ORDER_TYPES, type OrderLine } from "@comanda/contract/venue/orders.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { wallClock } from "#lib/time-zone.ts";
import { SEED } from "../../../../test/support/seeded-random.ts";
import { type Amounts, priceOrder } from "./pricing.ts";
import { amountsOf, isLastLine, isLeft, splitLine } from "./strike-line.ts";

const ZONE = "Europe/Rome";
const PLACED_AT = new Date("2026-11-14T12:00:00Z");
const KEYS = ["a", "b", "c"] as const;

const rate = fc.integer({ min: 0, max: 250 }).map((tenths) => tenths / 10);
const amount = fc.integer({ min: 0, max: 20_000 });
const charges: fc.Arbitrary<Charges> = fc.record({
  taxes: fc
    .array(fc.record({ rate, inclusive: fc.boolean() }), { maxLength: 3 })
    .map((taxes) => taxes.map((tax, index) => ({ ...tax, key: KEYS[index] ?? "a", name: `Tax ${index}`, is_default: index === 0 }))),
  service_charge: fc.option(fc.record({ percent: rate, types: fc.subarray([...ORDER_TYPES]), tax: fc.constantFrom(null, "a") })),
  delivery_fee_tax: fc.constantFrom(null, "a"),
  promotions: fc.array(
    fc.record({ percent: rate, fixed: amount, isFixed: fc.boolean(), least: amount }).map(({ percent, fixed, isFixed, least }) => ({
      key: "p",
      name: { en: "x" },
      is_active: true,
      hours: null,
      types: [...ORDER_TYPES],
      subtotal_min_minor: least,
      percent_off: isFixed ? null : percent,
      amount_off_minor: isFixed ? fixed : null,
    })),
    { maxLength: 2 },
  ),
});
const sold = fc.record({
  type: fc.constantFrom(...ORDER_TYPES),
  fee: amount,
  lines: fc.array(fc.record({ each: amount, quantity: fc.integer({ min: 1, max: 3 }), key: fc.constantFrom(null, ...KEYS) }), {
    minLength: 2,
    maxLength: 6,
  }),
  picks: fc.array(fc.record({ place: fc.nat(5), isPart: fc.boolean() }), { minLength: 8, maxLength: 8 }),
});

const lineOf = (id: number, each: number, quantity = 1): OrderLine => ({
  id,
  item_id: id,
  name: { en: "x" },
  variant_name: null,
  quantity,
  unit_price_minor: each,
  line_total_minor: each * quantity,
  voided: false,
  modifiers: [],
});

/** A key that no tax has would be refused by a venue file. */
const knownKey = (key: string | null, { taxes }: Charges): string | null => (taxes.some((tax) => tax.key === key) ? key : null);
const fitting = (given: Charges): Charges => ({
  ...given,
  delivery_fee_tax: knownKey(given.delivery_fee_tax, given),
  service_charge: given.service_charge && { ...given.service_charge, tax: knownKey(given.service_charge.tax, given) },
});

test("D80 D201 lines and parts of them struck one by one, in any order, leave the order as it would be priced without them", () => {
  fc.assert(
    fc.property(charges, sold, (given, { type, fee, lines: wanted, picks }) => {
      const used = fitting(given);
      const taxKeys = new Map(wanted.map(({ key }, index) => [index, knownKey(key, used)]));
      const price = (lines: readonly OrderLine[]): Amounts =>
        priceOrder(
          lines.map(({ item_id, line_total_minor }) => ({ line_total_minor, tax_key: taxKeys.get(item_id) ?? null })),
          used,
          { type, deliveryFeeMinor: fee },
          wallClock(ZONE, PLACED_AT),
        );
      let lines = wanted.map(({ each, quantity }, index) => lineOf(index, each, quantity));
      let amounts = price(lines);
      for (const [turn, { place, isPart }] of picks.entries()) {
        const present = lines.filter(isLeft);
        const picked = present[place % present.length] as OrderLine;
        const part = isPart && picked.quantity > 1 ? { id: 100 + turn, quantity: 1 } : null;
        const order = { ...amounts, type, lines, placed_at: PLACED_AT, scheduled_for: null };
        const after = part ? splitLine({ lines, stock_needs: null }, picked, part).lines : lines;
        if (isLastLine({ lines: after })) break;
        const left = after.filter((line) => isLeft(line) && line.id !== (part?.id ?? picked.id));
        amounts = amountsOf(order, left, { charges: used, taxKeys, zone: ZONE });
        lines = after.map((line) => (left.includes(line) ? line : { ...line, voided: true }));
        expect(amounts).toEqual(price(left));
      }
      expect(isLastLine({ lines: [lineOf(0, 1)] })).toBe(true);
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

test("D201 after a change of the charges: rates and fee stay, no amount grows, and the sum is right", () => {
  fc.assert(
    fc.property(charges, sold, (given, { type, fee, lines: wanted }) => {
      const used = fitting(given);
      const lines = wanted.map(({ each, quantity }, index) => lineOf(index, each, quantity));
      const price = lines.map(({ line_total_minor }) => ({ line_total_minor, tax_key: null }));
      const before = priceOrder(price, used, { type, deliveryFeeMinor: fee }, wallClock(ZONE, PLACED_AT));
      const changed: Charges = {
        ...used,
        taxes: [{ key: "z", name: "New tax", rate: 50, inclusive: false, is_default: true }],
        service_charge: { percent: 50, types: [...ORDER_TYPES], tax: null },
      };
      const order = { ...before, type, lines, placed_at: PLACED_AT, scheduled_for: null };
      const after = amountsOf(order, lines.slice(1), { charges: changed, taxKeys: new Map(), zone: ZONE });
      if (before.subtotal_minor + fee === 0) return;
      expect(after.subtotal_minor).toBe(before.subtotal_minor - (lines[0]?.line_total_minor ?? 0));
      expect(after.delivery_fee_minor).toBe(fee);
      for (const name of ["discount_minor", "service_charge_minor", "tax_added_minor", "total_minor"] as const)
        expect([name, after[name] >= 0 && after[name] <= before[name]]).toEqual([name, true]);
      expect(after.discount_minor).toBeLessThanOrEqual(after.subtotal_minor);
      expect(after.total_minor).toBe(
        after.subtotal_minor - after.discount_minor + after.service_charge_minor + after.tax_added_minor + after.delivery_fee_minor,
      );
      const rates = (rows: Amounts["tax_breakdown"]) => rows?.map(({ name, rate: percent, inclusive }) => [name, percent, inclusive]);
      expect(rates(after.tax_breakdown)).toEqual(rates(before.tax_breakdown));
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

test("a promotion with a least amount ends when the order falls below it, as the rule for a new order says", () => {
  const lines = [lineOf(0, 5000), lineOf(1, 100)];
  const offer: Charges = {
    taxes: [],
    service_charge: null,
    delivery_fee_tax: null,
    promotions: [
      {
        key: "p",
        name: { en: "x" },
        is_active: true,
        hours: null,
        types: ["pickup"],
        subtotal_min_minor: 5100,
        percent_off: 20,
        amount_off_minor: null,
      },
    ],
  };
  const price = lines.map(({ line_total_minor }) => ({ line_total_minor, tax_key: null }));
  const before = priceOrder(price, offer, { type: "pickup", deliveryFeeMinor: 0 }, wallClock(ZONE, PLACED_AT));
  const order = { ...before, type: "pickup" as const, lines, placed_at: PLACED_AT, scheduled_for: null };
  const after = amountsOf(order, lines.slice(0, 1), { charges: offer, taxKeys: new Map(), zone: ZONE });
  expect([before.total_minor, after.total_minor]).toEqual([4080, 5000]);
});

const needs = (lineId: number, milli: number) => ({ line_id: lineId, ingredient_id: 7, milli });

test("a part of a line and the rest together are the line: portions, amount and ingredients", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 99 }), fc.nat(97), amount, fc.nat(5000), (quantity, pick, each, milli) => {
      const struck = 1 + (pick % (quantity - 1));
      const whole = lineOf(1, each, quantity);
      const order = { lines: [whole, lineOf(2, 100)], stock_needs: [needs(1, milli), needs(2, 5)] };
      const { lines, stock_needs } = splitLine(order, whole, { id: 3, quantity: struck });
      expect(lines.map((line) => [line.id, line.quantity, line.line_total_minor])).toEqual([
        [1, quantity - struck, each * (quantity - struck)],
        [3, struck, each * struck],
        [2, 1, 100],
      ]);
      const milliOf = (id: number): number => stock_needs?.find(({ line_id }) => line_id === id)?.milli ?? Number.NaN;
      expect([milliOf(1) + milliOf(3), milliOf(2)]).toEqual([milli, 5]);
      expect(Math.abs(milliOf(3) - (milli * struck) / quantity)).toBeLessThanOrEqual(0.5);
    }),
    { seed: SEED, numRuns: 500 },
  );
});
