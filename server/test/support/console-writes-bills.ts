/** Valid writes for the bills of tables. Each scenario has tables of its own. */
import type { Bill, OpenBill } from "@comanda/contract/console/bills.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";

const takenTables = new WeakMap<WritesWorld, number>();

/** The number of a table that no other scenario has, which is also its code. */
const freeTable = (world: WritesWorld): string => {
  const number = (takenTables.get(world) ?? 20) + 1;
  takenTables.set(world, number);
  return `t${number}`;
};

export const tableIdOf = async ({ app, lab }: WritesWorld, code: string): Promise<number> => {
  const rows = await app.database.asOwner<{ id: string }>("select id from dining_tables where restaurant_id = $1 and code = $2", [
    lab.id,
    code,
  ]);
  return Number(rows[0]?.id);
};

const openBill = async (world: WritesWorld): Promise<Bill> => {
  const code = freeTable(world);
  await world.order({ type: "dine_in", table_code: code });
  const bills: OpenBill[] = await world.done("GET", "/bills");
  const found = bills.find(({ tables }) => tables.some((table) => table.code === code));
  return world.done("GET", `/bills/${found?.id ?? "none"}`);
};

type BillCalls = "payBill" | "moveBill" | "mergeBills" | "askForBill" | "closeBill";

export const billScenarios: Scenarios<BillCalls> = {
  payBill: async (world) => {
    const { id, due_minor } = await openBill(world);
    return { params: { bill: id }, body: { method: "cash", amount_minor: 100, tip_minor: 50, seen_due_minor: due_minor } };
  },
  moveBill: async (world) => {
    const bill = await openBill(world);
    return {
      params: { bill: bill.id },
      body: { from_table_id: bill.tables[0]?.id ?? 0, to_table_id: await tableIdOf(world, freeTable(world)) },
    };
  },
  mergeBills: async (world) => ({ params: { bill: (await openBill(world)).id }, body: { other_bill_id: (await openBill(world)).id } }),
  askForBill: async (world) => ({ params: { bill: (await openBill(world)).id }, body: { is_asked: true } }),
  closeBill: async (world) => {
    const { id, due_minor } = await openBill(world);
    return { params: { bill: id }, body: { seen_due_minor: due_minor, reason: "walked out" } };
  },
};
