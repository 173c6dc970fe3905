/** GET /reports/sales-summary: its shape, its period and its figures. The lab's other branch has few orders, so they can be counted. */
import type { Order } from "@comanda/contract/venue/orders.ts";
import type { SalesSummary } from "@comanda/contract/venue/reports.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { clockOf, dayAhead, NO_DAYS, shiftDay } from "../days.ts";
import { expectInvalid, expectStatus } from "../expectations.ts";
import { sellableDish, TABLE } from "../orders/counter.ts";
import { allOrders, moveOrder, orderThatIs, placeOrder } from "../orders/orders.ts";
import { counted, lab, neighbour, suspended } from "../target.ts";
import { askSummary, expectCoherent, figuresOf, readSummary } from "./summary.ts";

const keysOf = (value: object): string[] => Object.keys(value).sort();
const FIGURES = ["average_order_minor", "orders", "revenue_minor"];

let annex: number;

const annexOrder = { type: "dine_in", table_code: TABLE.ofOtherBranch };
/** Days around today, so that a test may run over midnight. */
const around = () => ({ from: dayAhead(lab, -1), to: dayAhead(lab, 1) });
const readAnnex = (): Promise<SalesSummary> => readSummary(lab, { ...around(), branch_id: annex });

beforeAll(async () => {
  annex = Number((await placeOrder(lab, annexOrder)).branch_id);
});

describe("shape", () => {
  for (const venue of [lab, neighbour, counted, suspended])
    test(`R2.9-01 RX-02 ${venue.slug}: has its fields and no other, in the restaurant's currency`, async () => {
      const answer = await askSummary(venue);
      expect(answer.body).toMatchObject({ meta: {}, links: {} });
      const summary = await readSummary(venue);
      const own = [...FIGURES, "branch_id", "change", "currency", "from", "previous", "to"];
      expect(keysOf(summary)).toEqual(own.toSorted());
      expect(keysOf(summary.previous)).toEqual(FIGURES);
      expect(keysOf(summary.change)).toEqual(["orders_pct", "revenue_pct"]);
      for (const part of [figuresOf(summary), summary.previous])
        for (const figure of Object.values(part)) expect(Number.isInteger(figure)).toBe(true);
      for (const percent of Object.values(summary.change)) expect(Number.isFinite(percent)).toBe(true);
      expect(summary.currency).toBe(venue.currency);
    });
});

describe("period", () => {
  for (const venue of [lab, neighbour, counted])
    test(`R4.5-01 ${venue.slug}: today on the restaurant's clock and every branch where nothing is said`, async () => {
      const earliest = clockOf(venue).date;
      const { from, to, branch_id } = await readSummary(venue);
      expect([from, branch_id]).toEqual([to, null]);
      expect([earliest, clockOf(venue).date]).toContain(from);
    });

  test("R4.5-02 both ends come back as they were sent", async () => {
    for (const [first, last] of [
      [-3, 0],
      [-30, -5],
      [0, 0],
      [5, 9],
    ] as const) {
      const period = { from: dayAhead(lab, first), to: dayAhead(lab, last) };
      expect(await readSummary(lab, period)).toMatchObject(period);
    }
  });

  test("R4.5-02 an order counts in the periods that begin or end on its day, and not in those beside it", async () => {
    const [yesterday, today, tomorrow] = [-1, 0, 1].map((days) => dayAhead(lab, days)) as [string, string, string];
    const ask = async (from: string, to: string) => (await readSummary(lab, { from, to, branch_id: annex })).orders;
    expect(await ask(today, tomorrow)).toBeGreaterThan(0);
    expect((await ask(yesterday, today)) - (await ask(yesterday, yesterday))).toBe(await ask(today, today));
    expect(await ask(tomorrow, shiftDay(tomorrow, 30))).toBe(0);
  });

  test("R4.5-08 from alone reaches to today, to alone is that day, and neither end turns the period round", async () => {
    const [past, today, future] = [-10, 0, 10].map((days) => dayAhead(lab, days)) as [string, string, string];
    expect(await readSummary(lab, { from: past })).toMatchObject({ from: past, to: today });
    expect(await readSummary(lab, { from: today })).toMatchObject({ from: today, to: today });
    expect(await readSummary(lab, { from: future })).toMatchObject({ from: future, to: future, orders: 0, revenue_minor: 0 });
    expect(await readSummary(lab, { to: past })).toMatchObject({ from: past, to: past });
    expect(await readSummary(lab, { to: future })).toMatchObject({ from: future, to: future, orders: 0 });
    expectStatus(await askSummary(lab, { from: dayAhead(lab, -365) }), 200);
  });

  test("R4.5-07 366 days are taken, 367 are 422 to", async () => {
    const to = dayAhead(lab, 0);
    expectStatus(await askSummary(lab, { from: shiftDay(to, -365), to }), 200);
    expectInvalid(await askSummary(lab, { from: shiftDay(to, -366), to }), "to");
    expectInvalid(await askSummary(lab, { from: shiftDay(to, -366) }), "to");
    expectInvalid(await askSummary(lab, "from=0001-01-01&to=9999-12-31"), "to");
    expectStatus(await askSummary(lab, "from=2024-01-01&to=2024-12-31"), 200);
  });

  test("R4.5-07 422 to for a period that ends before it begins, 422 on its name for what is no day", async () => {
    expectInvalid(await askSummary(lab, { from: dayAhead(lab, 0), to: dayAhead(lab, -1) }), "to");
    for (const name of ["from", "to"]) for (const text of NO_DAYS) expectInvalid(await askSummary(lab, { [name]: text }), name);
    expectInvalid(await askSummary(lab, "from=x&to=x&branch_id=x"), "from", "to", "branch_id");
  });

  test("R4.5-07 the first and last days of the calendar are days, and never a fault", async () => {
    for (const day of ["0001-01-01", "1969-12-31", "9999-12-31"])
      expect(await readSummary(lab, { from: day, to: day })).toMatchObject({ orders: 0 });
  });
});

