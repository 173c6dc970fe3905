/** What a list of orders is narrowed by (open points D74–D78). */
import { ORDER_STATUSES, type OrderStatus, type OrderType } from "@comanda/contract/orders.ts";
import type { Faults } from "#lib/errors.ts";
import { readSpan, type Span } from "#lib/instant.ts";

type Query = { status?: string; type?: OrderType; channel?: string; placed_from?: string; placed_to?: string; updated_since?: string };

export type ReadFilter = {
  filter: {
    statuses?: OrderStatus[];
    type?: OrderType;
    channel?: string;
    placedFrom?: Date;
    placedBefore?: Date;
    updatedSince?: Date;
  };
  faults: Faults;
};

export const readOrderFilter = (query: Query, zone: string): ReadFilter => {
  const faults: Faults = {};
  const moment = (name: "placed_from" | "placed_to" | "updated_since"): Span | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const span = readSpan(text, zone);
    if (span === null) faults[name] = ["Must be a date, or a date-time with an offset."];
    return span ?? undefined;
  };
  const statuses = readStatuses(query.status);
  if (statuses === null) faults.status = [`Must be one or more of ${ORDER_STATUSES.join(", ")}.`];
  const [from, to, since] = [moment("placed_from"), moment("placed_to"), moment("updated_since")];
  if (from && to && from.start >= to.end) faults.placed_to = ["Lies before placed_from."];
  return {
    filter: {
      ...(statuses && statuses.length > 0 ? { statuses } : {}),
      ...(query.type ? { type: query.type } : {}),
      ...(query.channel ? { channel: query.channel } : {}),
      ...(from ? { placedFrom: from.start } : {}),
      ...(to ? { placedBefore: to.end } : {}),
      ...(since ? { updatedSince: since.start } : {}),
    },
    faults,
  };
};

/** Parts are trimmed and empty ones skipped; one unknown part spoils the list. */
const readStatuses = (text: string | undefined): OrderStatus[] | null => {
  const parts = (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  const known = parts.filter((part): part is OrderStatus => (ORDER_STATUSES as readonly string[]).includes(part));
  return known.length === parts.length ? known : null;
};
