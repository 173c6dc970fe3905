/** How the party divides its bill. */
import type { Bill, BillLine } from "@comanda/contract/console/bills.ts";
import { type Minor, minor, sumOf } from "@comanda/contract/minor.ts";

/** As equal as the currency allows: the first parts have one smallest unit more, so that nothing is left at the end. */
export const equalPart = (due: Minor, count: number): Minor => minor(Math.ceil(due / count));

export const lineIdOf = ({ order_id, line_id }: Pick<BillLine, "order_id" | "line_id">): string => `${order_id} ${line_id}`;

/** What the chosen lines cost; never more than is due, because a part of them may be paid. */
export const costOfLines = ({ lines, due_minor }: Pick<Bill, "lines" | "due_minor">, chosen: ReadonlySet<string>): Minor => {
  const cost = sumOf(lines.filter((line) => chosen.has(lineIdOf(line))).map(({ share_minor }) => share_minor));
  return cost > due_minor ? due_minor : cost;
};

/** What the guest gets back. Null while less was handed over than amount and tip. */
export const changeOf = (tendered: Minor, amount: Minor, tip: Minor): Minor | null =>
  tendered < amount + tip ? null : minor(tendered - amount - tip);