/** What the action adds to the other branch. Repeats it if another test ordered there in between. */
const expectAdded = async (act: () => Promise<unknown>, orders: number, revenue: () => number): Promise<void> => {
  const before = await readAnnex();
  await act();
  const after = await readAnnex();
  expect([after.orders - before.orders, after.revenue_minor - before.revenue_minor]).toEqual([orders, revenue()]);
  expectCoherent(after);
};

describe("figures", { retry: 4 }, () => {
  for (const way of ["cancelled", "rejected"] as const)
    test(`R4.5-03 R4.5-04 an order adds itself and its total, and takes both back when it is ${way}`, async () => {
      const lines = [{ item_id: (await sellableDish(lab)).id, quantity: 3 }];
      let order: Order | undefined;
      const place = async () => (order = await placeOrder(lab, { ...annexOrder, lines }));
      await expectAdded(place, 1, () => order?.total_minor ?? 0);
      await expectAdded(
        () => moveOrder(lab, order?.id ?? "", way),
        -1,
        () => -(order?.total_minor ?? 0),
      );
    });

  test("R4.5-03 accepted, ready and completed change nothing; cancelled after that still takes it back", async () => {
    const order = await placeOrder(lab, annexOrder);
    for (const status of ["accepted", "ready", "completed"] as const)
      await expectAdded(
        () => moveOrder(lab, order.id, status),
        0,
        () => 0,
      );
    const ready = await orderThatIs("ready", lab, annexOrder);
    await expectAdded(
      () => moveOrder(lab, ready.id, "cancelled"),
      -1,
      () => -ready.total_minor,
    );
  });

  test("R4.5-03 R4.5-04 today's figures are those of the orders that GET /orders shows", async () => {
    for (const venue of [counted, suspended]) {
      const today = clockOf(venue).date;
      const orders = await allOrders(venue, { placed_from: today, placed_to: today });
      const sales = orders.filter(({ status }) => status !== "rejected" && status !== "cancelled");
      const revenue_minor = sales.reduce((sum, { total_minor }) => sum + total_minor, 0);
      expect(await readSummary(venue, { from: today, to: today })).toMatchObject({ orders: sales.length, revenue_minor });
    }
  });

  test("R4.5-05 the period before has as many days and ends the day before", async () => {
    const tomorrow = dayAhead(lab, 1);
    for (const length of [1, 2, 7, 183]) {
      const now = { from: tomorrow, to: shiftDay(tomorrow, length - 1), branch_id: annex };
      const before = { from: shiftDay(tomorrow, -length), to: shiftDay(tomorrow, -1), branch_id: annex };
      const summary = await readSummary(lab, now);
      expect(summary.previous).toEqual(figuresOf(await readSummary(lab, before)));
      expect(summary.previous.orders).toBeGreaterThan(0);
      expect(summary.change).toEqual({ revenue_pct: -100, orders_pct: -100 });
      expectCoherent(summary);
    }
    for (const length of [1, 366]) {
      const later = { from: shiftDay(tomorrow, 400), to: shiftDay(tomorrow, 399 + length), branch_id: annex };
      expect((await readSummary(lab, later)).change).toEqual({ revenue_pct: 0, orders_pct: 0 });
    }
  });

  test("R4.5-05 from nothing to something is finite", async () => {
    const summary = await readSummary(lab, { from: dayAhead(lab, -183), to: dayAhead(lab, 0) });
    expectCoherent(summary);
    if (summary.previous.orders === 0) expect(summary.change).toEqual({ revenue_pct: 100, orders_pct: 100 });
  });

  test("R4.5-06 an order counts in its own branch, and in all of them together", async () => {
    const whole = await readSummary(lab, around());
    await expectAdded(
      () => placeOrder(lab),
      0,
      () => 0,
    );
    await placeOrder(lab, annexOrder);
    const after = await readSummary(lab, around());
    expect(after.orders - whole.orders).toBeGreaterThanOrEqual(2);
    expect(after.orders).toBeGreaterThanOrEqual((await readAnnex()).orders);
  });
});

describe("branch_id", () => {
  test("R4.5-06 comes back as it was sent", async () => {
    expect((await readAnnex()).branch_id).toBe(annex);
  });

  test("R4.5-06 422 for one that is unknown, malformed, or another venue's", async () => {
    const foreign = (await placeOrder(neighbour)).branch_id;
    for (const branch_id of [String(foreign), "9007199254740991", "0", "-1", "abc", "1.5", "null"])
      expectInvalid(await askSummary(lab, { branch_id }), "branch_id");
  });
});
