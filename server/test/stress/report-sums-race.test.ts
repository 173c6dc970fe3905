/** Orders of one venue placed, moved and struck by two processes and this one at once: the sums of its reports are those of the orders. */
import { Agent } from "node:http";
import { REPORT_KINDS } from "@comanda/contract/console/reports.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordPayment } from "#venue/orders/payments/service.ts";
import { findOrderForChange, strikeLine } from "#venue/orders/service.ts";
import { readSales } from "#venue/reports/manager-reports/service.ts";
import { listDifferences, listMonthDifferences } from "#venue/reports/service.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { readSlowHistory, slowSums, sumFaults } from "../support/slow-sales.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const WRITERS = 8;
const ORDERS_EACH = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 200 : 4));

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let dishes: number[];

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dishes = ["Plain Plate", "Neon Nachos"].map((name) => data.find((item: { name: { en: string } }) => item.name.en === name).id);
  fleet = await createFleet(app.database.appUrl);
  for (let process = 0; process < 2; process++) await fleet.start();
}, 300_000);
afterAll(async () => {
  await fleet.close();
  await app.close();
});

const ofToday = (): { from: string; to: string } => {
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return { from: day(-2), to: day(2) };
};

test(`${WRITERS} writers over two processes with ${ORDERS_EACH} orders each: no order is missing in the sums, none is twice`, {
  timeout: 900_000,
}, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS * 2 });
  const post = (path: string, body: object) => sendCall({ port: fleet.port, agent, token: lab.token, method: "POST", path, body });
  const statuses = new Map<number, number>();
  const count = ({ status }: { status: number }): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const writer = async (number: number): Promise<void> => {
    for (let turn = 0; turn < ORDERS_EACH; turn++) {
      // Both dishes in either order: keys are locked by themselves, not as the order names them.
      const lines = (turn % 2 === 0 ? dishes : dishes.toReversed()).map((item_id) => ({ item_id, quantity: 1 + (number % 3) }));
      const placed = await post("/orders", { type: "pickup", customer_name: "Ada", customer_phone: String(number), lines });
      count(placed);
      const { id } = (placed.body as { data: { id: string } }).data;
      if (turn % 4 === 1) count(await post(`/orders/${id}/status`, { status: "cancelled" }));
      if (turn % 4 === 2)
        await forVenue(app.deps, lab.slug, async (ctx) => {
          const order = await findOrderForChange(ctx, id);
          if (order.lines[0]) await strikeLine(ctx, order, { line: order.lines[0], reason: "not today" });
        });
      if (turn % 4 === 3) await forVenue(app.deps, lab.slug, (ctx) => recordPayment(ctx, id, { method: "cash", amount_minor: 100 }));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  agent.destroy();
  expect([...statuses.keys()].sort((a, b) => a - b)).toEqual([200, 201]);
  const history = await readSlowHistory(app.database, lab.id);
  const today = ofToday();
  for (const by of REPORT_KINDS) {
    const { rows } = await forVenue(app.deps, lab.slug, (ctx) => readSales(ctx, { by, ...today }));
    expect(rows.length, by).toBeGreaterThan(0);
    expect(sumFaults(rows, slowSums(history, by, { ...today, branch: undefined })), by).toEqual([]);
  }
  const differences = await forVenue(app.deps, lab.slug, async (ctx) => [
    ...(await listDifferences(ctx, today.from, today.to)),
    ...(await listMonthDifferences(ctx)),
  ]);
  expect(differences).toEqual([]);
});
