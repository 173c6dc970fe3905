import type { OrderDetails } from "@comanda/contract/console/orders.ts";

type OrderTicket = OrderDetails["tickets"][number];

type TicketTimes = { id: number; station: string; state: string; release_at: Date | null; updated_at: Date };

export const presentTicket = ({ id, station, state, release_at, updated_at }: TicketTimes): OrderTicket => ({
  id,
  station,
  // A constraint of the table allows these states alone.
  state: state as OrderTicket["state"],
  release_at: release_at?.toISOString() ?? null,
  updated_at: updated_at.toISOString(),
});
