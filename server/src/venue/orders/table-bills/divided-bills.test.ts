/** Bills paid in parts as pure rules: whatever the parts, each order gets what it owes, to the smallest unit. */
import { ORDER_STATUSES } from "@comanda/contract/venue/orders.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SEED } from "../../../../test/support/seeded-random.ts";
import { type BilledOrder, costOfLines, counts, dividePayment, dueOf, dueOfAll, type LineShare, lineShares } from "./rules.ts";

const RUNS = process.env.TEST_STRESS ? 50_000 : 2_000;

/** Whole yen, cents and fils: an amount has no decimals, so a currency shows in its size alone. */
const amount = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 3_000_000 }));

const order = fc.record({
  status: fc.constantFrom(...ORDER_STATUSES),
  lines: fc.array(fc.record({ line_total_minor: amount, voided: fc.boolean() }), { minLength: 1, maxLength: 6 }),
  /** Discount or taxes and charges, in percent of the lines. */
  percent: fc.integer({ min: 0, max: 140 }),
  paidPercent: fc.integer({ min: 0, max: 120 }),
});
/** How the party pays, one step after the other. */
const step = fc.record({ kind: fc.constantFrom("equal", "lines", "amount"), size: fc.integer({ min: 1, max: 1000 }) });
const bill = fc.record({ orders: fc.array(order, { minLength: 1, maxLength: 5 }), steps: fc.array(step, { minLength: 1, maxLength: 8 }) });
type GeneratedBill = typeof bill extends fc.Arbitrary<infer B> ? B : never;

const billOf = ({ orders }: GeneratedBill): BilledOrder[] =>
  orders.map(({ status, lines, percent, paidPercent }, place) => {
    const sum = lines.filter(({ voided }) => !voided).reduce((total, { line_total_minor }) => total + line_total_minor, 0);
    const total_minor = Math.floor((sum * percent) / 100);
    const billed = lines.map((line, index) => ({ ...line, id: place * 10 + index }));
    return {
      id: `order ${place}`,
      status,
      total_minor,
      paid_minor: Math.floor((total_minor * paidPercent) / 100),
      isPaid: false,
      lines: billed,
    };
  });

type BillRules = { dividePayment: typeof dividePayment; lineShares: typeof lineShares };

/** Pays step by step, and the rest at the end; says what is wrong. */
const faultsOf = (generated: GeneratedBill, rules: BillRules): string[] => {
  let orders = billOf(generated);
  const faults: string[] = [];
  for (const one of orders.filter(counts)) {
    const shares = rules.lineShares([one]).reduce((sum, { share_minor }) => sum + share_minor, 0);
    const isFree = one.lines.every(({ voided, line_total_minor }) => voided || line_total_minor === 0);
    if (shares !== (isFree ? 0 : one.total_minor)) faults.push(`the shares of ${one.total_minor} add up to ${shares}`);
  }
  const pay = (amountMinor: number, chosen: LineShare[]): void => {
    const parts = rules.dividePayment(amountMinor, orders, chosen);
    const sum = parts.reduce((total, { amount_minor }) => total + amount_minor, 0);
    if (sum !== amountMinor) faults.push(`${amountMinor} was divided into ${sum}`);
    for (const { order_id, amount_minor } of parts) {
      const owing = orders.find(({ id }) => id === order_id);
      if (!owing || amount_minor < 1 || amount_minor > dueOf(owing)) faults.push(`${order_id} gets ${amount_minor}`);
    }
    orders = orders.map((one) => ({
      ...one,
      paid_minor: one.paid_minor + (parts.find(({ order_id }) => order_id === one.id)?.amount_minor ?? 0),
    }));
  };
  for (const { kind, size } of generated.steps) {
    const due = dueOfAll(orders);
    if (due === 0) break;
    const chosen = kind === "lines" ? rules.lineShares(orders).filter((_, index) => (index + size) % 2 === 0) : [];
    const wanted =
      kind === "lines" ? costOfLines(orders, chosen) : kind === "equal" ? Math.ceil(due / (1 + (size % 6))) : Math.min(due, size);
    if (wanted > 0) pay(wanted, chosen);
  }
  if (dueOfAll(orders) > 0) pay(dueOfAll(orders), []);
  for (const one of orders.filter(counts)) if (one.paid_minor < one.total_minor) faults.push(`${one.id} is not covered`);
  return faults;
};

const check = (rules: BillRules, runs: number): void =>
  fc.assert(
    fc.property(bill, (generated) => {
      expect(faultsOf(generated, rules)).toEqual([]);
    }),
    { numRuns: runs, seed: SEED, endOnFailure: true },
  );

test("parts of a bill add up to the smallest unit, no order gets more than it owes, and each is covered at the end", () => {
  check({ dividePayment, lineShares }, RUNS);
});

test("planted: shares that are rounded one by one do not add up", () => {
  const rounded: typeof lineShares = (orders) =>
    orders.filter(counts).flatMap((one) => {
      const left = one.lines.filter(({ voided }) => !voided);
      const sum = left.reduce((total, { line_total_minor }) => total + line_total_minor, 0);
      return left.map(({ id, line_total_minor }) => ({
        order_id: one.id,
        line_id: id,
        share_minor: sum === 0 ? 0 : Math.round((one.total_minor * line_total_minor) / sum),
      }));
    });
  expect(() => check({ dividePayment, lineShares: rounded }, RUNS)).toThrow();
});

test("planted: a division that leaves out what an order has paid already gives it more than it owes", () => {
  const careless: typeof dividePayment = (amountMinor, orders, chosen) =>
    dividePayment(
      amountMinor,
      orders.map((one) => ({ ...one, paid_minor: 0 })),
      chosen,
    );
  expect(() => check({ dividePayment: careless, lineShares }, RUNS)).toThrow();
});
