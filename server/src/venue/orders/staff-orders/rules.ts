/** Whom an order that staff take is for. */
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { FieldErrors } from "#lib/errors.ts";

type Contact = { customer_name: string | null; customer_phone: string | null };

/** A guest who does not sit at a table is called by name and reached by phone. */
export const contactErrors = (type: OrderType, { customer_name, customer_phone }: Contact): FieldErrors => {
  if (type === "dine_in") return {};
  const required = ["Is required for pickup and delivery."];
  return {
    ...(customer_name === null ? { customer_name: required } : {}),
    ...(customer_phone === null ? { customer_phone: required } : {}),
  };
};

/** Reports separate orders for a table from orders by phone. */
export const channelOf = (type: OrderType): "pos" | "phone" => (type === "dine_in" ? "pos" : "phone");
