/** Guests who sit at a table and order there without a booking. Only their order shows that they are there. */
import { OVERSTAY_MS } from "./presence.ts";
import type { TableOccupancy } from "./tables.ts";

export type OrderAtTable = { id: string; number: number | null; table_id: number; since: Date };

/** An order from before the last party left its table is that party's, although it is not completed yet. */
export const ordersStillThere = <T extends OrderAtTable>(orders: readonly T[], lastLeft: ReadonlyMap<number, Date>): T[] =>
  orders.filter(({ table_id, since }) => {
    const leftAt = lastLeft.get(table_id);
    return leftAt === undefined || leftAt < since;
  });

/** Such a table is not offered to another party now. */
export const occupanciesOf = (orders: readonly OrderAtTable[], now: Date): TableOccupancy[] =>
  orders.map(({ table_id, since }) => ({
    tableId: table_id,
    fromMs: Math.min(since.getTime(), now.getTime()),
    toMs: now.getTime() + OVERSTAY_MS,
  }));
