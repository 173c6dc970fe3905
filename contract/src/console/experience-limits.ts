/** Bounds and words of experiences that the browser needs too. This file imports nothing, so that a page does not load the shapes. */
export const TICKETS_MAX = 50;
export const SEATS_MAX = 1000;
/** How often a session can be repeated at once, week by week, the first one included. */
export const WEEKS_MAX = 52;
/** How long tickets are held for a guest who has not paid yet. */
export const HOLD_MINUTES = 5;

/** `cancelled` has three causes, which `ticketsEndOf` distinguishes. */
export const TICKETS_STATES = ["held", "paid", "cancelled", "expired"] as const;
export type TicketsState = (typeof TICKETS_STATES)[number];

/** How staff take the money at the counter. A gift card has a call of its own. */
export const COUNTER_TICKET_METHODS = ["cash", "card_terminal", "other"] as const;
export const TICKET_METHODS = [...COUNTER_TICKET_METHODS, "gift_card"] as const;
export type TicketMethod = (typeof TICKET_METHODS)[number];

/** How tickets ended: the hold ran out, staff released it, the payment was refunded, or free tickets were cancelled. */
export type TicketsEnd = "expired" | "released" | "refunded" | "cancelled";

type EndedTickets = { state: TicketsState; paid_at: string | null; method: TicketMethod | null };

export const ticketsEndOf = ({ state, paid_at, method }: EndedTickets): TicketsEnd => {
  if (state === "expired") return "expired";
  if (paid_at === null) return "released";
  return method === null ? "cancelled" : "refunded";
};
