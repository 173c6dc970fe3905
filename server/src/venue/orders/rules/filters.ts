/** Parses the filters of the order list (open points D74–D78). */
import { ORDER_STATUSES, type OrderStatus, type OrderType } from "@comanda/contract/venue/orders.ts";
import { because, type FieldRefusals } from "#lib/errors.ts";
import { readSpan, type Span } from "#lib/instant.ts";

type OrderQuery = { status?: string; type?: OrderType; channel?: string; placed_from?: string; placed_to?: string; updated_since?: string };

export type ParsedOrderFilter = {
  filter: {
    statuses?: OrderStatus[];
    type?: OrderType;
    channel?: string;
    placedFrom?: Date;
    placedBefore?: Date;
    updatedSince?: Date;
  };
  errors: FieldRefusals;
};

export const parseOrderFilter = (query: OrderQuery, zone: string): ParsedOrderFilter => {
  const errors: FieldRefusals = {};
  const moment = (name: "placed_from" | "placed_to" | "updated_since"): Span | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const span = readSpan(text, zone);
    if (span === null)
      errors[name] = [
        because("Must be a date, or a date-time with an offset, such as 2026-11-14T19:30:00+01:00.", "not_a_date_or_date_time"),
      ];
    return span ?? undefined;
  };
  const statuses = parseStatuses(query.status);
  if (statuses === null)
    errors.status = [because(`Must be one or more of ${ORDER_STATUSES.join(", ")}.`, "not_one_of", { allowed: [...ORDER_STATUSES] })];
  const [from, to, since] = [moment("placed_from"), moment("placed_to"), moment("updated_since")];
  if (from && to && from.start >= to.end)
    errors.placed_to = [because("Lies before placed_from.", "reversed_range", { start: "placed_from" })];
  return {
    filter: {
      ...(statuses && statuses.length > 0 ? { statuses } : {}),
      ...(query.type ? { type: query.type } : {}),
      ...(query.channel ? { channel: query.channel } : {}),
      ...(from ? { placedFrom: from.start } : {}),
      ...(to ? { placedBefore: to.end } : {}),
      ...(since ? { updatedSince: since.start } : {}),
    },
    errors,
  };
};

/** Trims parts and skips empty ones. Null: a part is not a status. */
const parseStatuses = (text: string | undefined): OrderStatus[] | null => {
  const parts = (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  const known = parts.filter((part): part is OrderStatus => (ORDER_STATUSES as readonly string[]).includes(part));
  return known.length === parts.length ? known : null;
};
